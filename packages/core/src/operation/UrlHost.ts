/** The host of a web address, which may be told where the address itself may hold a secret. */

/** The host with its port; the empty text where the text is no address. */
export const hostOf = (url: string): string => /^[^:/?#]+:\/\/(?:[^/?#@]*@)?([^/?#]+)/.exec(url)?.[1] ?? ""

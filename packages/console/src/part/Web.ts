/** Addresses that others wrote. */

/** It is an address of the web: anything else is no link. */
export const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//.test(url)

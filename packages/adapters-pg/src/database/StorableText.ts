/** Text from outside on its way into a parameter. */

/** The database stores no NUL, so a text with one is looked for as one that no source writes. */
export const storable = (text: string): string => text.replaceAll("\0", "\uFFFF")

/** The pattern of exactly this text, to be part of a larger one. */
export const matching = (text: string): string => storable(text).replace(/[\\%_]/g, "\\$&")

/** The pattern of any text that holds this one. */
export const containing = (text: string): string => `%${matching(text)}%`

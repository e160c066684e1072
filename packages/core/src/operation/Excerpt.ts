/**
 * What is told again of text that a caller sent and nobody here knows: enough to find it, and never as long as it was.
 */

const longest = 100

/** The text, cut after its first hundred characters. */
export const excerpt = (text: string): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`

/**
 * What is told again of text that others wrote: enough to find it, and never as long as it was. As a JSON string, a quote or a new line
 * in it ends nothing.
 */

/** Of what a caller sent and nobody here knows. */
const longest = 100

/** Of what a record says: no name of a place is as long. */
const longestOfRecord = 60

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`

/** The text, cut after its first hundred characters. */
export const excerpt = (text: string): string => cut(text, longest)

/** The same in a sentence. */
export const quoted = (text: string): string => JSON.stringify(excerpt(text))

/** What a record says, in a sentence. */
export const quotedRecord = (text: string): string => JSON.stringify(cut(text, longestOfRecord))

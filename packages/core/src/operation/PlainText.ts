/**
 * The one rule of what a text from outside may hold, whoever sends it: a client, an assistant, a feed, a researcher.
 *
 * 1. No control characters (C0, DEL, C1), no characters that turn the direction of what follows (embeddings, overrides,
 *    isolates), and nothing that no database keeps (NUL, half a surrogate pair). Such a text is refused, never mended:
 *    what it was to say is not known, and shown as it is it would steer a terminal or deceive a reader.
 * 2. Tabs and line breaks are layout. Texts that people write over several lines keep them. A name, a title or another
 *    text of one line is refused with them, except in a feed, whose cells are often broken: there they are spaces.
 *
 * What is shown is escaped all the same, since a database may hold texts of a time before the rule.
 */
import { Schema } from "effect"

/** One character that rule 1 is about. */
export const steering = /[[\p{Cc}\u202a-\u202e\u2066-\u2069]--[\t\n\r]]/v

/** One character that rule 2 is about. */
export const layout = /[\t\n\r\u2028\u2029]/

/** Rule 1. */
export const isPlain = (text: string): boolean => !steering.test(text) && text.isWellFormed()

/** Rule 2. */
export const isOneLine = (text: string): boolean => !layout.test(text)

/** Rule 2, for inputs that are a name or a title. */
export const oneLine = Schema.makeFilter((text: string) => isOneLine(text) || "Expected text in one line")

/** A plain text with its layout taken for spaces. */
export const inOneLine = (text: string): string =>
  isOneLine(text) ? text : text.replace(/\s*[\t\n\r\u2028\u2029]\s*/g, " ").trim()

/** What somebody else's program said, as a short plain line to be kept: the one place where a text is mended. */
export const saying = (text: string): string =>
  inOneLine(text.slice(0, 300).toWellFormed().replace(new RegExp(steering, "gv"), " "))

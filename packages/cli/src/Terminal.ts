/**
 * What a terminal is shown of text that comes from elsewhere: characters that would steer it, or turn the direction of what
 * follows, stand there as `\u001b` and the like.
 */
import { layout, steering } from "@freehold/core/operation/PlainText"

const everySteering = new RegExp(steering, "gv")
const everyLayout = new RegExp(layout, "g")

const escapeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** A text of any number of lines. A JSON document remains the same document. */
export const escaped = (text: string): string => text.replace(everySteering, escapeOf)

/** In one line. */
export const escapedLine = (text: string): string => escaped(text.replace(everyLayout, " "))

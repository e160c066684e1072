/**
 * How much JSON of a caller is read: its depth and its values are counted on the bytes, before anything is made of them.
 *
 * *Gotchas.* Bytes that are no JSON are counted all the same; the parser refuses them afterwards. An empty list or object
 * counts as two values.
 */
import { Context } from "effect"

/** Deeper than anything that an operation takes, with a protocol around it. */
export const maximumDepth = 32

/** More than any operation takes, keys included; walking through them would keep the process from others. */
export const maximumValues = 10_000

/** Whether a host has counted what it gives to operations: then nobody counts again. */
export const Counted = Context.Reference<boolean>("@freehold/core/operation/JsonBounds/Counted", {
  defaultValue: () => false
})

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** The end of the string that begins there: its closing quote. */
const endOfString = (body: Uint8Array, start: number): number => {
  let index = start + 1
  while (index < body.length && body[index] !== quote) index += body[index] === backslash ? 2 : 1
  return index
}

/** What is too much about the JSON, as the end of a sentence about it; null when it may be read. */
export const excess = (body: Uint8Array): string | null => {
  let depth = 0
  let values = 1
  for (let index = 0; index < body.length; index++) {
    switch (body[index]) {
      case quote:
        index = endOfString(body, index)
        break
      case openBracket:
      case openBrace:
        // Its first value follows it, and each further one a comma.
        values++
        if (++depth > maximumDepth) return `is nested more than ${maximumDepth} levels deep`
        break
      case closeBracket:
      case closeBrace:
        depth--
        break
      case comma:
      case colon:
        values++
    }
    if (values > maximumValues) return `holds more than ${maximumValues} keys and values`
  }
  return null
}

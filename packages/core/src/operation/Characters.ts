/**
 * How long a text may be, in characters: code points, as JSON Schema counts them, so that what the contract's document allows is
 * never refused. The `length` of a string would count an emoji, and many a rare letter, twice.
 */
import { Schema } from "effect"

const told = (count: number): string => count === 1 ? "1 character" : `${count} characters`

/** Whether a text has so many characters; reads no further than it must. */
export const within = (text: string, least: number, most: number): boolean => {
  if (text.length < least || text.length > 2 * most) return false
  let count = 0
  for (const _ of text) count += 1
  return count >= least && count <= most
}

/** At most so many characters. */
export const atMost = (most: number) => Schema.isMaxCodePoints(most, { expected: `at most ${told(most)}` })

/** At least so many characters. */
export const atLeast = (least: number) => Schema.isMinCodePoints(least, { expected: `at least ${told(least)}` })

/** At least so many characters without the spaces around them. */
export const atLeastTrimmed = (least: number) =>
  Schema.makeFilter<string>(
    (text) => within(text.trim(), least, Number.POSITIVE_INFINITY) || `Expected at least ${told(least)}`,
    { toJsonSchema: () => [{ minLength: least }, true] }
  )

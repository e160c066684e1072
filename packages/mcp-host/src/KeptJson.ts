/**
 * JSON that is written once: of what many answers share, and of what was written before for another reason.
 *
 * The text is kept beside its value for as long as the value lives.
 *
 * *Gotchas.* A value whose text is kept must not be changed afterwards.
 */
import { Predicate } from "effect"

const texts = new WeakMap<object, string>()

/** The value, after its JSON was kept. */
export const keep = <A extends object>(value: A, json = JSON.stringify(value)): A => {
  texts.set(value, json)
  return value
}

/** A message, its result, and what stands in that: deeper nothing is kept. */
const levels = 2

/** Nothing for what JSON has no text for, as of a member that is not there. */
const textOf = (value: unknown, below: number): string | undefined => {
  const kept = typeof value === "object" && value !== null ? texts.get(value) : undefined
  if (kept !== undefined) return kept
  if (below === 0 || !Predicate.isReadonlyObject(value)) return JSON.stringify(value)
  // Put together piece by piece, so that long texts are copied once, when the whole is written.
  let members = ""
  for (const [key, member] of Object.entries(value)) {
    const text = textOf(member, below - 1)
    if (text !== undefined) members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${text}`
  }
  return `{${members}}`
}

/** What `JSON.stringify` makes of a message, without writing anew what is kept of it. */
export const write = (message: object): string => textOf(message, levels) ?? "null"

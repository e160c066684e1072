/**
 * JSON that is written once: of what many answers share, and of what was written before for another reason.
 *
 * The text is kept beside its value for as long as the value lives.
 *
 * *Gotchas.* A value whose text is kept must not be changed afterwards.
 */
import { Predicate } from "effect"

// On the value itself, where nobody lists it: a table of weak references costs the collector more than the writing would.
const kept = Symbol("the JSON of the value")

/** The value, after its JSON was kept. */
export const keep = <A extends object>(value: A, json = JSON.stringify(value)): A =>
  Object.defineProperty(value, kept, { value: json })

const keptOf = (value: unknown): string | undefined => {
  const text: unknown = typeof value === "object" && value !== null ? Reflect.get(value, kept) : undefined
  return typeof text === "string" ? text : undefined
}

/** A message, its result, and what stands in that: deeper nothing is kept. */
const levels = 2

/** Nothing for what JSON has no text for, as of a member that is not there. */
const textOf = (value: unknown, below: number): string | undefined => {
  const known = keptOf(value)
  if (known !== undefined) return known
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

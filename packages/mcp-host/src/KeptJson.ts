/**
 * JSON that is written once: of what many answers share, and of what was written before for another reason.
 *
 * The text is kept beside its value for as long as the value lives.
 *
 * *Gotchas.* A value whose text is kept must not be changed afterwards.
 */
import { JsonBytes } from "./JsonBytes.ts"

// On the value itself, where nobody lists it: a table of weak references costs the collector more than the writing would.
const kept = Symbol("the JSON of the value")

/** The value, after its JSON was kept. */
export const keep = <A extends object>(value: A, json = JSON.stringify(value)): A =>
  Object.defineProperty(value, kept, { value: json })

const keptOf = (value: unknown): string | undefined => {
  const text: unknown = typeof value === "object" && value !== null ? Reflect.get(value, kept) : undefined
  return typeof text === "string" ? text : undefined
}

/** A message, its result, what stands in that, the parts of its content, and their texts: deeper nothing is kept or long. */
const levels = 4

const addList = (message: JsonBytes, values: ReadonlyArray<unknown>, below: number): void => {
  let before = "["
  for (const value of values) {
    message.add(before)
    // Of what is not there a list has null.
    add(message, value ?? null, below)
    before = ","
  }
  message.add(values.length === 0 ? "[]" : "]")
}

const addMembers = (message: JsonBytes, value: object, below: number): void => {
  let before = "{"
  for (const [key, member] of Object.entries(value)) {
    // A member that is not there.
    if (member === undefined) continue
    message.add(`${before}${JSON.stringify(key)}:`)
    add(message, member, below)
    before = ","
  }
  message.add(before === "{" ? "{}" : "}")
}

const add = (message: JsonBytes, value: unknown, below: number): void => {
  const known = keptOf(value)
  if (known !== undefined) message.add(known)
  else if (typeof value === "string") message.addString(value)
  else if (below === 0 || typeof value !== "object" || value === null) message.add(JSON.stringify(value))
  else if (Array.isArray(value)) addList(message, value, below - 1)
  else addMembers(message, value, below - 1)
}

/** What `JSON.stringify` makes of a message, or its bytes, without writing anew what is kept of it. */
export const write = (value: object): string | Uint8Array => {
  const message = new JsonBytes()
  add(message, value, levels)
  return message.take()
}

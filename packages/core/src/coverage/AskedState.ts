/** A state as a request names it: by its postal abbreviation, in any case. */
import { Schema, SchemaTransformation } from "effect"
import { stateNamed } from "./UsState.ts"

const form = /^[A-Za-z]{2}$/u

const isAbbreviation = Schema.makeFilter((text: string) => {
  if (form.test(text)) return true
  const abbr = stateNamed(text.trim())
  return `Expected a two-letter state abbreviation such as ${abbr ?? "TX"}`
}, { toJsonSchema: () => ({ pattern: form.source }) })

export const AskedState = Schema.String.check(isAbbreviation).pipe(
  Schema.decode(SchemaTransformation.toUpperCase())
)

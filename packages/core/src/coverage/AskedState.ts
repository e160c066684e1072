/** A state as a request names it: by its postal abbreviation or its name, in any case. The abbreviation is the form that is published. */
import { Schema, SchemaTransformation } from "effect"
import { stateNamed } from "./UsState.ts"

const form = /^[A-Za-z]{2}$/u

const isState = Schema.makeFilter(
  (text: string) =>
    form.test(text) || stateNamed(text.trim()) !== undefined ||
    "Expected a two-letter state abbreviation such as TX, or the name of a state",
  { toJsonSchema: () => ({ pattern: form.source }) }
)

export const AskedState = Schema.String.check(isState).pipe(
  Schema.decode(SchemaTransformation.transform({
    // Two letters that no state has are asked for all the same, and nothing lies there.
    decode: (text) => stateNamed(text.trim()) ?? text.toUpperCase(),
    encode: (abbr) => abbr
  }))
)

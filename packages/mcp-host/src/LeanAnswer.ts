/**
 * What an answer says nothing of: of a field that the specification fixes `null` tells that there is none, of any other its
 * absence does, which costs a model nothing. REST shows both with `null`.
 */
import { Predicate } from "effect"

const leanOf = (value: unknown, names: ReadonlySet<string>): unknown =>
  Array.isArray(value)
    ? value.map((each) => leanOf(each, names))
    : Predicate.isObject(value)
    ? lean(value, names)
    : value

/** The object, however deep, without the fields of these names that are null. */
export const lean = (whole: object, names: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(whole).flatMap(([name, value]): ReadonlyArray<[string, unknown]> =>
      value === null && names.has(name) ? [] : [[name, leanOf(value, names)]]
    )
  )

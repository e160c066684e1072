/**
 * The arguments of a call as they are plainly meant, where they do not fit the tool as they were sent: null for what is left out, all
 * of them in one object, the JSON of a list or an object in its place, a subcategory as the only category of a search. Clients send
 * these whatever a tool says.
 *
 * Nothing is guessed: it is read so only if the whole fits then, and what fits as it was sent stays as it is. An unknown key is no
 * argument that was left out, a null in a list no item, and a ceiling of null says nothing of what may be spent.
 */
import { decoder, exceeds, type InvalidInput, unknownKey, valueAt } from "@freehold/core/operation/InvalidInput"
import { excess, maximumValues } from "@freehold/core/operation/JsonBounds"
import type { AnyOperation } from "@freehold/core/operation/Operation"
import { subcategoryOf } from "@freehold/core/property/CategoryWords"
import { Predicate, Result } from "effect"
import type { InputSchema } from "./InputSchema.ts"
import { changedIn, parsed, type Path, replaced, type Values, without } from "./MendedArguments.ts"

interface Asked {
  readonly operation: Pick<AnyOperation, "input">
  readonly published: { readonly inputSchema: InputSchema }
}

/** The names under which some clients send all arguments as one. */
const wrappers: ReadonlySet<string> = new Set([
  "args",
  "arguments",
  "body",
  "data",
  "input",
  "json",
  "kwargs",
  "params",
  "parameters",
  "payload",
  "query",
  "request"
])

/** The JSON is read within the bounds of a body, in which it was a text. */
const jsonOf = (text: string): ReadonlyArray<unknown> => excess(Buffer.from(text)) === null ? parsed(text) : []

/** The arguments that were sent in one, as an object or as its JSON, and under which name; undefined: they were not. */
export const sentInOne = (input: Values): { readonly name: string; readonly inner: Values } | undefined => {
  const [[name = "", value] = [], ...others] = Object.entries(input)
  if (others.length > 0 || !wrappers.has(name)) return undefined
  const [inner = value] = typeof value === "string" ? jsonOf(value) : []
  return Predicate.isReadonlyObject(inner) ? { name, inner: { ...inner } } : undefined
}

/** With a subcategory where it belongs, if it is all that was sent as a category: beside one both would have to hold. */
export const withSubcategory = (input: Values): Values => {
  const { filters } = input
  if (!Predicate.isReadonlyObject(filters) || Object.hasOwn(filters, "subcategories")) return input
  const categories = valueAt(filters, ["categories"])
  const [only, ...others] = Array.isArray(categories) ? categories : []
  const found = typeof only === "string" && others.length === 0 ? subcategoryOf(only) : undefined
  return found === undefined
    ? input
    : { ...input, filters: { ...without({ ...filters }, "categories"), subcategories: [found] } }
}

/** Whether some value may have been meant otherwise: only such arguments are looked at twice. */
const isOdd = (value: unknown): boolean =>
  value === null || typeof value === "string" && /^\s*[[{]/.test(value) ||
  Predicate.isObject(value) && Object.values(value).some(isOdd)

/** Of an item in its list. */
const isPlace = (key: string): boolean => /^\d+$/.test(key)

/** The arguments with the faulty value as it is meant; as they are, where that is not plain. */
const mendedAt = (input: Values, path: Path): Values => {
  // An item of which nothing is left would be missed.
  if (path.some(isPlace)) return input
  const value = valueAt(input, path)
  if (value === null) return path.at(-1) === "maxCredits" ? input : changedIn(input, path, () => undefined)
  const [json] = typeof value === "string" ? jsonOf(value) : []
  return json === undefined ? input : replaced(input, path, json)
}

const pathsOf = ({ issues }: InvalidInput): ReadonlyArray<Path> =>
  // An unknown key has no value that could be meant.
  issues.flatMap(({ field, message }) => field === null || message.startsWith(unknownKey) ? [] : [field.split(".")])

/** Of very many faults a refusal names the first alone, and what was in a text may have some of its own. */
const mostRounds = 4

/** The same arguments where they fit, or where what they mean is not plain. */
export const meant = ({ operation, published: { inputSchema } }: Asked, given: Values): Values => {
  const one = sentInOne(given)
  const input = withSubcategory(
    one === undefined || Object.hasOwn(inputSchema.properties, one.name) ? given : one.inner
  )
  if (input === given && !isOdd(given)) return given
  const decode = decoder<unknown, unknown>(operation.input, { bounded: true })
  let values = input
  for (let round = 0; round < mostRounds; round++) {
    const read = decode(values)
    if (Result.isSuccess(read)) return values
    const left = pathsOf(read.failure).reduce(mendedAt, values)
    if (left === values || exceeds(left, maximumValues)) return given
    values = left
  }
  return Result.isSuccess(decode(values)) ? values : given
}

/**
 * The arguments of a refused call as they were meant, as far as that is clear: a number, a list or an object that was sent as text,
 * one value where several are taken or a list of one where one is, a word in another case, more rows than there may be. What else
 * does not fit is left out, and nothing is made up.
 */
import { decoder, exceeds, type InvalidInput, valueAt } from "@freehold/core/operation/InvalidInput"
import { isIdName, nearest } from "@freehold/core/operation/Nearest"
import type { AnyOperation } from "@freehold/core/operation/Operation"
import { Predicate, Result } from "effect"
import type { InputSchema } from "./InputSchema.ts"

export type Values = Readonly<Record<string, unknown>>

/** The arguments but these. */
export const without = (input: Values, ...keys: ReadonlyArray<string>): Values =>
  Object.fromEntries(Object.entries(input).filter(([key]) => !keys.includes(key)))

/** Where a fault is: keys, and places in lists. */
export type Path = ReadonlyArray<string>

interface Asked {
  readonly operation: Pick<AnyOperation, "input">
  readonly published: { readonly inputSchema: InputSchema }
}

/** The value without what is null in it, as some clients send what they leave out. */
export const withoutNulls = (input: Values): Values =>
  Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) =>
      value === null ? [] : [[key, Predicate.isReadonlyObject(value) ? withoutNulls({ ...value }) : value]]
    )
  )

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0

/** The value with another one at the path; undefined: nothing is left of it. What is not there takes what it should be in along. */
const changed = (value: unknown, [key, ...inner]: Path, to: (found: unknown) => unknown): unknown => {
  if (key === undefined) return to(value)
  if (Array.isArray(value)) {
    const index = Number(key)
    if (!(index < value.length)) return undefined
    const item = changed(value[index], inner, to)
    const left = item === undefined ? value.toSpliced(index, 1) : value.with(index, item)
    return left.length === 0 ? undefined : left
  }
  if (!Predicate.isReadonlyObject(value) || !Object.hasOwn(value, key)) return undefined
  const item = changed(value[key], inner, to)
  const left = Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      name !== key ? [[name, each]] : item === undefined ? [] : [[name, item]]
    )
  )
  return isEmpty(left) ? undefined : left
}

/** The same of all arguments, of which there may be none. */
export const changedIn = (input: Values, path: Path, to: (found: unknown) => unknown): Values => {
  if (!Object.hasOwn(input, path[0] ?? "")) return input
  const left = changed(input, path, to)
  return Predicate.isReadonlyObject(left) ? left : {}
}

/** The arguments with this value at the path, where there is one. */
export const replaced = (input: Values, path: Path, value: unknown): Values => changedIn(input, path, () => value)

/** The list or the object that the text is the JSON of, as some clients send every argument; none where it is of neither. */
export const parsed = (text: string): ReadonlyArray<unknown> => {
  if (!/^\s*[[{]/.test(text)) return []
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

/** What a number is multiplied by that is written with it. */
const scales: Readonly<Record<string, number>> = {
  k: 1_000,
  thousand: 1_000,
  m: 1_000_000,
  million: 1_000_000,
  billion: 1_000_000_000
}

/** Words that a number is written with and that change nothing about it. A week is no day. */
const amount = new RegExp(
  "^(?:(?:about|at least|at most|first|last|more than|over|past|the last|top|under|up to|within) )?" +
    String.raw`\$? ?(-?\d{1,3}(?:,\d{3})+|-?\d+(?:\.\d+)?) ?(${Object.keys(scales).toReversed().join("|")})?` +
    "(?: ?(?:credits?|days?|dollars?|floors?|results?|rows?|sf|sq\\.? ?ft\\.?|square feet|stories|units?|usd))?$",
  "i"
)

/** An amount as people write it: $40,000, 1.5 million, 50,000 sq ft, last 7 days. */
const amountOf = (text: string): number | undefined => {
  const [, digits, scale = ""] = (text.length > 40 ? null : amount.exec(text.trim())) ?? []
  return digits === undefined
    ? undefined
    // As 4.1 million is written, and not as it is stored.
    : Number((Number(digits.replaceAll(",", "")) * (scales[scale.toLowerCase()] ?? 1)).toPrecision(15))
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const dayOf = (year: string, month: number, day: string): ReadonlyArray<string> => {
  const iso = `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`
  return Number.isNaN(Date.parse(iso)) ? [] : [iso]
}

/** The ISO day of a date as people in the United States write it; none of what is none. */
const isoDayOf = (text: string): ReadonlyArray<string> => {
  const [, year = "", month = "1", day = "1"] = /^((?:19|20)\d\d)(?:[-/.](\d{1,2})(?:[/.](\d{1,2}))?)?$/.exec(text) ??
    []
  if (year !== "") return dayOf(year, Number(month), day)
  const [, first = "", second = "", last = ""] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? []
  if (last !== "") return dayOf(last, Number(first), second)
  const words = text.toLowerCase().replaceAll(/[,.]|(?<=\d)(?:st|nd|rd|th)\b/g, "").split(/\s+/)
  const name = words.find((word) => /^[a-z]{3,9}$/.test(word)) ?? ""
  const [one = "", other = "", ...more] = words.filter((word) => /^\d+$/.test(word))
  const at = months.indexOf(name.slice(0, 3))
  return words.length !== 3 || more.length > 0 || at < 0 || !/^\d{4}$/.test(other) || one.length > 2
    ? []
    : dayOf(other, at + 1, one)
}

/** The value as the type that it may have been meant as; none where there is no other. */
const retyped = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value === "number") return [String(value)]
  if (Predicate.isReadonlyObject(value)) {
    const parts = Object.values(value)
    return parts.length === 1 && typeof parts[0] === "string" ? parts : []
  }
  if (typeof value !== "string") return []
  if (/^(true|false)$/i.test(value)) return [/^true$/i.test(value)]
  const number = amountOf(value)
  return [...number === undefined ? [] : [number], ...isoDayOf(value.trim()), ...parsed(value)]
}

/** What a text of several words with commas between them may be the list of. */
const enumerated = (value: unknown): ReadonlyArray<unknown> =>
  typeof value === "string" && value.includes(",") ? [value.split(",").map((each) => each.trim())] : []

/** What the argument may have been meant as, by what is published of it. */
const likely = (inputSchema: InputSchema, path: Path, value: unknown): ReadonlyArray<unknown> => {
  const facts = path.length === 1 ? inputSchema.properties[path[0] ?? ""] ?? {} : {}
  const [literals, maximum] = [facts["enum"], facts["maximum"]]
  const literal = typeof value === "string" && Array.isArray(literals)
    ? nearest(value, literals.map(String))
    : undefined
  const [number = value] = retyped(value)
  const isTooLarge = typeof maximum === "number" &&
    [value, number].some((each) => typeof each === "number" && each > maximum)
  return [...literal === undefined ? [] : [literal], ...isTooLarge ? [maximum] : []]
}

/** Every other form of the value; of the only one in a list, also that of the value itself. */
export const formsOf = (schema: InputSchema, path: Path, value: unknown): ReadonlyArray<unknown> => {
  const others = [...retyped(value), ...likely(schema, path, value)]
  // No id has a comma, and other texts may be one with it.
  const several = enumerated(value)
  const [early, late] = isIdName(path.at(-1) ?? "") ? [several, []] : [[], several]
  if (!Array.isArray(value)) return [...others, ...early, [value], ...others.map((each) => [each]), ...late]
  const [only, ...more]: ReadonlyArray<unknown> = value
  return only === undefined || more.length > 0 || Array.isArray(only)
    ? others
    : [only, ...retyped(only), ...likely(schema, path, only)]
}

/** Longer arguments are not looked at again and again: a body may hold ten thousand faults. */
const longest = 4000

/** Nor are more values: each round is a look at all of them. */
const mostValues = 100

/** Whether the value is short enough to be tried in several forms. */
export const isShort = (value: unknown): boolean =>
  !exceeds(value, mostValues) && JSON.stringify(value).length <= longest

const nameOf = (path: Path): string => path.join(".")

/** Where the decoder finds faults: the names of the places, and of all that they are in. */
const faultsIn = (read: Result.Result<unknown, InvalidInput>): ReadonlySet<string> =>
  Result.isSuccess(read)
    ? new Set()
    : new Set(read.failure.issues.flatMap(({ field }) => {
      const path = field?.split(".") ?? []
      return path.map((_, index) => nameOf(path.slice(0, index + 1)))
    }))

/** The known arguments that hold none of the faults. */
const sound = ({ published: { inputSchema } }: Asked, input: Values, faults: ReadonlyArray<Path>): Values => {
  const faulty = new Set(faults.map(([key]) => key))
  return Object.fromEntries(
    Object.keys(inputSchema.properties).flatMap((key) =>
      Object.hasOwn(input, key) && !faulty.has(key) ? [[key, input[key]]] : []
    )
  )
}

/**
 * What is left of the arguments at which these paths are at fault; of long ones, the known arguments that hold none. In each
 * round the next form of every value that is still at fault is tried at once, so that the work does not grow with the faults.
 */
export const mended = (asked: Asked, input: Values, faults: ReadonlyArray<Path>): Values => {
  if (!isShort(input)) return sound(asked, input, faults)
  const decode = decoder(asked.operation.input)
  const found = faultsIn(decode(input))
  // The others break a rule that no form of them meets.
  let open = faults.filter((path) => found.has(nameOf(path))).map((path) => {
    const value = valueAt(input, path)
    return { path, forms: value === undefined ? [] : formsOf(asked.published.inputSchema, path, value) }
  })
  let values = input
  const fits = new Set<Path>()
  for (let round = 0; open.some(({ forms }) => round < forms.length); round++) {
    const put = (given: Values, { forms, path }: (typeof open)[number]) =>
      changedIn(given, path, (value) => round < forms.length ? forms[round] : value)
    const left = faultsIn(decode(open.reduce(put, values)))
    const fitting = open.filter(({ path }) => !left.has(nameOf(path)))
    values = fitting.reduce(put, values)
    for (const { path } of fitting) fits.add(path)
    open = open.filter(({ path }) => !fits.has(path))
  }
  // From the last, so that the places of those before it stay.
  return faults.toReversed().filter((path) => !fits.has(path)).reduce(
    (given, path) => changedIn(given, path, () => undefined),
    values
  )
}

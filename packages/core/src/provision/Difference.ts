/** What differs between two documents of an organization, field by field. */
import { Equal, Predicate } from "effect"

/** One field, by its path; of keys, members and loss reasons by name, address and code. null: there is none. */
export interface Change {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** What an entry of an array is known by. */
const nameOf = (entry: unknown): string | undefined => {
  if (!Predicate.isObject(entry)) return undefined
  const name = entry["email"] ?? entry["code"] ?? entry["name"]
  return typeof name === "string" ? name : undefined
}

/** The fields of an object, or the entries of a list by their names; undefined: a plain value, or a list of such. */
const childrenOf = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (!Array.isArray(value)) return Predicate.isObject(value) ? value : undefined
  const entries = value.flatMap((entry) => {
    const name = nameOf(entry)
    return name === undefined ? [] : [[name, entry] as const]
  })
  return entries.length === value.length ? Object.fromEntries(entries) : undefined
}

/** A field of one's own: a name may be one that every object inherits. */
const fieldOf = (fields: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/** Every field that differs, the first document's first. */
export const differences = (before: unknown, after: unknown, field = ""): ReadonlyArray<Change> => {
  if (Equal.equals(before, after)) return []
  const [was, is] = [childrenOf(before), childrenOf(after)]
  if (was === undefined || is === undefined) return [{ field, before: before ?? null, after: after ?? null }]
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...names].flatMap((name) =>
    differences(fieldOf(was, name), fieldOf(is, name), field === "" ? name : `${field}.${name}`)
  )
}

const shown = (value: unknown): string =>
  value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value)

/** A change in words: `plan: team -> enterprise`, `county_fips: +36061 -36005`, `keys.ci: new`. */
export const inWords = ({ after, before, field }: Change): string => {
  if (Array.isArray(before) || Array.isArray(after)) {
    const [was, is] = [[before ?? []].flat(), [after ?? []].flat()]
    const added = is.filter((each) => !was.includes(each)).map((each) => `+${shown(each)}`)
    const removed = was.filter((each) => !is.includes(each)).map((each) => `-${shown(each)}`)
    return `${field}: ${[...added, ...removed].join(" ") || "in another order"}`
  }
  if (before === null && Predicate.isObject(after)) return `${field}: new, ${shown(after)}`
  return `${field}: ${shown(before)} -> ${shown(after)}`
}

/** A field of what there was not before: `plan: team`, `county_fips: 36061 36005`, `keys.ci: new`. */
const inWordsOfNew = (change: Change): string => {
  const { after, field } = change
  if (Array.isArray(after)) return `${field}: ${after.map(shown).join(" ") || "none"}`
  return Predicate.isObject(after) ? inWords({ ...change, before: null }) : `${field}: ${shown(after)}`
}

/** The changes of an organization that was applied, each in words. */
export const differenceInWords = (
  { changes, outcome }: { readonly changes: ReadonlyArray<Change>; readonly outcome: string }
): ReadonlyArray<string> => changes.map(outcome === "created" ? inWordsOfNew : inWords)

/**
 * How a row is read, of whatever kind: its fields by their rules, keys of records, entries of arrays. Every fault is told,
 * one per field, and a row with a fault has no effect.
 */
import { Result } from "effect"
import { hint } from "../operation/Nearest.ts"
import * as FieldCheck from "./FieldCheck.ts"
import { type Bounds, type Check, type FieldValue, Invalid, type Rule } from "./FieldCheck.ts"
import type { ImportKind } from "./ImportKind.ts"
import type { Member, Shape } from "./RowShape.ts"

/** What is wrong with a row. `field` is a path such as `buildings[1].sqft`; null: the row as a whole. */
export interface RowFault {
  readonly field: string | null
  readonly reason: string
}

/** The values that a row sets; null clears, what is not in it stays. */
export type Values<F extends string> = ReadonlyMap<F, FieldValue | null>

/** A row about a record of its own. */
export interface Keyed {
  readonly key: string
  readonly id: string
  /** The id stood in the row: one that differs from the stored one is a fault. */
  readonly idGiven: boolean
}

export interface RowContext extends Bounds {
  /** The id of a record that its row does not give: a UUID v5 of `importName` in `importNamespace`. */
  readonly idOf: (kind: ImportKind, key: string) => string
}

export type Parsed<R> = Result.Result<R, ReadonlyArray<RowFault>>

/** An object of a row, its values unread. */
export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A field that is a plain value. */
export interface PlainMember extends Member {
  readonly rule: Rule
}

type PlainShape<F extends string> = { readonly [K in F]: PlainMember }

/** The plain fields of a kind of row, each with its rule. */
export interface FieldTable<F extends string, S extends PlainShape<F> = PlainShape<F>> {
  readonly shape: S
  readonly has: (name: string) => name is F
  /** The check of a field of the table. */
  readonly find: (name: string) => { readonly name: F; readonly check: Check } | undefined
  /** What is said of a field that is neither in the table nor in `reserved`. */
  readonly unknown: (name: string, reserved: Shape) => string
}

/** A feed has the same unknown field in every row; so many are remembered. */
const mostRemembered = 1000

/** Of so many faults of a row each unknown field is told with what may have been meant: each is compared with all that there are. */
const mostHinted = 20

const unknown = "is not a field of this kind of row"

/** The fields by their names. */
export const table = <const S extends { readonly [K in keyof S]: PlainMember }>(
  shape: S
): FieldTable<keyof S & string, S> => {
  const told = new Map<string, string>()
  const isField = (name: string): name is keyof S & string => Object.hasOwn(shape, name)
  const fields = new Map<string, { readonly name: keyof S & string; readonly check: Check }>()
  for (const name of Object.keys(shape).filter(isField)) fields.set(name, { name, check: shape[name].rule.check })
  return {
    shape,
    has: isField,
    find: (name) => fields.get(name),
    unknown: (name, reserved) => {
      const found = told.get(name)
      if (found !== undefined) return found
      const reason = unknown + hint(name, [...Object.keys(reserved), ...Object.keys(shape)])
      if (told.size < mostRemembered) told.set(name, reason)
      return reason
    }
  }
}

/** The key of a row, and the id that its record may have of its own. */
export const keyedShape = {
  key: {
    meaning: "What the source calls the record. A row with a key that is stored changes that record.",
    rule: FieldCheck.keyRule,
    need: "always"
  },
  id: { meaning: "The id of the record; made from the key where it is absent.", rule: FieldCheck.uuidRule }
} as const satisfies Shape

/** A reference to another record by its key. */
export const referenceTo = (meaning: string) => ({ meaning, rule: FieldCheck.keyRule })

/** Reads the fields of an object; those in `reserved` are the caller's. */
export const readFields = <F extends string>(
  fields: FieldTable<F>,
  reserved: Shape,
  input: Json,
  path: string,
  bounds: Bounds,
  faults: Array<RowFault>
): Values<F> => {
  const values = new Map<F, FieldValue | null>()
  for (const name of Object.keys(input)) {
    const field = fields.find(name)
    if (field === undefined) {
      if (!Object.hasOwn(reserved, name)) {
        const reason = faults.length < mostHinted ? fields.unknown(name, reserved) : unknown
        faults.push({ field: path + name, reason })
      }
      continue
    }
    const value = input[name]
    const read = value === null || value === undefined ? null : field.check(value, bounds)
    if (read instanceof Invalid) faults.push({ field: path + name, reason: read.reason })
    else values.set(field.name, read)
  }
  return values
}

/** Of a field that a row of its kind must have. */
export const required = "is required"

/** The key under `name`, which has to be there. */
export const readKey = (input: Json, name: string, path: string, faults: Array<RowFault>): string => {
  const read = FieldCheck.key(input[name] ?? undefined)
  if (!(read instanceof Invalid)) return read
  faults.push({ field: path + name, reason: read.reason })
  return ""
}

/** The key of another record, null where the row has none. */
export const readReference = (input: Json, name: string, faults: Array<RowFault>): string | null =>
  input[name] === undefined || input[name] === null ? null : readKey(input, name, "", faults)

/** The key of a row and the id of its record: its own, or one made from the key. */
export const readKeyed = (kind: ImportKind, input: Json, context: RowContext, faults: Array<RowFault>): Keyed => {
  const key = readKey(input, "key", "", faults)
  if (input["id"] === undefined || input["id"] === null) {
    return { key, id: key === "" ? "" : context.idOf(kind, key), idGiven: false }
  }
  const id = FieldCheck.uuid(input["id"])
  if (!(id instanceof Invalid)) return { key, id, idGiven: true }
  faults.push({ field: "id", reason: id.reason })
  return { key, id: "", idGiven: true }
}

/** Objects in one array of a row. */
export const mostLinks = 10_000

/** Reads an array of objects, each by `read`; null and an empty array are both none. */
export const readObjects = <A>(
  value: unknown,
  name: string,
  faults: Array<RowFault>,
  read: (entry: Json, path: string) => A
): ReadonlyArray<A> => {
  if (value === null) return []
  if (!Array.isArray(value) || value.length > mostLinks || !value.every(isObject)) {
    faults.push({ field: name, reason: `must be an array of at most ${mostLinks} objects` })
    return []
  }
  return value.map((entry, index) => read(entry, `${name}[${index}].`))
}

/** The row, unless something is wrong with it. */
export const ifFaultless = <R>(row: R, faults: ReadonlyArray<RowFault>): Parsed<R> =>
  faults.length === 0 ? Result.succeed(row) : Result.fail(faults)

/** The value of a field as a number: `stored` where the row does not set it. */
export const numberOf = <F extends string>(values: Values<F>, name: F, stored: number | null = null): number | null => {
  const value = values.get(name)
  return value === undefined ? stored : typeof value === "number" ? value : null
}

/** As `numberOf`, of a text. */
export const textOf = <F extends string>(values: Values<F>, name: F, stored: string | null = null): string | null => {
  const value = values.get(name)
  return value === undefined ? stored : typeof value === "string" ? value : null
}

/** As `numberOf`, of a truth value. */
export const booleanOf = <F extends string>(
  values: Values<F>,
  name: F,
  stored: boolean | null = null
): boolean | null => {
  const value = values.get(name)
  return value === undefined ? stored : typeof value === "boolean" ? value : null
}

/**
 * What the fields of a kind of row are: each with its meaning and the rule that its parser goes by. JSON Schemas, reference
 * pages, the checks of maps and the hints of messages are made of these, and so are the parsers' tables.
 */
import { hint } from "../operation/Nearest.ts"
import { type Bounds, Invalid, type JsonSchema, type Rule } from "./FieldCheck.ts"

/** One field of a row or of an object within. */
export interface Member {
  /** A sentence. */
  readonly meaning: string
  /** What a plain value must be. */
  readonly rule?: Rule
  /** The fields of an object, or of each object of an array. */
  readonly parts?: Shape
  /** It is an array of at most so many objects. */
  readonly most?: number
  /** Where it must not be missing: in every row, or in the first one of a record. */
  readonly need?: "always" | "new"
  /** What holds where the row, and what is stored, say nothing. */
  readonly standard?: string | boolean
}

export type Shape = Readonly<Record<string, Member>>

/** A kind of row: its fields, and what holds between them as JSON Schema says it. */
export interface RowShape {
  readonly fields: Shape
  readonly conditions?: ReadonlyArray<JsonSchema>
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The field at a path such as `doNotContact`, `email`; what a name misses is told with the nearest one. */
export const memberAt = (shape: Shape, path: ReadonlyArray<string>): Member | string => {
  const [name = "", ...rest] = path
  const member = Object.hasOwn(shape, name) ? shape[name] : undefined
  if (member === undefined) return `there is no field ${name}${hint(name, Object.keys(shape))}`
  if (rest.length === 0) return member
  return member.parts === undefined || member.most !== undefined
    ? `${name} has no parts`
    : memberAt(member.parts, rest)
}

/** What is wrong with a value that a field is to have, before there is a row; undefined: nothing. */
export const valueFault = (member: Member, value: unknown, bounds: Bounds): string | undefined => {
  if (value === null || value === undefined) return undefined
  const { most, parts, rule } = member
  if (most !== undefined && parts !== undefined) {
    if (!Array.isArray(value)) return "must be an array of objects"
    return value.map((item) => objectFault(parts, item, bounds)).find((fault) => fault !== undefined)
  }
  if (parts !== undefined && isObject(value)) return objectFault(parts, value, bounds)
  const read = rule?.check(value, bounds) ?? null
  if (rule === undefined) return "must be an object"
  return read instanceof Invalid ? read.reason : undefined
}

const objectFault = (shape: Shape, value: unknown, bounds: Bounds): string | undefined => {
  if (!isObject(value)) return "must be an object"
  for (const [name, part] of Object.entries(value)) {
    const member = memberAt(shape, [name])
    const fault = typeof member === "string" ? member : valueFault(member, part, bounds)
    if (fault !== undefined) return typeof member === "string" ? fault : `${name} ${fault}`
  }
  return undefined
}

/** The order of a search as SQL, and the condition for the rows after a position in it. Ties are ordered by id. */
import type { After, Sort, SortColumn } from "@freehold/core/property/PropertySearch"
import { type OrderKind, sortKinds } from "@freehold/core/property/SearchOrder"
import type { SqlClient, Statement } from "effect/sql"
import { storable } from "../database/StorableText.ts"
import { column } from "./PropertyConditions.ts"

/** The columns that every row has a value in. */
const neverNull: ReadonlySet<SortColumn> = new Set(["contactCount", "updatedAt"])

/** The orders in which an index lists each county. */
export const orderedByCounty: ReadonlySet<SortColumn> = new Set([
  "contactCount",
  "recordOwner",
  "ownerName",
  "rawAddress"
])

/** The numbers that an index of all properties has, from the greatest. */
const walkedDown: ReadonlySet<SortColumn> = new Set(["totalParval", "buildingSqft", "lotSqft", "lastSaleDate"])

/** Whether an index of all properties, which has nothing else, is walked in the order. */
export const isWalked = ({ column: field, direction }: Sort): boolean => direction === "desc" && walkedDown.has(field)

/** What a sort compares. */
export const sortExpression = ({ column: field }: Sort): string =>
  sortKinds[field] === "text" ? `lower(${column(field)} COLLATE "C")` : column(field)

const parameterTypes: Readonly<Record<OrderKind, string>> = {
  text: "text",
  number: "float8",
  date: "date",
  time: "timestamptz"
}

/** The type in which values of a position are compared. */
const typeOf = ({ column: field }: Sort): string => field === "contactCount" ? "int" : parameterTypes[sortKinds[field]]

/** The value of a position under this name, of a text that the database made of it, as it is compared. */
export const valueOfText = (sort: Sort, value: string): string =>
  `${value}::${typeOf(sort)}${sortKinds[sort.column] === "text" ? ` COLLATE "C"` : ""}`

/** The value of a position under this name, as text where a Date of JavaScript would lose the microseconds. */
export const positionOf = (sort: Sort, value: string): string =>
  sortKinds[sort.column] === "time" || sortKinds[sort.column] === "date" ? `${value}::text` : value

/** The order of the rows by a value and an id that stand under these names. */
export const orderBy = (sort: Sort, value: string, id: string): string => {
  const nulls = sortKinds[sort.column] === "text" || neverNull.has(sort.column) || sort.direction === "asc"
    ? ""
    : " NULLS LAST"
  return `${value} ${sort.direction}${nulls}, ${id}`
}

/**
 * The rows after a position, by a value and an id that stand under these names. Where no value is null, the bound on the
 * value alone lets an index start there.
 */
export const isAfter = (
  sql: SqlClient.SqlClient,
  sort: Sort,
  { id, value }: After,
  names: { readonly value: string; readonly id: string }
): Statement.Fragment => {
  const key = sql.literal(names.value)
  const later = sql`${sql.literal(names.id)} > ${id}::uuid`
  const text = sortKinds[sort.column] === "text"
  if (value === null) {
    const laterNull = sql`(${key} IS NULL AND ${later})`
    return text && sort.direction === "desc" ? sql`(${laterNull} OR ${key} IS NOT NULL)` : laterNull
  }
  const position = sql`${typeof value === "string" ? storable(value) : value}::${sql.literal(typeOf(sort))}`
  const [beyond, atOrBeyond] = sort.direction === "asc" ? [">", ">="] : ["<", "<="]
  const strictly = sql`(${key} ${sql.literal(beyond)} ${position} OR (${key} = ${position} AND ${later})`
  if (neverNull.has(sort.column)) {
    return sql`(${key} ${sql.literal(atOrBeyond)} ${position} AND ${strictly}))`
  }
  return text && sort.direction === "desc" ? sql`${strictly})` : sql`${strictly} OR ${key} IS NULL)`
}

/** The condition for rows of the table after a position. */
export const onward = (sql: SqlClient.SqlClient, sort: Sort, after: After | null): ReadonlyArray<Statement.Fragment> =>
  after === null ? [] : [isAfter(sql, sort, after, { value: sortExpression(sort), id: "p.id" })]

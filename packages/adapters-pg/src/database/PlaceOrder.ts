/**
 * The order of browsing as SQL, and the rows after a place in it: numbers from the greatest, texts from A to Z, without one
 * last; then by id.
 */
import type { Place } from "@freehold/core/operation/PageCursor"
import type { SqlClient, Statement } from "effect/sql"
import { storable } from "./StorableText.ts"

/** Under which names a statement has what is compared. */
export interface Names {
  readonly kind: "number" | "text"
  readonly value: string
  readonly id: string
}

export const orderBy = ({ id, kind, value }: Names): string => `${value}${kind === "number" ? " DESC" : ""}, ${id}`

/** Of the rows after a place, those with a text: a bound that an index in this order starts from. */
const withText = (sql: SqlClient.SqlClient, place: Place, { id, value }: Names): Statement.Fragment =>
  sql`(${sql.literal(value)}, ${sql.literal(id)}) > (${storable(String(place.value))}::text, ${place.id}::uuid)`

const withoutText = (sql: SqlClient.SqlClient, { value }: Names): Statement.Fragment =>
  sql`${sql.literal(value)} IS NULL`

/**
 * The rows after a place, in as many parts as an index must be walked in: behind those with a text are those without.
 */
export const walks = (
  sql: SqlClient.SqlClient,
  place: Place | null,
  names: Names
): ReadonlyArray<Statement.Fragment> => {
  if (place === null) return [sql.literal("true")]
  const [value, id] = [sql.literal(names.value), sql.literal(names.id)]
  if (names.kind === "number") {
    const bound = sql`${place.value}::int`
    return [sql`(${value} <= ${bound} AND (${value} < ${bound} OR ${id} > ${place.id}::uuid))`]
  }
  return place.value === null
    ? [sql`(${withoutText(sql, names)} AND ${id} > ${place.id}::uuid)`]
    : [withText(sql, place, names), withoutText(sql, names)]
}

/** The rows after a place. */
export const isAfter = (sql: SqlClient.SqlClient, place: Place, names: Names): Statement.Fragment =>
  sql.or(walks(sql, place, names))

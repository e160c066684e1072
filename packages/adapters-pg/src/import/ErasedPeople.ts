/** Who among the people of an import was erased for good, and is not to come back. */
import type { ContactRow, KnownBy } from "@freehold/core/import/ContactRow"
import { textOf } from "@freehold/core/import/RowReading"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../database/BulkWrite.ts"
import { storable } from "../database/StorableText.ts"
import type { Placed } from "./ImportBatches.ts"

/** Whoever erases somebody waits here for who is telling of rows, and they for it; to the end of the transaction. */
export const stopTelling = (sql: SqlClient.SqlClient) =>
  sql`SELECT pg_advisory_xact_lock(hashtext('freehold import told'))`

/** Whoever tells of rows is beside others who do, and waits for who erases somebody; to the end of the transaction. */
export const joinTelling = (sql: SqlClient.SqlClient) =>
  sql`SELECT pg_advisory_xact_lock_shared(hashtext('freehold import told'))`

/** The places of those who were, by their key, their email or their profile. */
export const erasedPlaces = Effect.fnUntraced(function*(people: ReadonlyArray<KnownBy>) {
  const sql = yield* SqlClient.SqlClient
  const texts = (field: keyof KnownBy) => textArray(people.map(({ [field]: text }) => text && storable(text)))
  const found = yield* sql<{ readonly index: number }>`
    SELECT (w.index - 1)::integer AS index
    FROM unnest(${texts("key")}, ${texts("email")}, ${
    texts("linkedinUrl")
  }) WITH ORDINALITY AS w (key, email, profile, index)
    WHERE EXISTS (SELECT FROM erased_person e WHERE e.mark = ANY(person_marks(w.key, w.email, w.profile)))`
  return new Set(found.map(({ index }) => index))
})

/** The rows that are of them. */
export const erasedAmong = Effect.fnUntraced(function*(rows: ReadonlyArray<Placed<ContactRow>>) {
  const places = yield* erasedPlaces(rows.map(({ row: { key, values } }) => ({
    key,
    email: textOf(values, "email"),
    linkedinUrl: textOf(values, "linkedinUrl")
  })))
  return new Set(rows.filter((_, place) => places.has(place)))
})

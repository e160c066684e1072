/** Who among the people of an import was erased for good, and is not to come back. */
import type { ContactRow } from "@freehold/core/import/ContactRow"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../database/BulkWrite.ts"
import type { Placed } from "./ImportBatches.ts"

/** The rows that are of them: by their key, their email or their profile. */
export const erasedAmong = Effect.fnUntraced(function*(rows: ReadonlyArray<Placed<ContactRow>>) {
  const sql = yield* SqlClient.SqlClient
  const textOf = (row: ContactRow, field: "email" | "linkedinUrl") => {
    const value = row.values.get(field) ?? null
    return typeof value === "string" ? value : null
  }
  const found = yield* sql<{ readonly index: number }>`
    SELECT w.index - 1 AS index FROM unnest(
      ${textArray(rows.map(({ row }) => row.key))}, ${textArray(rows.map(({ row }) => textOf(row, "email")))},
      ${textArray(rows.map(({ row }) => textOf(row, "linkedinUrl")))}
    ) WITH ORDINALITY AS w (key, email, profile, index)
    WHERE EXISTS (SELECT FROM erased_person e WHERE e.mark = ANY(person_marks(w.key, w.email, w.profile)))`
  return new Set(found.map(({ index }) => rows[Number(index)]))
})

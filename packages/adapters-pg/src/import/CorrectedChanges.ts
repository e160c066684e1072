/**
 * Changes that a later row tells of another subject, or as another kind of change.
 *
 * What organizations were told stays as it was, and is taken back: it keeps its id, by which they know it, and leaves its key
 * to a new record, of which they are told as of any other. One that was taken back already is nobody's news, and is changed
 * itself.
 */
import type { ChangeRow } from "@freehold/core/import/ChangeRow"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { isWithdrawn } from "../change/Withdrawn.ts"
import { textArray } from "../database/BulkWrite.ts"
import type { Placed, StoredKey } from "./ImportBatches.ts"

/** What a change is about, by ids; of a property that was merged, by that of its survivor. */
export interface Subject {
  readonly property: string | null
  readonly contact: string | null
}

interface Standing extends Subject {
  readonly id: string
  readonly kind: string
}

/** Those of the stored changes that stand. */
const standing = Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
  if (ids.length === 0) return []
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Standing>`
    SELECT c.id::text AS id, c.kind, coalesce(p.retired_into, p.id)::text AS property, c.contact_id::text AS contact
    FROM property_change c LEFT JOIN property p ON p.id = c.property_id
    WHERE c.id = ANY(${textArray(ids)}::uuid[]) AND c.kind <> 'withdrawn' AND NOT ${sql.literal(isWithdrawn("c.id"))}`
})

const prefix = "corrected:"

/**
 * The rows that correct a stored change become those of new records, with ids of their own unless they give one; `told` has the
 * ids of what they correct by their keys, and `stored` what is stored once that has left them. `subjectOf` answers none where
 * the row names a record that there is not.
 */
export const setApart = Effect.fnUntraced(function*(
  rows: ReadonlyArray<Placed<ChangeRow>>,
  stored: ReadonlyArray<StoredKey>,
  subjectOf: (row: ChangeRow) => Subject | undefined
) {
  const stands = new Map((yield* standing(stored.map(({ id }) => id))).map((change) => [change.id, change]))
  const ids = new Map(stored.map(({ id, key }) => [key, id]))
  const told = new Map(rows.flatMap(({ row }): ReadonlyArray<readonly [string, string]> => {
    const known = stands.get(ids.get(row.key) ?? "")
    const subject = subjectOf(row)
    if (known === undefined || subject === undefined || row.kind === "withdrawn") return []
    const isSame = known.kind === row.kind && known.property === subject.property && known.contact === subject.contact
    return isSame ? [] : [[row.key, known.id]]
  }))
  return {
    told,
    rows: rows.map(({ index, row }) => ({
      index,
      row: told.has(row.key) && !row.idGiven ? { ...row, id: randomUUID() } : row
    })),
    stored: stored.map(({ id, key }) => told.has(key) ? { id, key: prefix + id } : { id, key })
  }
})

/** Has these changes leave their keys, and takes them back. */
export const takeBack = Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
  if (ids.length === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    WITH told AS (
      UPDATE property_change SET key = ${prefix}::text || id WHERE id = ANY(${textArray(ids)}::uuid[]) RETURNING id
    )
    INSERT INTO property_change (id, key, kind, withdraws)
    SELECT gen_random_uuid(), ${`${prefix}withdrawn:`}::text || id, 'withdrawn', id FROM told`
})

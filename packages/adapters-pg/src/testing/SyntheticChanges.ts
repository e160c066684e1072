/**
 * Made-up changes of the properties and people that `SyntheticProperties` made, in any number, all outside one county.
 *
 * They count as announced long ago: nobody is told of them.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { vacuum } from "./Vacuum.ts"

export interface Options {
  readonly count: number
  /** Of the properties that never changed. */
  readonly outside: string
}

/** Fills the empty table: three quarters about properties, the rest about people. */
export const load = Effect.fn("SyntheticChanges.load")(function*({ count, outside }: Options) {
  const sql = yield* SqlClient.SqlClient
  const ofPeople = Math.trunc(count / 4)
  yield* sql`
    INSERT INTO property_change (id, key, kind, property_id, before, after, detected_at, source)
    SELECT gen_random_uuid(), 'made-up:p' || n, kind, id,
      CASE kind WHEN 'sale' THEN NULL ELSE jsonb_build_object('value', 'Sample Holdings ' || n) END,
      CASE kind WHEN 'sale' THEN jsonb_build_object('date', '2025-01-02', 'price', 40000 + n, 'document_type', 'deed')
        ELSE jsonb_build_object('value', 'Sample Partners ' || n) END,
      now() - n * interval '7 minutes', 'county_record'
    FROM (
      SELECT id, row_number() OVER (ORDER BY turn, id) AS n FROM property
      CROSS JOIN generate_series(1, 1 + ${count} / greatest(1, (SELECT count(*)::int FROM property))) AS turn
      WHERE county_fips <> ${outside}
      LIMIT ${count - ofPeople}
    ) AS made
    CROSS JOIN LATERAL (
      SELECT ('{ownership_transfer,sale,manager_change}'::text[])[1 + n % 3] AS kind
    ) AS drawn`
  yield* sql`
    INSERT INTO property_change (id, key, kind, contact_id, before, after, detected_at, source)
    SELECT gen_random_uuid(), 'made-up:c' || n, 'contact_employer_change', id,
      jsonb_build_object('value', 'Sample Managers ' || n), jsonb_build_object('value', 'Sample Management ' || n),
      now() - n * interval '11 minutes', 'web'
    FROM (
      SELECT contact_id AS id, row_number() OVER (ORDER BY contact_id) AS n
      FROM property_contact t JOIN property p ON p.id = t.property_id
      WHERE p.county_fips <> ${outside}
      LIMIT ${ofPeople}
    ) AS made`
  yield* sql`DELETE FROM change_outbox`
  yield* vacuum("property_change", "change_outbox")
})

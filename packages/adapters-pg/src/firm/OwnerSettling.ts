/** Ties of firms to properties, as the matches of their owners say: what a match tied is known (`owner_tie`), and taken back alone. */
import type { Settled } from "@freehold/core/firm/OwnerMatches"
import { Effect } from "effect"
import { SqlClient, type Statement } from "effect/sql"

const stands = `('tied', 'accepted')`

/**
 * Takes back what does not stand any more: the match, the owner, the place; then the ties of these owners are made. What the owner of
 * record is by another match stays, and is of that one from now on.
 */
export const settle = Effect.fnUntraced(function*(owners: Statement.Fragment) {
  const sql = yield* SqlClient.SqlClient
  const standing = sql.literal(stands)
  yield* sql`
    UPDATE owner_tie t SET owner_id = now.owner_id
    FROM owner o, property p, owner now, owner_match m
    WHERE t.owner_id = o.owner_id AND (${owners}) AND p.id = t.property_id AND p.retired_into IS NULL
      AND (p.county_fips <> o.county_fips OR lower(p.record_owner COLLATE "C") <> lower(o.name COLLATE "C"))
      AND now.county_fips = p.county_fips AND lower(now.name COLLATE "C") = lower(p.record_owner COLLATE "C")
      AND m.owner_id = now.owner_id AND m.firm_id = t.firm_id AND m.state IN ${standing}`
  const [gone] = yield* sql<{ readonly count: number }>`
    WITH stale AS (
      DELETE FROM owner_tie t USING owner o, property p
      WHERE t.owner_id = o.owner_id AND p.id = t.property_id AND (${owners}) AND (
        p.retired_into IS NOT NULL
        -- Not known any more is not another one.
        OR p.record_owner IS NOT NULL AND lower(p.record_owner COLLATE "C") <> lower(o.name COLLATE "C")
        OR p.county_fips <> o.county_fips
        OR NOT EXISTS (SELECT FROM owner_match m
          WHERE m.owner_id = t.owner_id AND m.firm_id = t.firm_id AND m.state IN ${standing})
      )
      RETURNING t.property_id, t.firm_id
    ), told AS (
      DELETE FROM property_firm f USING stale s
      WHERE f.property_id = s.property_id AND f.firm_id = s.firm_id AND f.role = 'owner' RETURNING 1
    ), withheld AS (
      DELETE FROM withheld_property_firm f USING stale s
      WHERE f.property_id = s.property_id AND f.firm_id = s.firm_id AND f.role = 'owner' RETURNING 1
    )
    SELECT (SELECT count(*) FROM told)::integer + (SELECT count(*) FROM withheld)::integer AS count`
  const [made] = yield* sql<{ readonly count: number }>`
    WITH wanted AS (
      SELECT p.id AS property_id, m.firm_id, o.owner_id,
        CASE WHEN 'same_mailing_address' = ANY(m.evidence) THEN 'mailing_address_match' ELSE 'county_record' END AS attribution
      FROM owner o JOIN owner_match m ON m.owner_id = o.owner_id AND m.state IN ${standing}
      JOIN property p ON p.county_fips = o.county_fips AND lower(p.record_owner COLLATE "C") = lower(o.name COLLATE "C")
        AND p.retired_into IS NULL
      WHERE (${owners})
        AND NOT EXISTS (SELECT FROM property_firm f WHERE f.property_id = p.id AND f.firm_id = m.firm_id AND f.role = 'owner')
    ), made AS (
      INSERT INTO property_firm (property_id, firm_id, role, attribution_type)
      SELECT property_id, firm_id, 'owner', attribution FROM wanted ORDER BY property_id
      ON CONFLICT DO NOTHING RETURNING property_id, firm_id
    ), noted AS (
      INSERT INTO owner_tie (property_id, firm_id, owner_id)
      SELECT property_id, firm_id, w.owner_id FROM made JOIN wanted w USING (property_id, firm_id)
      ON CONFLICT (property_id, firm_id) DO UPDATE SET owner_id = excluded.owner_id
    )
    SELECT count(*)::integer AS count FROM made`
  return { tied: made?.count ?? 0, untied: gone?.count ?? 0 } satisfies Settled
})

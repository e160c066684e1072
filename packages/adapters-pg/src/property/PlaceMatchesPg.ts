/** `PlaceMatches` over PostgreSQL. Each record is compared with what indexes find: by parcel, by house number in its zip, by place. */
import { type ListedPair, type PlaceCandidates, PlaceMatches } from "@freehold/core/property/PlaceMatches"
import type { Merged } from "@freehold/core/property/PropertyMerges"
import { Array, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as MatchedCounties from "../coverage/MatchedCounties.ts"
import { alone } from "../database/Alone.ts"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import { transaction } from "../database/Transaction.ts"
import { undone } from "../database/Undone.ts"

/** Records of one house number, of a county's parcel, or of a neighbourhood that are looked at. */
const looked = 1000

/** Those of other sources among them that a record is compared with. */
const most = 30

/** About 40 metres: lines that begin with other numbers, as ranges do. */
const neighbourhood = 0.0004

/** Which source a record is of; of those that were imported by hand, as far as their keys tell. */
const origin = (record: string) => `
  coalesce((SELECT min(k.source) FROM source_record k WHERE k.key = ${record}.key),
    'key ' || substring(${record}.key from '^[A-Za-z]*'))`

const place = (record: string) => `
  jsonb_build_object('id', ${record}.id, 'name', ${record}.common_name, 'address', ${record}.address, 'zip', ${record}.zip,
    'parcels', to_jsonb(array_remove(${record}.parcel_numbers || ${record}.apn, NULL)), 'countyFips', ${record}.county_fips,
    'lat', ${record}.lat, 'lon', ${record}.lon, 'buildingSqft', ${record}.building_sqft, 'yearBuilt', ${record}.year_built,
    'numFloors', ${record}.num_floors, 'totalUnits', ${record}.total_units)`

const indexed = (part: string) => `
  (SELECT q.id, q.key, q.apn FROM property q WHERE q.retired_into IS NULL AND ${part} LIMIT ${looked}) AS q`

/**
 * The parts of an index that may hold the other record of a pair, and who of these is compared with. Of two, the one with the lesser
 * id finds the other, but for a parcel number that this one has as its own and the other one among several.
 */
const parts = [
  [
    `unnest(page.parcels) AS parcel CROSS JOIN LATERAL ${
      indexed(`parcel_form(q.apn) = parcel AND q.county_fips = page.county_fips`)
    }`,
    `(q.id > page.id OR parcel_form(q.apn) IS DISTINCT FROM parcel_form(page.apn))`
  ],
  [
    indexed(`address_number(q.address) = address_number(page.address) AND address_number(page.address) <> ''
      AND left(q.zip, 5) = left(page.zip, 5)`),
    `q.id > page.id`
  ],
  [
    indexed(`point(q.lon, q.lat) <@ box(point(page.lon - ${neighbourhood}, page.lat - ${neighbourhood}),
      point(page.lon + ${neighbourhood}, page.lat + ${neighbourhood}))`),
    `q.id > page.id`
  ]
] as const

/** What would retire: of two, the one that knows less of who owns the place, then the younger one. */
const weight = (record: string) =>
  `(${record}.record_owner IS NOT NULL OR ${record}.owner_withheld, ${record}.total_parval IS NOT NULL, ${record}.apn IS NOT NULL)`

const shown = (record: string) => `
  jsonb_build_object('id', ${record}.id, 'key', ${record}.key,
    'source', (SELECT min(k.source) FROM source_record k WHERE k.key = ${record}.key),
    'address', ${record}.address, 'name', ${record}.common_name)`

export const layer: Layer.Layer<PlaceMatches, never, SqlClient.SqlClient> = Layer.effect(
  PlaceMatches,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const listed = (where: Statement.Fragment, limit: number) =>
      sql<ListedPair>`
        SELECT m.match_id::text AS id, m.state, m.confidence, m.evidence,
          ${sql.literal(shown("f"))} AS from, ${sql.literal(shown("i"))} AS into
        FROM place_match m JOIN property a ON a.id = m.one_id JOIN property b ON b.id = m.other_id
        CROSS JOIN LATERAL (
          SELECT (${sql.literal(weight("a"))}, b.created_at, b.id) < (${
        sql.literal(weight("b"))
      }, a.created_at, a.id) AS first
        ) AS lesser
        JOIN property f ON f.id = CASE WHEN lesser.first THEN a.id ELSE b.id END
        JOIN property i ON i.id = CASE WHEN lesser.first THEN b.id ELSE a.id END
        WHERE ${where} ORDER BY m.confidence DESC, m.match_id LIMIT ${limit}`

    const decide = (id: string, state: string) =>
      sql`UPDATE place_match SET state = ${state} WHERE match_id::text = ${id} AND state <> ${state}`

    return PlaceMatches.of({
      alone: alone(sql, "places"),
      undone: undone(sql),

      counties: Effect.fn("PlaceMatches.counties")(
        (request) => MatchedCounties.stale(sql, "places", request),
        Effect.catchTag("SqlError", unavailable)
      ),

      candidates: Effect.fn("PlaceMatches.candidates")(
        (countyFips, after, limit) => {
          const isOther = sql.literal(`${origin("q")} <> page.origin`)
          const found = parts.map(([part, compared]) =>
            sql`(
              SELECT q.id FROM ${sql.literal(part)}
              WHERE ${sql.literal(compared)} AND ${isOther} ORDER BY q.id LIMIT ${most}::int)`
          )
          // What is proposed is looked at again, however it was found.
          const proposed = sql`(
            SELECT q.id FROM place_match m JOIN property q ON q.id = m.other_id AND q.retired_into IS NULL
            WHERE m.one_id = page.id AND m.state = 'proposed' AND ${isOther} ORDER BY m.match_id LIMIT ${looked}::int)`
          return sql<PlaceCandidates>`
            WITH page AS MATERIALIZED (
              SELECT p.*, ${sql.literal(origin("p"))} AS origin,
                (SELECT array_agg(DISTINCT parcel_form(n)) FROM unnest(p.parcel_numbers || p.apn) AS n) AS parcels
              FROM property p WHERE p.county_fips = ${countyFips} AND p.retired_into IS NULL
                AND (${after === null} OR p.id > ${after ?? "00000000-0000-0000-0000-000000000000"}::uuid)
              ORDER BY p.id LIMIT ${limit}
            )
            SELECT ${sql.literal(place("page"))} AS place, coalesce(near.others, '[]') AS others
            FROM page CROSS JOIN LATERAL (
              SELECT jsonb_agg(${sql.literal(place("q"))}) AS others
              FROM (${sql.join(" UNION ", false)([...found, proposed])}) AS found JOIN property q USING (id)
            ) AS near
            ORDER BY page.id`
        },
        Effect.catchTag("SqlError", unavailable)
      ),

      keep: Effect.fn("PlaceMatches.keep")(
        function*(ids, pairs) {
          const given = JSON.stringify(pairs)
          yield* sql`
            DELETE FROM place_match m WHERE m.state = 'proposed' AND m.one_id = ANY(${textArray(ids)}::uuid[])
              AND NOT EXISTS (SELECT FROM jsonb_to_recordset(${given}::jsonb) AS g ("oneId" uuid, "otherId" uuid)
                WHERE g."oneId" = m.one_id AND g."otherId" = m.other_id)`
          const kept = yield* sql<{ readonly fresh: boolean }>`
            INSERT INTO place_match AS kept (one_id, other_id, confidence, evidence, state)
            SELECT g."oneId", g."otherId", g.confidence, g.evidence, 'proposed' FROM jsonb_to_recordset(${given}::jsonb)
              AS g ("oneId" uuid, "otherId" uuid, confidence float8, evidence text[])
            ON CONFLICT (one_id, other_id) DO UPDATE SET confidence = excluded.confidence, evidence = excluded.evidence
            WHERE kept.state = 'proposed'
            RETURNING kept.xmax = 0 AS fresh`
          return kept.filter(({ fresh }) => fresh).length
        },
        (keep) => transaction(sql, keep),
        Effect.catchTag("SqlError", unavailable)
      ),

      compared: Effect.fn("PlaceMatches.compared")(
        (county) => MatchedCounties.keep(sql, "places", county),
        Effect.catchTag("SqlError", unavailable)
      ),

      list: Effect.fn("PlaceMatches.list")(
        ({ after, countyFips, limit, state }) =>
          listed(
            sql`m.state = ${state} AND (${countyFips === null} OR a.county_fips = ANY(${textArray(countyFips ?? [])}))
              AND (m.state <> 'proposed' OR a.retired_into IS NULL AND b.retired_into IS NULL)
              AND (${after === null} OR EXISTS (SELECT FROM place_match l WHERE l.match_id = ${after ?? "0"}::bigint
                AND (m.confidence, -m.match_id) < (l.confidence, -l.match_id)))`,
            limit
          ),
        Effect.catchTag("SqlError", unavailable)
      ),

      find: Effect.fn("PlaceMatches.find")(
        (id) => Effect.map(listed(sql`m.match_id::text = ${id}`, 1), Array.head),
        Effect.catchTag("SqlError", unavailable)
      ),

      reject: Effect.fn("PlaceMatches.reject")(
        (id) => Effect.asVoid(decide(id, "rejected")),
        Effect.catchTag("SqlError", unavailable)
      ),

      accept: (id, merge) =>
        transaction(
          sql,
          Effect.mapError(
            Effect.tap(merge, (_: Merged) => decide(id, "accepted")),
            (failure) => failure._tag === "SqlError" ? failure : { _tag: "Failed" as const, failure }
          )
        ).pipe(
          Effect.catch((error) => error._tag === "Failed" ? Effect.fail(error.failure) : unavailable(error))
        )
    })
  })
)

/** `OwnerMatches` over PostgreSQL. What it reads is read in pages, by indexes; what it ties waits its turn with imports. */
import { type ListedMatch, type NamedOwner, OwnerMatches, type Undecided } from "@freehold/core/firm/OwnerMatches"
import { Effect, Layer, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import * as MatchedCounties from "../coverage/MatchedCounties.ts"
import { alone } from "../database/Alone.ts"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import { transaction } from "../database/Transaction.ts"
import { undone } from "../database/Undone.ts"
import { takeTurn } from "../import/ImportBatches.ts"
import { settle } from "./OwnerSettling.ts"

/** Of a firm with more, these many tell enough. */
const mostTold = 50
const mostFirms = 40
const ownersAtOnce = 500

const json = (value: unknown): string => JSON.stringify(value)

/** A source that cuts names off has a good share of names of its greatest length, which is not long. */
const cutShare = 0.03
const longestCut = 40

/** Where a name is one owner's: the federal government's anywhere, others' in their state. */
const scope = `CASE o.key WHEN 'STATES UNITED' THEN 'US' ELSE left(o.county_fips, 2) END`

/** Of a firm: the key by which an import finds it again, and the id that the key alone makes. */
const firmKey = `'owner:' || g.scope || ':' || CASE WHEN length(g.key) > 180 THEN md5(g.key) ELSE g.key END`

export const layer: Layer.Layer<OwnerMatches, never, SqlClient.SqlClient> = Layer.effect(
  OwnerMatches,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const settled = (owners: Statement.Fragment) => Effect.provideService(settle(owners), SqlClient.SqlClient, sql)

    const listed = (where: Statement.Fragment, limit: number) =>
      sql<ListedMatch>`
        SELECT m.match_id::text AS id, m.state, m.confidence, m.evidence,
          jsonb_build_object('name', o.name, 'countyFips', o.county_fips, 'properties', o.properties) AS owner,
          jsonb_build_object('id', f.id, 'key', f.key, 'name', f.name) AS firm
        FROM owner_match m JOIN owner o ON o.owner_id = m.owner_id JOIN firm f ON f.id = m.firm_id
        WHERE ${where} ORDER BY m.confidence DESC, m.match_id LIMIT ${limit}`

    /** What is known of a firm by the properties that it owns. */
    const known = sql.literal(`
      SELECT coalesce((SELECT jsonb_agg(DISTINCT t.county_fips) FROM ties t), '[]') AS counties,
        coalesce((SELECT jsonb_agg(DISTINCT p.owner_mailing_address) FROM ties t JOIN property p ON p.id = t.property_id
          WHERE p.owner_mailing_address IS NOT NULL), '[]') AS mailing,
        coalesce((SELECT jsonb_agg(DISTINCT c.full_name) FROM ties t
          JOIN property_contact pc ON pc.property_id = t.property_id AND pc.role = 'registered_agent'
          JOIN contact c ON c.id = pc.contact_id), '[]') AS agents`)

    return OwnerMatches.of({
      alone: alone(sql, "owners"),
      undone: undone(sql),

      renamedFirms: Effect.fn("OwnerMatches.renamedFirms")(
        (limit) =>
          sql<{ readonly firmId: string; readonly name: string }>`
            SELECT f.id::text AS "firmId", f.name FROM firm f LEFT JOIN firm_form k ON k.firm_id = f.id
            WHERE k.name IS DISTINCT FROM f.name ORDER BY f.id LIMIT ${limit}`,
        Effect.catchTag("SqlError", unavailable)
      ),

      keepFirms: Effect.fn("OwnerMatches.keepFirms")(
        function*(firms) {
          yield* sql`
            WITH given AS (SELECT * FROM jsonb_to_recordset(${json(firms)}::jsonb)
              AS g ("firmId" uuid, name text, key text, blocks text[])),
            stale AS (
              DELETE FROM matched_county m WHERE m.subject = 'owners' AND EXISTS (
                SELECT FROM given g JOIN owner o ON o.blocks && g.blocks
                WHERE o.county_fips = m.county_fips
                  AND NOT EXISTS (SELECT FROM owner_match t WHERE t.firm_id = g."firmId" AND t.owner_id = o.owner_id)
              )
            )
            INSERT INTO firm_form (firm_id, name, key, blocks) SELECT * FROM given
            ON CONFLICT (firm_id) DO UPDATE SET name = excluded.name, key = excluded.key, blocks = excluded.blocks`
        },
        Effect.catchTag("SqlError", unavailable)
      ),

      counties: Effect.fn("OwnerMatches.counties")(
        (request) => MatchedCounties.stale(sql, "owners", request),
        Effect.catchTag("SqlError", unavailable)
      ),

      cutAt: Effect.fn("OwnerMatches.cutAt")(
        function*(countyFips) {
          const [found] = yield* sql<{ readonly at: number | null }>`
            WITH lengths AS (
              SELECT length(p.record_owner) AS at, count(DISTINCT p.record_owner) AS names FROM property p
              WHERE p.county_fips = ${countyFips} AND p.retired_into IS NULL AND p.record_owner IS NOT NULL GROUP BY 1
            )
            SELECT (SELECT l.at FROM lengths l WHERE l.at = (SELECT max(at) FROM lengths) AND l.at <= ${longestCut}::integer
              AND l.names >= 3 AND l.names >= ${cutShare}::float8 * (SELECT sum(names) FROM lengths)) AS at`
          return Option.fromNullOr(found?.at ?? null)
        },
        Effect.catchTag("SqlError", unavailable)
      ),

      names: Effect.fn("OwnerMatches.names")(
        (countyFips, after, limit) =>
          sql<NamedOwner & { readonly folded: string }>`
            WITH page AS (
              SELECT lower(p.record_owner COLLATE "C") AS folded, min(p.record_owner) AS name, count(*)::integer AS properties
              FROM property p
              WHERE p.county_fips = ${countyFips} AND p.retired_into IS NULL
                AND lower(p.record_owner COLLATE "C") > ${after ?? ""}
              GROUP BY 1 ORDER BY 1 LIMIT ${limit}
            )
            SELECT page.*, told.mailing, told.agents FROM page CROSS JOIN LATERAL (
              WITH own AS (
                SELECT p.id, p.owner_mailing_address FROM property p WHERE p.county_fips = ${countyFips}
                  AND p.retired_into IS NULL AND lower(p.record_owner COLLATE "C") = page.folded LIMIT ${mostTold}
              )
              SELECT coalesce(jsonb_agg(DISTINCT own.owner_mailing_address)
                  FILTER (WHERE own.owner_mailing_address IS NOT NULL), '[]') AS mailing,
                coalesce((SELECT jsonb_agg(DISTINCT c.full_name) FROM own o
                  JOIN property_contact pc ON pc.property_id = o.id AND pc.role = 'registered_agent'
                  JOIN contact c ON c.id = pc.contact_id), '[]') AS agents
              FROM own
            ) AS told
            ORDER BY page.folded`,
        Effect.catchTag("SqlError", unavailable)
      ),

      keepOwners: Effect.fn("OwnerMatches.keepOwners")(
        function*(countyFips, owners) {
          yield* sql`
            INSERT INTO owner AS kept (county_fips, name, key, blocks, mailing, agents, is_founding, is_cut, properties)
            SELECT ${countyFips}::text, g.name, g.key, g.blocks, g.mailing, g.agents, g."isFounding", g."isCut", g.properties
            FROM jsonb_to_recordset(${json(owners)}::jsonb) AS g (name text, key text, blocks text[], mailing text[],
              agents text[], "isFounding" boolean, "isCut" boolean, properties integer)
            ON CONFLICT (county_fips, lower(name COLLATE "C")) DO UPDATE SET (name, key, blocks, mailing, agents, is_founding,
              is_cut, properties) = (excluded.name, excluded.key, excluded.blocks, excluded.mailing, excluded.agents,
              excluded.is_founding, excluded.is_cut, excluded.properties)
            WHERE (kept.key, kept.blocks, kept.mailing, kept.agents, kept.is_founding, kept.is_cut, kept.properties)
              IS DISTINCT FROM (excluded.key, excluded.blocks, excluded.mailing, excluded.agents, excluded.is_founding,
              excluded.is_cut, excluded.properties)`
        },
        Effect.catchTag("SqlError", unavailable)
      ),

      undecided: Effect.fn("OwnerMatches.undecided")(
        (countyFips, after, limit) =>
          sql<Undecided>`
            WITH page AS (
              SELECT o.* FROM owner o
              WHERE o.county_fips = ${countyFips} AND o.owner_id > ${after ?? "0"}::bigint AND o.properties > 0
                AND NOT EXISTS (SELECT FROM owner_match m
                  WHERE m.owner_id = o.owner_id AND m.state IN ('tied', 'accepted'))
              ORDER BY o.owner_id LIMIT ${limit}
            )
            SELECT page.owner_id::text AS "ownerId", page.county_fips AS "countyFips", page.name, page.mailing, page.agents,
              page.is_cut AS "isCut", coalesce(near.firms, '[]') AS firms
            FROM page CROSS JOIN LATERAL (
              SELECT jsonb_agg(jsonb_build_object('firmId', k.firm_id, 'name', k.name, 'counties', k.counties,
                'mailing', k.mailing, 'agents', k.agents)) AS firms
              FROM (
                SELECT f.firm_id, f.name, told.* FROM (
                  SELECT f.* FROM firm_form f WHERE f.blocks && page.blocks AND NOT EXISTS (
                    SELECT FROM owner_match m
                    WHERE m.owner_id = page.owner_id AND m.firm_id = f.firm_id AND m.state = 'rejected'
                  ) ORDER BY f.key <> page.key, f.firm_id LIMIT ${mostFirms}
                ) AS f CROSS JOIN LATERAL (
                  WITH ties AS (
                    SELECT pf.property_id, pf.county_fips FROM property_firm pf WHERE pf.firm_id = f.firm_id
                      AND pf.role = 'owner' AND pf.county_fips IS NOT NULL LIMIT ${mostTold}
                  ) ${known}
                ) AS told
              ) AS k
            ) AS near
            ORDER BY page.owner_id`,
        Effect.catchTag("SqlError", unavailable)
      ),

      keepMatches: Effect.fn("OwnerMatches.keepMatches")(
        function*(ownerIds, matches) {
          yield* sql`
            DELETE FROM owner_match m WHERE m.state = 'proposed' AND m.owner_id = ANY(${textArray(ownerIds)}::bigint[])
              AND NOT EXISTS (SELECT FROM jsonb_to_recordset(${
            json(matches)
          }::jsonb) AS g ("ownerId" bigint, "firmId" uuid)
                WHERE g."ownerId" = m.owner_id AND g."firmId" = m.firm_id)`
          const kept = yield* sql<{ readonly fresh: boolean }>`
            INSERT INTO owner_match AS kept (owner_id, firm_id, confidence, evidence, state)
            SELECT g."ownerId", g."firmId", g.confidence, g.evidence, g.state FROM jsonb_to_recordset(${
            json(matches)
          }::jsonb)
              AS g ("ownerId" bigint, "firmId" uuid, confidence float8, evidence text[], state text)
            ON CONFLICT (owner_id, firm_id) DO UPDATE
            SET confidence = excluded.confidence, evidence = excluded.evidence, state = excluded.state
            WHERE kept.state = 'proposed'
            RETURNING kept.xmax = 0 AND kept.state = 'proposed' AS fresh`
          return kept.filter(({ fresh }) => fresh).length
        },
        (keep) => transaction(sql, keep),
        Effect.catchTag("SqlError", unavailable)
      ),

      found: Effect.fn("OwnerMatches.found")(
        function*(countyFips) {
          yield* takeTurn(sql)
          const [found] = yield* sql<{ readonly count: number }>`
            WITH here AS (
              SELECT DISTINCT o.key, ${sql.literal(scope)} AS scope FROM owner o
              WHERE o.county_fips = ${countyFips} AND o.is_founding AND o.properties > 0
            ), unknown AS (
              SELECT o.*, here.scope FROM here JOIN owner o ON o.key = here.key AND ${sql.literal(scope)} = here.scope
              WHERE o.is_founding AND o.properties > 0
                AND NOT EXISTS (SELECT FROM owner_match m WHERE m.owner_id = o.owner_id AND m.state <> 'rejected')
            ), g AS (
              SELECT key, scope, (array_agg(name ORDER BY properties DESC, name))[1] AS name FROM unknown
              GROUP BY key, scope HAVING sum(properties) >= 2
            ), named AS (
              SELECT g.*, ${sql.literal(firmKey)} AS firm_key FROM g
            ), made AS (
              INSERT INTO firm (id, key, name)
              SELECT md5('freehold ' || n.firm_key)::uuid, n.firm_key, n.name FROM named n
              ON CONFLICT DO NOTHING RETURNING id, key
            ), matched AS (
              INSERT INTO owner_match (owner_id, firm_id, confidence, evidence, state)
              SELECT u.owner_id, made.id, 1, '{founds_firm}', 'tied'
              FROM made JOIN named n ON n.firm_key = made.key JOIN unknown u ON u.key = n.key AND u.scope = n.scope
              ON CONFLICT DO NOTHING RETURNING owner_id
            ), stale AS (
              DELETE FROM matched_county c USING matched m JOIN owner o USING (owner_id)
              WHERE c.county_fips = o.county_fips AND c.subject = 'owners' AND o.county_fips <> ${countyFips}
            )
            SELECT count(*)::integer AS count FROM made`
          return found?.count ?? 0
        },
        (found) => transaction(sql, found),
        Effect.catchTag("SqlError", unavailable)
      ),

      settle: Effect.fn("OwnerMatches.settle")(
        function*(countyFips) {
          let [tied, untied, after]: [number, number, string | null] = [0, 0, "0"]
          while (after !== null) {
            const page: { readonly from: string; readonly to: string | null } = yield* Effect.map(
              sql<{ readonly to: string | null }>`
                SELECT max(owner_id)::text AS to FROM (SELECT o.owner_id FROM owner o
                  WHERE o.county_fips = ${countyFips} AND o.owner_id > ${after}::bigint
                  ORDER BY o.owner_id LIMIT ${ownersAtOnce}) AS page`,
              ([row]) => ({ from: after ?? "0", to: row?.to ?? null })
            )
            if (page.to !== null) {
              const done = yield* transaction(
                sql,
                Effect.andThen(
                  takeTurn(sql),
                  settled(sql`o.county_fips = ${countyFips} AND o.owner_id > ${page.from}::bigint
                    AND o.owner_id <= ${page.to}::bigint`)
                )
              )
              tied += done.tied
              untied += done.untied
            }
            after = page.to
          }
          yield* sql`
            UPDATE owner o SET properties = 0 WHERE o.county_fips = ${countyFips} AND o.properties > 0 AND NOT EXISTS (
              SELECT FROM property p WHERE p.county_fips = o.county_fips AND p.retired_into IS NULL
                AND lower(p.record_owner COLLATE "C") = lower(o.name COLLATE "C"))`
          return { tied, untied }
        },
        Effect.catchTag("SqlError", unavailable)
      ),

      matched: Effect.fn("OwnerMatches.matched")(
        (county) => MatchedCounties.keep(sql, "owners", county),
        Effect.catchTag("SqlError", unavailable)
      ),

      list: Effect.fn("OwnerMatches.list")(
        ({ after, countyFips, limit, state }) =>
          listed(
            sql`m.state = ${state} AND (${countyFips === null} OR o.county_fips = ANY(${textArray(countyFips ?? [])}))
              AND (${after === null} OR EXISTS (SELECT FROM owner_match a WHERE a.match_id = ${after ?? "0"}::bigint
                AND (m.confidence, -m.match_id) < (a.confidence, -a.match_id)))`,
            limit
          ),
        Effect.catchTag("SqlError", unavailable)
      ),

      decide: Effect.fn("OwnerMatches.decide")(
        function*(id, state) {
          yield* takeTurn(sql)
          const [match] = yield* listed(sql`m.match_id::text = ${id}`, 1)
          if (match === undefined) return Option.none()
          const [owner] = yield* sql<{ readonly owner: string }>`
            SELECT owner_id::text AS owner FROM owner_match WHERE match_id = ${id}::bigint`
          const ownerId = owner?.owner ?? "0"
          if (state === "accepted") {
            // An owner is one firm: what stood, or is proposed beside it, is not what it is.
            yield* sql`UPDATE owner_match SET state = 'rejected'
              WHERE owner_id = ${ownerId}::bigint AND match_id <> ${id}::bigint AND state <> 'rejected'`
          }
          yield* sql`UPDATE owner_match SET state = ${state} WHERE match_id = ${id}::bigint`
          return Option.some({
            match: { ...match, state },
            settled: yield* settled(sql`o.owner_id = ${ownerId}::bigint`)
          })
        },
        (decide) => transaction(sql, decide),
        Effect.catchTag("SqlError", unavailable)
      )
    })
  })
)

/**
 * `Firms` over PostgreSQL: each method is one statement, planned anew each time.
 */
import { contains } from "@freehold/core/coverage/Territory"
import type { Viewer } from "@freehold/core/coverage/Viewer"
import { type Firm, FirmRole, researchedAttributions } from "@freehold/core/firm/Firm"
import {
  type FirmBrowse,
  type FirmDetail,
  Firms,
  type FirmSummary,
  type FirmTie,
  type TiePlace
} from "@freehold/core/firm/Firms"
import { Array, Effect, Layer, Option } from "effect"
import type { Statement } from "effect/sql"
import * as Reach from "../coverage/Reach.ts"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import * as PlaceOrder from "../database/PlaceOrder.ts"
import * as Trigrams from "../database/Trigrams.ts"

type Fragment = Statement.Fragment

/** A row of a page. An empty page is one row without an id, for the total. */
interface BrowseRow extends Omit<FirmSummary, "id"> {
  readonly id: string | null
  readonly total: number
}

const roleNames = FirmRole.literals.map((role) => `'${role}'`).join(", ")
const researchedKinds = researchedAttributions.map((kind) => `'${kind}'`).join(", ")

/** Every tie to a property that is not retired. */
const tiedProperties = `property_firm pf JOIN property p ON p.id = pf.property_id AND p.retired_into IS NULL`

const rolePlaceText = `array_position(ARRAY[${roleNames}], pf.role)`

const placeOfRole = (role: FirmRole): number => FirmRole.literals.indexOf(role) + 1

/** In the order of `FirmRole`. */
const inOrder = (roles: ReadonlyArray<string>): ReadonlyArray<FirmRole> =>
  FirmRole.literals.filter((role) => roles.includes(role))

/** What orders the matches, by the names under which they carry it. */
const orders: Readonly<Record<FirmBrowse["sort"], PlaceOrder.Names>> = {
  propertyCount: { kind: "number", value: "properties", id: "id" },
  name: { kind: "text", value: "folded_name", id: "id" }
}

const foldedName = `lower(f.name COLLATE "C")`

const make = Effect.gen(function*() {
  const sql = yield* Database.Reads
  const replica = yield* Database.Replica
  const { held, inArea, researched } = Visibility.make(sql)
  const rolePlace = sql.literal(rolePlaceText)
  const reach = Reach.make(sql)

  /**
   * The firms whose reach is seen are counted, and walked in their order, beside those whose ties must be looked at
   * (`examined`): because they reach across a border, or have ties that not everyone is told of.
   */
  const browse = (asked: FirmBrowse) => {
    const { inArea, researched, yes } = Visibility.make(sql, Visibility.firmTie)
    const { after, countyFips, limit, minProperties, offset, role, sort, text, viewer } = asked
    const order = sql.literal(PlaceOrder.orderBy(orders[sort]))
    const there = countyFips === null ? yes : sql`pf.county_fips = ANY(${countyFips}::text[])`
    const named = text === null ? [] : [Trigrams.holds(sql, "lower(f.name)", text)]
    const firm = sql.literal("JOIN firm f ON f.id = r.firm_id")
    const ifNamed = text === null ? sql.literal("") : firm
    const sortText = sql.literal(sort === "name" ? foldedName : "NULL::text")
    const [walked = yes] = PlaceOrder.walks(sql, after, {
      ...orders[sort],
      ...sort === "name" ? { value: foldedName, id: "f.id" } : { value: "r.properties", id: "r.firm_id" }
    })
    const isWithin = reach.within(viewer.visible, countyFips)
    const ofRole = role === null ? [] : [sql`${role} = ANY(r.roles)`]
    const isOfRole = role === null ? yes : sql`pf.role = ${role}`
    const atLeast = minProperties > 1 ? [sql`r.properties >= ${minProperties}::int`] : []
    const notDisclosed = sql`NOT EXISTS (SELECT FROM disclosed WHERE disclosed.firm_id = r.firm_id)`
    const decided = [...named, ...ofRole, ...atLeast, notDisclosed]
    /** How many `examined` has not. */
    const others = text === null && minProperties <= 1
      ? sql`(${reach.countWithin("firm", viewer.visible, countyFips, role)} - (SELECT count(*)
          FROM (SELECT DISTINCT firm_id FROM disclosed) AS told JOIN firm_reach r USING (firm_id)
          WHERE ${sql.and([isWithin, ...ofRole])}))`
      : sql`(SELECT count(*) FROM firm_reach r ${ifNamed} WHERE ${sql.and([isWithin, ...decided])})`
    const seen = sql.and([sql`pf.county_fips IS NOT NULL`, inArea(viewer.visible)])
    const isResearched = sql`pf.attribution_type IN (${sql.literal(researchedKinds)})`
    const told = sql.and([
      seen,
      sql`(NOT ${isResearched} OR EXISTS (
        SELECT FROM disclosed WHERE disclosed.firm_id = pf.firm_id AND disclosed.property_id = pf.property_id))`
    ])
    return sql`
      WITH disclosed AS MATERIALIZED (
        SELECT pf.firm_id, pf.property_id FROM property_firm pf
        WHERE ${sql.and([seen, isResearched, inArea(viewer.covered), researched])}
        UNION
        SELECT pf.firm_id, pf.property_id FROM property_access a JOIN property_firm pf USING (property_id)
        WHERE ${sql.and([sql`a.org_id = ${viewer.orgId} AND a.source = 'paid'`, seen, isResearched, researched])}
      ),
      crossing AS MATERIALIZED (${reach.crossing("firm", viewer.visible, countyFips)}),
      examined AS MATERIALIZED (
        SELECT pf.firm_id AS id, count(DISTINCT pf.property_id)::int AS properties
        FROM (SELECT firm_id FROM disclosed UNION SELECT id FROM crossing WHERE NOT whole) AS r ${ifNamed}
        JOIN property_firm pf ON pf.firm_id = r.firm_id
        WHERE ${sql.and([told, ...named])}
        GROUP BY pf.firm_id
        HAVING bool_or(${sql.and([isOfRole, there])}) AND count(DISTINCT pf.property_id) >= ${minProperties}::int
        UNION ALL
        SELECT r.firm_id, r.properties
        FROM (SELECT id AS firm_id, properties FROM crossing WHERE whole) AS r ${ifNamed}
        WHERE ${
      sql.and([
        // Where such a firm has ties, and which roles, its reach says; but not which role where.
        ...role === null ?
          [] :
          [sql`EXISTS (SELECT FROM property_firm pf WHERE pf.firm_id = r.firm_id AND ${
            sql.and([seen, sql`NOT ${isResearched}`, isOfRole, there])
          })`],
        ...named,
        ...atLeast,
        notDisclosed
      ])
    }
      ),
      found AS (
        (SELECT * FROM (
          SELECT r.firm_id AS id, r.properties, ${sortText} AS folded_name FROM firm_reach r ${
      sort === "name" ? firm : ifNamed
    }
          WHERE ${sql.and([isWithin, walked, ...decided])} ${reach.fence(offset + limit)}
        ) AS seen ORDER BY ${order} LIMIT ${offset + limit}::int)
        UNION ALL
        SELECT * FROM (
          SELECT r.id, r.properties, ${sortText} AS folded_name FROM examined AS r ${
      sort === "name" ? sql.literal("JOIN firm f USING (id)") : sql.literal("")
    }
        ) AS candidate WHERE ${after === null ? yes : PlaceOrder.isAfter(sql, after, orders[sort])}
      ),
      page AS (SELECT * FROM found ORDER BY ${order} LIMIT ${limit}::int OFFSET ${offset}::int),
      placed AS (SELECT page.*, row_number() OVER (ORDER BY ${order}) AS place FROM page)
      SELECT placed.id, f.name, f.domain, placed.properties,
        ((SELECT count(*) FROM examined) + ${others})::int AS total,
        ARRAY(SELECT DISTINCT pf.role FROM property_firm pf WHERE pf.firm_id = placed.id AND ${told}) AS roles,
        EXISTS (SELECT FROM property_firm pf WHERE pf.firm_id = placed.id AND ${told} AND ${researched}) AS researched
      FROM (SELECT) AS always
      LEFT JOIN (placed JOIN firm f USING (id)) ON true
      ORDER BY placed.place`
  }

  const tie = Visibility.make(sql, Visibility.firmTie)

  /** A tie of the firm `f` that may be told. */
  const tellable = (viewer: Viewer): Fragment =>
    sql`pf.firm_id = f.id AND pf.county_fips IS NOT NULL
      AND (pf.attribution_type NOT IN (${sql.literal(researchedKinds)}) OR (${tie.researched} AND ${tie.held(viewer)}))`

  /** The ties in the area after a place: an index lists those of a firm by property. */
  const tiesInside = (viewer: Viewer, after: TiePlace | null, limit: number): Fragment => {
    const onward = after === null
      ? tie.yes
      : contains(viewer.visible, after.countyFips)
      ? sql`pf.property_id >= ${after.propertyId}::uuid
        AND (pf.property_id > ${after.propertyId}::uuid OR ${rolePlace} > ${placeOfRole(after.role)}::int)`
      : tie.no
    return sql`(
      SELECT 1 AS part, row_number() OVER (ORDER BY pf.property_id, ${rolePlace}) AS place,
        pf.property_id, pf.role, pf.attribution_type
      FROM property_firm pf WHERE ${tellable(viewer)} AND ${tie.inArea(viewer.visible)} AND ${onward}
      ORDER BY pf.property_id, ${rolePlace} LIMIT ${limit}::int
    )`
  }

  /** The ties elsewhere after a place, in an order of what is told of them: the firm's are read from the index and compared. */
  const tiesOutside = (viewer: Viewer, after: TiePlace | null, limit: number): Fragment => {
    const told = sql`(pf.county_fips, ${rolePlace}, pf.attribution_type COLLATE "C", pf.property_id)`
    const order = sql`pf.county_fips, ${rolePlace}, pf.attribution_type COLLATE "C", pf.property_id`
    const onward = after === null || contains(viewer.visible, after.countyFips) ? tie.yes : sql`${told} >
      (${after.countyFips}::text, ${
      placeOfRole(after.role)
    }::int, ${after.attributionType}::text, ${after.propertyId}::uuid)`
    return sql`(
      SELECT 2 AS part, row_number() OVER (ORDER BY ${order}) AS place, pf.property_id, pf.role, pf.attribution_type
      FROM property_firm pf WHERE ${tellable(viewer)} AND NOT (${tie.inArea(viewer.visible)}) AND ${onward}
      ORDER BY ${order} LIMIT ${limit}::int
    )`
  }

  return Firms.of({
    browse: Effect.fn("Firms.browse")(function*(asked) {
      const rows = yield* replica.rows<BrowseRow>(browse(asked))
      return {
        rows: rows.flatMap(({ id, roles, total: _, ...row }) =>
          id === null ? [] : [{ ...row, id, roles: inOrder(roles) }]
        ),
        total: rows[0]?.total ?? 0
      }
    }, Effect.catchTag("SqlError", unavailable)),

    read: Effect.fn("Firms.read")(function*(firmId, viewer) {
      const rows = yield* sql<FirmDetail>`
        WITH tie AS MATERIALIZED (
          SELECT p.id, p.address, p.city, p.state, pf.role, ${rolePlace} AS place, pf.attribution_type,
            ${researched} AS researched, ${held(viewer)} AS held
          FROM ${sql.literal(tiedProperties)}
          WHERE pf.firm_id = ${firmId}::uuid AND ${inArea(viewer.visible)}
        ),
        told AS MATERIALIZED (
          SELECT * FROM tie
          WHERE attribution_type NOT IN (${sql.literal(researchedKinds)}) OR (researched AND held)
        ),
        people AS (
          SELECT c.role_type, count(DISTINCT c.id)::int AS people
          FROM ${sql.literal(Visibility.peopleAtProperties)}
          WHERE c.firm_id = ${firmId}::uuid AND ${Visibility.make(sql, Visibility.personTie).inArea(viewer.visible)}
          GROUP BY c.role_type
        )
        SELECT
          json_build_object('id', f.id, 'name', f.name, 'domain', f.domain, 'linkedinUrl', f.linkedin_url,
            'twitterUrl', f.twitter_url, 'facebookUrl', f.facebook_url, 'crunchbaseUrl', f.crunchbase_url) AS firm,
          (SELECT json_agg(DISTINCT role) FROM told) AS roles,
          (SELECT count(DISTINCT id)::int FROM told) AS properties,
          (SELECT count(DISTINCT id)::int FROM told WHERE researched) AS "researchedProperties",
          (SELECT count(DISTINCT id)::int FROM told WHERE researched AND held) AS "revealedProperties",
          (SELECT json_agg(json_build_object('propertyId', id, 'address', address, 'city', city, 'state', state,
              'role', role) ORDER BY id)
            FROM (SELECT DISTINCT ON (id) * FROM told ORDER BY id, place LIMIT 10) AS first) AS first,
          coalesce((SELECT json_agg(json_build_object('roleType', role_type, 'count', people)
            ORDER BY people DESC, role_type COLLATE "C") FROM people), '[]') AS people
        FROM firm f
        WHERE f.id = ${firmId}::uuid AND EXISTS (SELECT FROM told)`.unprepared
      return Option.map(Array.head(rows), (detail) => ({ ...detail, roles: inOrder(detail.roles) }))
    }, Effect.catchTag("SqlError", unavailable)),

    ties: Effect.fn("Firms.ties")(function*(firmId, viewer, { after, limit }) {
      const rows = yield* sql<Pick<Firm, "id" | "name"> & { readonly ties: ReadonlyArray<FirmTie> }>`
        SELECT f.id, f.name, (
          SELECT coalesce(json_agg(json_build_object('propertyId', p.id, 'countyFips', p.county_fips,
              'address', p.address, 'city', p.city, 'state', p.state, 'role', page.role,
              'attributionType', page.attribution_type) ORDER BY page.part, page.place), '[]')
          FROM (
            SELECT * FROM (${tiesInside(viewer, after, limit)} UNION ALL ${tiesOutside(viewer, after, limit)}) AS tied
            ORDER BY part, place LIMIT ${limit}::int
          ) AS page
          JOIN property p ON p.id = page.property_id
        ) AS ties
        FROM firm f
        WHERE f.id = ${firmId}::uuid AND EXISTS (
          SELECT FROM property_firm pf WHERE ${tellable(viewer)} AND ${tie.inArea(viewer.visible)}
        )`.unprepared
      return Array.head(rows)
    }, Effect.catchTag("SqlError", unavailable))
  })
})

export const layer: Layer.Layer<Firms, never, Database.Reads | Database.Replica> = Layer.effect(Firms, make)

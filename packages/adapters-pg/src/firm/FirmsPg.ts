/**
 * `Firms` over PostgreSQL: each method is one statement, planned anew each time; but where a processor is to spare, firms are browsed in halves at
 * once, where a subscription discloses many ties (docs/decisions/0069).
 */
import { contains, intersection } from "@freehold/core/coverage/Territory"
import type { Viewer } from "@freehold/core/coverage/Viewer"
import { type Firm, FirmRole } from "@freehold/core/firm/Firm"
import { type FirmDetail, Firms, type FirmSummary, type FirmTie, type TiePlace } from "@freehold/core/firm/Firms"
import { Array, Effect, Layer, Option } from "effect"
import type { Statement } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import * as Database from "../database/Database.ts"
import { inHalves } from "../database/InTwo.ts"
import * as BrowsedFirms from "./BrowsedFirms.ts"

type Fragment = Statement.Fragment

/** A row of a page. An empty page is one row without an id, for the total. */
interface BrowseRow extends Omit<FirmSummary, "id"> {
  readonly id: string | null
  readonly total: number
}

/** More counties, as a whole state, have many ties that are disclosed, each of which is looked at. */
const fewCounties = 50

const disclosesMany = ({ covered, visible }: Viewer): boolean => {
  const { countyFips, nationwide, stateFips } = intersection(visible, covered)
  return nationwide || stateFips.length > 0 || countyFips.length > fewCounties
}

const roleNames = FirmRole.literals.map((role) => `'${role}'`).join(", ")

/** Every tie to a property that is not retired. */
const tiedProperties = `property_firm pf JOIN property p ON p.id = pf.property_id AND p.retired_into IS NULL`

const rolePlaceText = `array_position(ARRAY[${roleNames}], pf.role)`

const placeOfRole = (role: FirmRole): number => FirmRole.literals.indexOf(role) + 1

/** In the order of `FirmRole`. */
const inOrder = (roles: ReadonlyArray<string>): ReadonlyArray<FirmRole> =>
  FirmRole.literals.filter((role) => roles.includes(role))

const make = Effect.gen(function*() {
  const sql = yield* Database.Reads
  const replica = yield* Database.Replica
  const { held, inArea, researched } = Visibility.make(sql)
  const rolePlace = sql.literal(rolePlaceText)
  const researchedKinds = sql.literal(BrowsedFirms.researchedKinds)
  const { browse, browseHalves, firstOf } = BrowsedFirms.make(sql)

  const tie = Visibility.make(sql, Visibility.firmTie)

  /** A tie of the firm `f` that may be told. */
  const tellable = (viewer: Viewer): Fragment =>
    sql`pf.firm_id = f.id AND pf.county_fips IS NOT NULL
      AND (pf.attribution_type NOT IN (${researchedKinds}) OR (${tie.researched} AND ${tie.held(viewer)}))`

  /** Those of the firm `f` in the area. */
  const tieInside = (viewer: Viewer): Fragment =>
    sql`SELECT FROM property_firm pf WHERE ${tellable(viewer)} AND ${tie.inArea(viewer.visible)}`

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
      const halves = disclosesMany(asked.viewer) ? BrowsedFirms.halves : null
      const rows = yield* inHalves<BrowsedFirms.Half, BrowsedFirms.FirstOfHalf, ReadonlyArray<BrowseRow>>(
        replica,
        halves,
        {
          asWhole: () => replica.rows<BrowseRow>(browse(asked)),
          statementOf: (half) => firstOf(asked, half),
          whole: (found, client) => client<BrowseRow>`${browseHalves(asked, found)}`.unprepared
        }
      )
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
          WHERE attribution_type NOT IN (${researchedKinds}) OR (researched AND held)
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

    seen: Effect.fn("Firms.seen")(function*(firmIds, viewer) {
      const rows = yield* sql<Pick<Firm, "id">>`
        SELECT f.id FROM firm f CROSS JOIN LATERAL (${tieInside(viewer)} LIMIT 1) AS seen
        WHERE f.id = ANY(${textArray(firmIds)}::uuid[])`.unprepared
      return rows.map(({ id }) => id)
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
        WHERE f.id = ${firmId}::uuid AND EXISTS (${tieInside(viewer)})`.unprepared
      return Array.head(rows)
    }, Effect.catchTag("SqlError", unavailable))
  })
})

export const layer: Layer.Layer<Firms, never, Database.Reads | Database.Replica> = Layer.effect(Firms, make)

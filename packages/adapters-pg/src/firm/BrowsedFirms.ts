/**
 * The statement of a browse of firms.
 *
 * Those whose ties are all told to everyone, and whose reach lies in what is seen, are counted, and walked in their order, by their reach alone:
 * where counties are asked for, those in one of them by `firm_reach.area`, the others by the counties beside it (`listed`). Of the others the
 * ties are looked at (`examined`): because they reach across the border of what is seen, or have ties that not everyone is told of
 * (`disclosed`). Of these only the properties are counted that they have no other tie to (`besides`).
 */
import type { Viewer } from "@freehold/core/coverage/Viewer"
import { researchedAttributions } from "@freehold/core/firm/Firm"
import type { FirmBrowse } from "@freehold/core/firm/Firms"
import type { SqlClient, Statement } from "effect/sql"
import * as Reach from "../coverage/Reach.ts"
import * as Visibility from "../coverage/Visibility.ts"
import * as PlaceOrder from "../database/PlaceOrder.ts"
import * as Trigrams from "../database/Trigrams.ts"

type Fragment = Statement.Fragment

/** What orders the matches, by the names under which they carry it. */
const orders: Readonly<Record<FirmBrowse["sort"], PlaceOrder.Names>> = {
  propertyCount: { kind: "number", value: "properties", id: "id" },
  name: { kind: "text", value: "folded_name", id: "id" }
}

const foldedName = `lower(f.name COLLATE "C")`

/** The kinds of attribution that research alone knows of, as a list of literals. */
export const researchedKinds = researchedAttributions.map((kind) => `'${kind}'`).join(", ")

/** Of all firms, one in so many at least is listed, so that a page of them is full before many more were walked past. */
const mostPassed = 50

export const make = (sql: SqlClient.SqlClient) => {
  const { held, inArea, researched, yes } = Visibility.make(sql, Visibility.firmTie)
  const reach = Reach.make(sql)
  const none = sql.literal("")
  const firm = sql.literal("JOIN firm f ON f.id = r.firm_id")
  const isResearched = sql`pf.attribution_type IN (${sql.literal(researchedKinds)})`

  const seenBy = ({ visible }: Viewer): Fragment => sql`(pf.county_fips IS NOT NULL AND ${inArea(visible)})`

  /** The ties that not everyone is told of, but the viewer: where the subscription covers the property, or it was unlocked. */
  const disclosed = (viewer: Viewer): Fragment => {
    const { covered, orgId } = viewer
    const told = sql`SELECT pf.firm_id, pf.property_id, pf.role, pf.county_fips FROM property_firm pf
      WHERE ${sql.and([seenBy(viewer), isResearched, researched])}`
    return sql`${told} AND ${inArea(covered)}
      UNION ALL ${told} AND NOT (${inArea(covered)})
        AND pf.property_id IN (
          SELECT a.property_id FROM property_access a WHERE a.org_id = ${orgId} AND a.source = 'paid'
        )`
  }

  const browse = (asked: FirmBrowse) => {
    const { after, countyFips, limit, minProperties, offset, role, sort, text, viewer } = asked
    const area = viewer.visible
    const byName = sort === "name"
    const rows = offset + limit
    const order = sql.literal(PlaceOrder.orderBy(orders[sort]))
    const sortText = sql.literal(byName ? foldedName : "NULL::text")
    const [walked = yes] = PlaceOrder.walks(sql, after, {
      ...orders[sort],
      ...byName ? { value: foldedName, id: "f.id" } : { value: "r.properties", id: "r.firm_id" }
    })
    const afterPlace = after === null ? yes : PlaceOrder.isAfter(sql, after, orders[sort])

    const named = text === null ? [] : [Trigrams.holds(sql, "lower(f.name)", text)]
    const ifNamed = text === null ? none : firm
    const ofRole = role === null ? [] : [sql`${role} = ANY(r.roles)`]
    const atLeast = minProperties > 1 ? [sql`r.properties >= ${minProperties}::int`] : []
    /**
     * Not as an EXISTS: how many these are is not known when the statement is planned, and they would be looked through for each firm. Asked of the
     * firm where it is joined, from which a walk by name begins.
     */
    const isUndisclosed = (id: string) => sql`${sql.literal(id)} NOT IN (SELECT firm_id FROM besides)`
    const decided = (id: string) => [...named, ...ofRole, ...atLeast, isUndisclosed(id)]
    const idIfNamed = text === null ? "r.firm_id" : "f.id"
    const idInWalk = byName ? "f.id" : idIfNamed

    /** Of a tie `pf`: the role in the counties. */
    const isAsked = sql.and([
      role === null ? yes : sql`pf.role = ${role}`,
      countyFips === null ? yes : sql`pf.county_fips = ANY(${countyFips}::text[])`
    ])
    const seen = sql.and([seenBy(viewer), sql`NOT ${isResearched}`])
    const hasAsked = sql`EXISTS (SELECT FROM property_firm pf WHERE pf.firm_id = r.firm_id AND ${seen} AND ${isAsked})`
    const there = countyFips === null
      ? null
      : reach.touching("firm", { nationwide: false, stateFips: [], countyFips })
    // In this order: whether it is held is told by the tie, and the ties of a page's firms are many.
    const told = sql.and([seenBy(viewer), sql`(NOT ${isResearched} OR (${held(viewer)} AND ${researched}))`])
    /** By its reach a firm has a tie that is asked for. Where it has ties, and which roles, that says; but not which role where. */
    const reachesAsked = sql.and([
      yes,
      ...there === null ? [] : [there.whether],
      ...role === null ? [] : [there === null ? ofRole[0] ?? yes : hasAsked]
    ])

    const isWithin = reach.within(area, countyFips)
    const isCounted = text === null && minProperties <= 1
    /**
     * Where counties are asked for, the firms that are told by their reach and must be looked at one by one: those at work in several
     * counties; and the others, where more is asked than is counted by the reach. null: none.
     */
    const isListed = there === null ? null : (id: string) =>
      sql.and([
        sql.or([
          ...isCounted ? [] : [isWithin],
          sql.and([there.found, reach.within(area, null), ...role === null ? [] : [hasAsked]])
        ]),
        ...decided(id)
      ])

    /** How many are told by their reach, but for the listed. */
    const others = isCounted
      ? sql`(${reach.countWithin("firm", area, countyFips, role)} - (SELECT count(*)
          FROM besides JOIN firm_reach r USING (firm_id) WHERE ${sql.and([isWithin, ...ofRole])}))`
      : isListed === null
      ? sql`(SELECT count(*) FROM firm_reach r ${ifNamed} WHERE ${sql.and([isWithin, ...decided(idIfNamed)])})`
      : sql.literal("0")

    const walk = (where: Fragment) =>
      sql`(SELECT * FROM (
          SELECT r.firm_id AS id, r.properties, ${sortText} AS folded_name FROM firm_reach r ${byName ? firm : ifNamed}
          WHERE ${where} ${reach.fence(rows)}
        ) AS seen ORDER BY ${order} LIMIT ${rows}::int)`
    const candidates = (from: string, where: Fragment) =>
      sql`SELECT * FROM (
          SELECT r.id, r.properties, ${sortText} AS folded_name FROM ${sql.literal(from)} AS r
          ${byName ? sql.literal("JOIN firm f USING (id)") : none}
        ) AS candidate WHERE ${sql.and([where, afterPlace])}`
    /** Whether a page of the listed is walked to: where they are many. All reaches are added up for it, so it is told once. */
    const listing = rows > Reach.mostWalked
      ? sql`SELECT false AS is_walked`
      : sql`SELECT (SELECT count(*) FROM listed) * ${mostPassed}::int >= coalesce(sum(count), 0) AS is_walked
          FROM reach_tally_now WHERE kind = 'firm'`
    const isWalked = sql.literal("(SELECT is_walked FROM listing)")

    // All of `found` is made: if a page of it were asked for, a walk that finds too little would be taken for a short one.
    return sql`
      WITH disclosed AS MATERIALIZED (${disclosed(viewer)}),
      besides AS MATERIALIZED (
        SELECT pf.firm_id, bool_or(${isAsked}) AS is_asked,
          (count(DISTINCT pf.property_id) FILTER (WHERE known.property_id IS NULL))::int AS properties
        FROM disclosed AS pf ${text === null ? none : sql.literal("JOIN firm f ON f.id = pf.firm_id")}
        LEFT JOIN (SELECT * FROM property_firm pf WHERE pf.county_fips IS NOT NULL AND NOT ${isResearched}) AS known
          ON known.property_id = pf.property_id AND known.firm_id = pf.firm_id
        WHERE ${sql.and([yes, ...named])} GROUP BY pf.firm_id
      ),
      examined AS MATERIALIZED (
        SELECT r.firm_id AS id, sum_of.properties
        FROM (
          SELECT b.firm_id, b.properties AS more, coalesce(r.properties, 0) AS properties, of.whole,
            b.is_asked OR of.whole AND coalesce(${reachesAsked}, false) AS is_asked
          FROM besides b LEFT JOIN firm_reach r USING (firm_id)
          CROSS JOIN LATERAL (SELECT coalesce(${reach.within(area, null)}, true) AS whole) AS of
          UNION ALL
          SELECT r.firm_id, 0, 0, false, false FROM (${reach.crossing("firm", area, countyFips)}) AS r
          WHERE NOT r.whole AND ${isUndisclosed("r.firm_id")}
        ) AS r ${ifNamed}
        CROSS JOIN LATERAL (
          SELECT count(DISTINCT pf.property_id)::int AS properties, coalesce(bool_or(${isAsked}), false) AS is_asked
          FROM property_firm pf WHERE NOT r.whole AND pf.firm_id = r.firm_id AND ${seen}
        ) AS counted
        CROSS JOIN LATERAL (
          SELECT r.more + CASE WHEN r.whole THEN r.properties ELSE counted.properties END AS properties
        ) AS sum_of
        WHERE ${
      sql.and([sql`(r.is_asked OR counted.is_asked)`, sql`sum_of.properties >= ${minProperties}::int`, ...named])
    }
      ),
      ${
      isListed === null ? none : sql`listed AS MATERIALIZED (
        SELECT r.firm_id AS id, r.properties FROM firm_reach r ${ifNamed} WHERE ${isListed(idIfNamed)}
      ),
      listing AS MATERIALIZED (${listing}),`
    }
      found AS MATERIALIZED (
        ${
      isListed !== null && !isCounted ? none : sql`${walk(sql.and([isWithin, walked, ...decided(idInWalk)]))} UNION ALL`
    }
        ${
      isListed === null ? none : sql` ${walk(sql.and([isWalked, isListed(idInWalk), walked]))}
        UNION ALL ${candidates("listed", sql`NOT ${isWalked}`)} UNION ALL`
    }
        ${candidates("examined", yes)}
      ),
      page AS (SELECT * FROM found ORDER BY ${order} LIMIT ${limit}::int OFFSET ${offset}::int),
      placed AS (SELECT page.*, row_number() OVER (ORDER BY ${order}) AS place FROM page)
      SELECT placed.id, f.name, f.domain, placed.properties,
        ((SELECT count(*) FROM examined) + ${
      isListed === null ? none : sql`(SELECT count(*) FROM listed) +`
    } ${others})::int AS total,
        ARRAY(SELECT DISTINCT pf.role FROM property_firm pf WHERE pf.firm_id = placed.id AND ${told}) AS roles,
        EXISTS (SELECT FROM property_firm pf WHERE pf.firm_id = placed.id AND ${told} AND ${researched}) AS researched
      FROM (SELECT) AS always
      LEFT JOIN (placed JOIN firm f USING (id)) ON true
      ORDER BY placed.place`
  }

  return { browse }
}

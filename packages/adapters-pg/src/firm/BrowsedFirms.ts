/**
 * The statement of a browse of firms.
 *
 * Those whose ties are all told to everyone, and whose reach lies in what is seen, are counted, and walked in their order, by their reach alone:
 * where counties are asked for, those in one of them by `firm_reach.area`, the others by the counties beside it (`listed`). Of the others the
 * ties are looked at (`examined`): because they reach across the border of what is seen, or have ties that not everyone is told of
 * (`disclosed`, `besides`).
 *
 * By name, where something is asked of a tie, only such ties decide: then no others that are disclosed are looked at, and the properties of the page's firms
 * are counted one by one (`isByTie`).
 *
 * Of these only the properties count that the firm has no other tie to. Which they are is looked for tie by tie, and a subscription that covers
 * everything discloses many. How many ties there are bounds it, so it is counted for those alone of whom the bounds leave open whether the page has
 * them, or whether they have the least number that is asked for (`open`); by name, for the page.
 */
import { intersection, isPart } from "@freehold/core/coverage/Territory"
import type { Viewer } from "@freehold/core/coverage/Viewer"
import { FirmRole, researchedAttributions } from "@freehold/core/firm/Firm"
import type { FirmBrowse } from "@freehold/core/firm/Firms"
import { withoutAccents } from "@freehold/core/operation/Accents"
import type { SqlClient, Statement } from "effect/sql"
import * as Reach from "../coverage/Reach.ts"
import * as Visibility from "../coverage/Visibility.ts"
import * as AccentFunctions from "../database/AccentFunctions.ts"
import { textArray } from "../database/BulkWrite.ts"
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

/** Firms by what their ids are hashed to. */
export const halves = ["first", "second"] as const
export type Half = (typeof halves)[number]

/** The first of a half in the order, each of what is told of them as a list; null: there are none. */
export interface FirstOfHalf {
  readonly ids: ReadonlyArray<string> | null
  readonly properties: ReadonlyArray<string> | null
  readonly areExact: ReadonlyArray<string> | null
  readonly names: ReadonlyArray<string | null> | null
  /** How many match in it. */
  readonly total: number
}

/** How many more bytes than characters the name has. */
const beyondAscii = AccentFunctions.beyondAscii("f.name")

export const make = (sql: SqlClient.SqlClient) => {
  const { held, inArea, no, or, researched, yes } = Visibility.make(sql, Visibility.firmTie)
  const reach = Reach.make(sql)
  const none = sql.literal("")
  const firm = sql.literal("JOIN firm f ON f.id = r.firm_id")
  const isResearched = sql`pf.attribution_type IN (${sql.literal(researchedKinds)})`

  const seenBy = ({ visible }: Viewer): Fragment => sql`(pf.county_fips IS NOT NULL AND ${inArea(visible)})`

  // In this order: whether it is held is told by the tie, and the ties of a page's firms are many.
  const toldTo = (viewer: Viewer): Fragment =>
    sql.and([seenBy(viewer), sql`(NOT ${isResearched} OR (${held(viewer)} AND ${researched}))`])

  /** The ties that not everyone is told of, but the viewer: where the subscription covers the property, or it was unlocked. */
  const disclosed = (viewer: Viewer, columns: Fragment, further: ReadonlyArray<Fragment>): Fragment => {
    const { covered, orgId, visible } = viewer
    const told = (where: Fragment) =>
      sql`SELECT ${columns} FROM property_firm pf
        WHERE ${sql.and([sql.literal("pf.county_fips IS NOT NULL"), isResearched, researched, where, ...further])}`
    const ofCovered = told(inArea(intersection(visible, covered)))
    return isPart(visible, covered) ? ofCovered : sql`${ofCovered}
      UNION ALL ${
      told(sql.and([
        inArea(visible),
        sql`NOT (${inArea(covered)})`,
        sql`pf.property_id IN (SELECT a.property_id FROM property_access a WHERE a.org_id = ${orgId} AND a.source = 'paid')`
      ]))
    }`
  }

  const namedBy = (text: string): Fragment =>
    Trigrams.amongBeyond(sql, Trigrams.holds(sql, "lower(f.name)", text), text, beyondAscii)

  /** Whatever accents it has, or the names have: only those of letters beyond ASCII have any. */
  const namedInAnyAccents = (text: string): Fragment => {
    const asked = withoutAccents(text)
    const is = sql`(${Trigrams.holds(sql, "lower(f.name)", asked)} OR ${sql.literal(beyondAscii)} > 0
      AND ${Trigrams.holds(sql, AccentFunctions.plain("f.name"), asked)})`
    return Trigrams.amongBeyond(sql, is, asked, beyondAscii)
  }

  /** The common tables of a browse, and how many match. `half`: of these firms alone; null: of all. */
  const foundOf = (asked: FirmBrowse, half: Half | null) => {
    const { after, anyAccents, countyFips, limit, minProperties, offset, role, sort, text, viewer } = asked
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

    const named = text === null ? [] : [anyAccents ? namedInAnyAccents(text) : namedBy(text)]
    const ifNamed = text === null ? none : firm
    /** The names are compared once, but where an order is walked. */
    const ifFound = text === null ? none : sql.literal("JOIN named f ON f.id = r.firm_id")
    /** The firm of that id is in the half. */
    const ofHalf = (id: string): ReadonlyArray<Fragment> =>
      half === null ? [] : [sql.literal(`uuid_hash(${id}) ${half === "first" ? "<" : ">="} 0`)]
    const ofRole = role === null ? [] : [sql`${role} = ANY(r.roles)`]
    const atLeast = minProperties > 1 ? [sql`r.properties >= ${minProperties}::int`] : []
    /**
     * Not as an EXISTS: how many these are is not known when the statement is planned, and they would be looked through for each firm. Asked of the
     * firm where it is joined, from which a walk by name begins.
     */
    const isUndisclosed = (id: string) => sql`${sql.literal(id)} NOT IN (SELECT firm_id FROM besides)`
    const decided = (id: string) => [...ofRole, ...atLeast, isUndisclosed(id), ...ofHalf(id)]
    const idIfNamed = text === null ? "r.firm_id" : "f.id"
    const idInWalk = byName ? "f.id" : idIfNamed

    /** Of a tie `pf`. Few have most names: only their ties are looked at then, however many are disclosed. */
    const ofNamed = text === null ? [] : [sql.literal("pf.firm_id IN (SELECT id FROM named)")]

    /** Of a tie `pf`: the role in the counties. */
    const isAsked = sql.and([
      role === null ? yes : sql`pf.role = ${role}`,
      countyFips === null ? yes : sql`pf.county_fips = ANY(${countyFips}::text[])`
    ])
    /** Only whether a firm has a tie that is asked for decides whether it is found, and where it stands. */
    const isByTie = byName && minProperties <= 1 && (countyFips !== null || role !== null)
    const deciding = [...ofNamed, ...isByTie ? [isAsked] : [], ...ofHalf("pf.firm_id")]
    /** Where nothing is asked of a tie it is read from an index that has no more. */
    const tieColumns = sql`pf.firm_id, pf.property_id, ${isAsked} AS is_asked`
    const seen = sql.and([seenBy(viewer), sql`NOT ${isResearched}`])
    /** Whether a firm that has ties in the counties, and the role, has the role there: its ties are looked at only if it has others. */
    const hasAsked = sql`(cardinality(r.roles) = 1
      OR EXISTS (SELECT FROM property_firm pf WHERE pf.firm_id = r.firm_id AND ${seen} AND ${isAsked}))`
    const there = countyFips === null
      ? null
      : reach.touching("firm", { nationwide: false, stateFips: [], countyFips })
    /** By its reach a firm has a tie that is asked for. Where it has ties, and which roles, that says; but not which role where. */
    const reachesAsked = sql.and([
      yes,
      ...there === null ? [] : [there.whether],
      ...ofRole,
      ...role === null || there === null ? [] : [hasAsked]
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

    /** How many are told by their reach, but for the listed. Those of both halves are counted with the first. */
    const others = isCounted
      ? sql`(${half === "second" ? sql.literal("0") : reach.countWithin("firm", area, countyFips, role)}
        - (SELECT count(*) FROM besides WHERE is_counted))`
      : isListed === null
      ? sql`(SELECT count(*) FROM firm_reach r ${ifFound} WHERE ${sql.and([isWithin, ...decided(idIfNamed)])})`
      : sql.literal("0")

    /** Of those that are told by their reach: how many properties they have is told by it too, unless they may have ties that are disclosed. */
    const isExact = isByTie ? no : yes
    const walk = (where: Fragment) =>
      sql`(SELECT * FROM (
          SELECT r.firm_id AS id, r.properties, ${isExact} AS is_exact, ${sortText} AS folded_name
          FROM firm_reach r ${byName ? firm : ifNamed}
          WHERE ${sql.and([where, ...named])} ${reach.fence(rows)}
        ) AS seen ORDER BY ${order} LIMIT ${rows}::int)`
    const candidates = (from: string, exact: Fragment, where: Fragment) =>
      sql`(SELECT * FROM (
          SELECT r.id, r.properties, ${exact} AS is_exact, ${sortText} AS folded_name FROM ${sql.literal(from)} AS r
          ${byName ? sql.literal("JOIN firm f USING (id)") : none}
        ) AS candidate WHERE ${sql.and([where, afterPlace])}
        ORDER BY ${order} LIMIT ${rows}::int)`
    // How many properties they have stands beside the firms of a list: only their names are looked for.
    const mayWalk = byName && rows <= Reach.mostWalked
    /** Whether a page of so many is walked to, told once. */
    const walking = (of: string, count: Fragment) =>
      sql`${sql.literal(`${of}_walk`)} AS MATERIALIZED (SELECT ${reach.areWalked("firm", count, rows)} AS is_walked),`
    const walkingIn = (from: string) => walking(from, sql`(SELECT count(*) FROM ${sql.literal(from)})`)
    const isWalked = (of: string) => sql.literal(`(SELECT is_walked FROM ${of}_walk)`)
    const isToldByReach = isListed === null || isCounted
    /** Those that are told by their reach: where they are few, as those of a role that hardly anybody has, they are looked for and put in order. */
    const toldByReach = sql`
      ${walk(sql.and([isWalked("within"), isWithin, walked, ...decided(idInWalk)]))}
      UNION ALL
      SELECT r.firm_id, r.properties, ${isExact}, ${sortText} FROM firm_reach r ${byName ? firm : ifNamed}
      WHERE ${sql.and([sql`NOT ${isWalked("within")}`, isWithin, walked, ...decided(idInWalk), ...named])}`

    /**
     * Of whom it matters how many of the ties are to properties of their own: who may have less than the least number, and in the order of
     * numbers who may be of the page. The page ends no later than where so many have at least as many, without what is open.
     */
    const isOpen = or([
      ...minProperties > 1 ? [sql`e.least < ${minProperties}::int`] : [],
      ...byName ? [] : [sql`(e.properties >= (SELECT least FROM page_end)
        AND ${after === null ? yes : sql`e.least <= ${after.value}::int`})`]
    ])
    const pageEnd = sql`page_end AS MATERIALIZED (
      SELECT coalesce((
        SELECT e.least FROM examined e WHERE ${
      sql.and([
        sql`e.least >= ${minProperties}::int`,
        after === null || byName ? yes : sql`e.properties < ${after.value}::int`
      ])
    }
        ORDER BY e.least DESC LIMIT 1 OFFSET ${rows - 1}::int
      ), 0) AS least
    )`
    const isWeighed = !byName || minProperties > 1
    const weighed = sql`
      ${byName ? none : sql`${pageEnd},`}
      open AS MATERIALIZED (SELECT e.id FROM examined e WHERE e.more > 0 AND ${isOpen}),
      open_tie AS MATERIALIZED (SELECT firm_id, property_id FROM disclosed WHERE firm_id IN (SELECT id FROM open)),
      own AS MATERIALIZED (
        SELECT tie.firm_id, (count(DISTINCT tie.property_id) FILTER (WHERE other.known IS NULL))::int AS properties
        FROM open_tie AS tie LEFT JOIN LATERAL (
          SELECT true AS known FROM property_firm pf
          WHERE pf.firm_id = tie.firm_id AND pf.property_id = tie.property_id AND pf.county_fips IS NOT NULL AND NOT ${isResearched}
          LIMIT 1
        ) AS other ON true
        GROUP BY tie.firm_id
      ),
      weighed AS MATERIALIZED (
        SELECT * FROM (
          SELECT e.id, e.more, coalesce(e.known + own.properties, e.properties) AS properties
          FROM examined e LEFT JOIN own ON own.firm_id = e.id
        ) AS e WHERE e.properties >= ${minProperties}::int
      ),`
    const examined = isWeighed ? "weighed" : "examined"
    const isExamined = isByTie ? no : byName ? sql.literal("r.more = 0") : yes
    /** Asked in a form that is not made a join of all of them, which has no order. */
    const walkOfExamined = sql`SELECT r.id, r.properties, ${isExamined} AS is_exact, seen.folded_name FROM (
        SELECT f.id, ${sortText} AS folded_name FROM firm f
        WHERE ${sql.and([isWalked(examined), sql`(f.id IN (SELECT id FROM ${sql.literal(examined)})) IS TRUE`, walked])}
        ORDER BY folded_name, f.id LIMIT ${rows}::int
      ) AS seen JOIN ${sql.literal(examined)} AS r USING (id)`

    const ofReach = sql`r.properties, r.area, r.states${role === null ? none : sql.literal(", r.roles")}${
      countyFips === null ? none : sql.literal(", r.counties")
    }`
    const tally = sql.literal("count(*)::int AS more, bool_or(pf.is_asked) AS is_asked")
    /** Where the ties are of one select the planner knows how many firms they are of; else the key of the reach tells it. */
    const withReach = isPart(viewer.visible, viewer.covered)
      ? sql`SELECT d.*, ${ofReach} FROM (SELECT pf.firm_id, ${tally} FROM disclosed pf GROUP BY pf.firm_id) AS d
      LEFT JOIN firm_reach r ON r.firm_id = d.firm_id`
      : sql`SELECT pf.firm_id, ${tally}, ${ofReach} FROM disclosed pf
      LEFT JOIN firm_reach r ON r.firm_id = pf.firm_id
      GROUP BY pf.firm_id, r.firm_id`

    // All of `found` is made: if a page of it were asked for, a walk that finds too little would be taken for a short one.
    const tables = sql`${
      text === null
        ? none
        : sql`named AS MATERIALIZED (SELECT f.id FROM firm f WHERE ${sql.and([...named, ...ofHalf("f.id")])}),`
    }
      disclosed AS MATERIALIZED (${disclosed(viewer, tieColumns, deciding)}),
      besides AS MATERIALIZED (
        SELECT r.firm_id, r.more,
          /* Without a reach nothing is told by it, and its counties would be looked for. */
          CASE WHEN r.is_asked OR r.area IS NULL THEN r.is_asked ELSE of.whole AND coalesce(${reachesAsked}, false) END AS is_asked,
          coalesce(r.properties, 0) AS properties, of.whole,
          r.area IS NOT NULL AND coalesce(${sql.and([isWithin, ...ofRole])}, false) AS is_counted
        FROM (${withReach}) AS r
        CROSS JOIN LATERAL (SELECT coalesce(${reach.within(area, null)}, true) AS whole) AS of
      ),
      examined AS MATERIALIZED (
        SELECT r.firm_id AS id, r.more, of.known, of.known + r.more AS properties,
          CASE WHEN r.more = 0 THEN of.known ELSE greatest(of.known, 1) END AS least
        FROM (
          SELECT firm_id, more, properties, whole, is_asked FROM besides
          UNION ALL
          SELECT r.firm_id, 0, 0, false, false FROM (${reach.crossing("firm", area, countyFips)}) AS r ${ifFound}
          WHERE ${sql.and([sql`NOT r.whole`, isUndisclosed("r.firm_id"), ...ofHalf("r.firm_id")])}
        ) AS r
        CROSS JOIN LATERAL (
          SELECT count(DISTINCT pf.property_id)::int AS properties, coalesce(bool_or(${isAsked}), false) AS is_asked
          FROM property_firm pf WHERE NOT r.whole AND pf.firm_id = r.firm_id AND ${seen}
        ) AS counted
        CROSS JOIN LATERAL (SELECT CASE WHEN r.whole THEN r.properties ELSE counted.properties END AS known) AS of
        WHERE (r.is_asked OR counted.is_asked) AND of.known + r.more >= ${minProperties}::int
      ),
      ${isWeighed ? weighed : none}
      ${mayWalk ? walkingIn(examined) : none}
      ${isToldByReach ? walking("within", reach.countWithin("firm", area, countyFips, role)) : none}
      ${
      isListed === null ? none : sql`listed AS MATERIALIZED (
        SELECT r.firm_id AS id, r.properties FROM firm_reach r ${ifFound} WHERE ${isListed(idIfNamed)}
      ),
      ${mayWalk ? walkingIn("listed") : none}`
    }
      found AS MATERIALIZED (
        ${isToldByReach ? sql`${toldByReach} UNION ALL` : none}
        ${
      isListed === null
        ? none
        : mayWalk
        ? sql`${walk(sql.and([isWalked("listed"), isListed(idInWalk), walked]))}
          UNION ALL ${candidates("listed", isExact, sql`NOT ${isWalked("listed")}`)} UNION ALL`
        : sql`${candidates("listed", isExact, yes)} UNION ALL`
    }
        ${
      mayWalk
        ? sql`${walkOfExamined} UNION ALL ${candidates(examined, isExamined, sql`NOT ${isWalked(examined)}`)}`
        : candidates(examined, isExamined, yes)
    }
      )`
    const total = sql`((SELECT count(*) FROM ${sql.literal(examined)}) + ${
      isListed === null ? none : sql`(SELECT count(*) FROM listed) +`
    } ${others})::int`
    return { tables, total }
  }

  const orderOf = ({ sort }: Pick<FirmBrowse, "sort">): Fragment => sql.literal(PlaceOrder.orderBy(orders[sort]))

  /** The page of what was `found`, and the firms of it as the viewer sees them, each with how many match in `total`. */
  const pageOf = (asked: FirmBrowse, total: Fragment): Fragment => {
    const told = toldTo(asked.viewer)
    const order = orderOf(asked)
    return sql`
      page AS (SELECT * FROM found ORDER BY ${order} LIMIT ${asked.limit}::int OFFSET ${asked.offset}::int),
      placed AS (SELECT page.*, row_number() OVER (ORDER BY ${order}) AS place FROM page)
      SELECT placed.id, f.name, f.domain, CASE WHEN placed.is_exact THEN placed.properties ELSE (
          SELECT count(DISTINCT pf.property_id)::int FROM property_firm pf WHERE pf.firm_id = placed.id AND ${told}
        ) END AS properties,
        ${total} AS total,
        ARRAY(
          SELECT role FROM unnest(${FirmRole.literals}::text[]) AS each (role)
          /* In a form that ends at the first of the ties, of which some firms have thousands. */
          WHERE (SELECT true FROM property_firm pf WHERE pf.firm_id = placed.id AND pf.role = each.role AND ${told} LIMIT 1)
        ) AS roles,
        EXISTS (SELECT FROM property_firm pf WHERE pf.firm_id = placed.id AND ${told} AND ${researched}) AS researched
      FROM (SELECT) AS always
      LEFT JOIN (placed JOIN firm f USING (id)) ON true
      ORDER BY placed.place`
  }

  const browse = (asked: FirmBrowse): Fragment => {
    const { tables, total } = foundOf(asked, null)
    return sql`WITH ${tables}, ${pageOf(asked, total)}`
  }

  /** The first of a half, in lists, as many as the page of the whole may have of it. */
  const firstOf = (asked: FirmBrowse, half: Half): Fragment => {
    const { tables, total } = foundOf({ ...asked, offset: 0, limit: asked.offset + asked.limit }, half)
    const order = orderOf(asked)
    return sql`WITH ${tables},
      page AS (SELECT * FROM found ORDER BY ${order} LIMIT ${asked.offset + asked.limit}::int)
      SELECT array_agg(id::text ORDER BY ${order}) AS ids, array_agg(properties::text ORDER BY ${order}) AS properties,
        array_agg(is_exact::text ORDER BY ${order}) AS "areExact", array_agg(folded_name ORDER BY ${order}) AS names, ${total} AS total
      FROM page`
  }

  const browseHalves = (asked: FirmBrowse, halves: ReadonlyArray<FirstOfHalf>): Fragment => {
    const all = (listOf: (half: FirstOfHalf) => ReadonlyArray<string | null> | null) =>
      textArray(halves.flatMap((half) => listOf(half) ?? []))
    return sql`WITH found AS (
        SELECT id, properties, is_exact, folded_name COLLATE "C" AS folded_name
        FROM unnest(${all(({ ids }) => ids)}::uuid[], ${all(({ properties }) => properties)}::int[],
          ${all(({ areExact }) => areExact)}::bool[], ${
      all(({ names }) => names)
    }) AS first (id, properties, is_exact, folded_name)
      ),
      ${pageOf(asked, sql`${halves.reduce((sum, { total }) => sum + total, 0)}::int`)}`
  }

  return { browse, browseHalves, firstOf }
}

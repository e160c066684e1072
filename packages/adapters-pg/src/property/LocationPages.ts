/**
 * Pages and counts of a search by location, as parts of its statement: all matches counted by category, and the ids of the page in order.
 *
 * Where an index lists each county in the order, the page is read from there (county by county, then merged) and the matches are counted beside it. The page
 * of a large area is looked for among the first of all properties, and what it has is counted without being kept. Otherwise the matches are found once, and
 * both counted and sorted.
 */
import { contains } from "@freehold/core/coverage/Territory"
import type { Condition, LocationSearch, Sort } from "@freehold/core/property/PropertySearch"
import { sortKinds } from "@freehold/core/property/SearchOrder"
import type { SqlClient, Statement } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import { areasFor, isBeyond, isCarried, ordersCarried } from "./CountyIndexes.ts"
import * as Exclusions from "./Exclusions.ts"
import * as GriddedArea from "./GriddedArea.ts"
import * as PropertyConditions from "./PropertyConditions.ts"
import { isAfter, isWalked, onward, orderBy, orderedByCounty, sortExpression } from "./SearchPosition.ts"
import * as WideArea from "./WideArea.ts"

type Fragment = Statement.Fragment

/** A page of a wide area that ends further down is sorted, since each of the many counties in it would be read as far. */
const mostListedOfEach = 200

/** Rows that may be read from the lists of counties, each with its table, before all matches are sorted instead. */
const mostListed = 20_000

/**
 * So many of all for each row of the page: among them are most pages of an area that is not a small part of all; and further down, where rows are many,
 * those of an area that is most of all.
 */
const firstOfEach = { few: 20, far: 3 } as const

/** So many times as many there are in all, where it is worth its while to look up each of the first for a page far down. */
const moreThanFirst = 4

/** Whether the condition may leave most of all. Where others are asked for, to find and to keep what is left costs less than to put all in order. */
const mayLeaveMost = (condition: Condition): boolean => {
  switch (condition._tag) {
    case "Within":
    case "Range":
    case "HasContact":
      return true
    case "ResearchStates":
    case "PipelineStatuses":
    case "CustomerStatuses":
    case "List":
      return PropertyConditions.isExcluding(condition)
    default:
      return false
  }
}

/** Whether it may have so much of all that what is first of all is first in it, and what is counted by county is most of it. */
const isLarge = ({ counties, isCrossed }: GriddedArea.GriddedArea): boolean =>
  isCrossed || (counties?.length ?? 0) > Exclusions.manyCounties

/** Whether most of all properties may lie in it. */
const mayHoldMost = ({ isDense, isMost }: GriddedArea.GriddedArea): boolean => isDense && isMost

/** Whether an index has all properties in the order. */
const isFirstKnown = (sort: Sort): boolean =>
  isWalked(sort) || sort.column === "contactCount" && sort.direction === "desc"

const isFew = ({ limit, offset }: LocationSearch): boolean => offset + limit <= mostListedOfEach

/** Whether the page is read from the lists of counties, where a wide area is all that is asked for. */
const isListed = (search: LocationSearch): boolean =>
  search.conditions.length === 1 && isFew(search) && orderedByCounty.has(search.sort.column)

/** Where a page is looked for first. */
interface Among {
  /** The common tables for it. */
  readonly tables: ReadonlyArray<Fragment>
  /** Of what is looked for otherwise. */
  readonly ifUntold: ReadonlyArray<Fragment>
  /** What comes to that where the page was found; by the condition that it was. */
  readonly orTold: (select: (isTold: Fragment) => Fragment) => Fragment
}

export const make = (sql: SqlClient.SqlClient) => {
  const { inArea } = Visibility.make(sql)
  const { matches } = PropertyConditions.make(sql)
  const { countedBy, exclusionsOf, matchingOf } = Exclusions.make(sql)
  const wideArea = WideArea.make(sql)
  const live = sql.literal("p.retired_into IS NULL")

  /**
   * A list by text is read with its table. The condition is true of every row, and names its place in the table, which no index has: otherwise
   * all of a county would be read from an index of another order and sorted, since any county is planned for as one of the usual size.
   */
  const listedInOrder = (sort: Sort): Fragment =>
    sql.literal(sortKinds[sort.column] === "text" ? "p.ctid <> '(0,0)'" : "true")

  /** The columns of the property `p` by which it is put in order. */
  const placed = (sort: Sort): Fragment => sql.literal(`p.id, ${sortExpression(sort)} AS sort_value`)

  /** The common table `page` of what is listed, in whatever order. */
  const pageOf = ({ limit, offset, sort }: LocationSearch, listed: Fragment): Fragment =>
    sql`page AS (
      SELECT id, sort_value FROM (${listed}) AS listed
      ORDER BY ${sql.literal(orderBy(sort, "sort_value", "id"))} LIMIT ${limit + 1}::int OFFSET ${offset}::int
    )`

  /** What matches, found before it is put in order, and not looked for along an index of the whole country. */
  const fenced = (sort: Sort, matching: Fragment): Fragment =>
    sql`(SELECT ${placed(sort)} FROM property p WHERE ${matching} OFFSET 0)`

  /** The ids of a page by location, read in their order from an index that begins with the county. */
  const pageInIndexOrder = (
    { after, limit, offset, sort }: LocationSearch,
    counties: ReadonlyArray<string>,
    matching: Fragment
  ) => {
    const where = sql.and([matching, ...onward(sql, sort, after)])
    const order = sql.literal(orderBy(sort, sortExpression(sort), "p.id"))
    return counties.length === 1
      ? sql`SELECT ${placed(sort)} FROM property p WHERE ${where}
          ORDER BY ${order} LIMIT ${limit + 1}::int OFFSET ${offset}::int`
      : sql`SELECT each.id, each.sort_value
          FROM unnest(${counties}::text[]) AS asked (county_fips)
          CROSS JOIN LATERAL (
            SELECT ${placed(sort)} FROM property p
            WHERE p.county_fips = asked.county_fips AND ${listedInOrder(sort)} AND ${where}
            ORDER BY ${order} LIMIT ${offset + limit + 1}::int
          ) AS each
          ORDER BY ${sql.literal(orderBy(sort, "each.sort_value", "each.id"))} LIMIT ${
        limit + 1
      }::int OFFSET ${offset}::int`
  }

  /** In which counties what is asked for is looked for; null: in all that are visible. */
  const countiesOf = (
    { conditions, viewer }: Pick<LocationSearch, "conditions" | "viewer">
  ): ReadonlyArray<string> | null => {
    const asked = conditions.find((condition) => condition._tag === "Counties")
    return asked === undefined
      ? null
      : Array.from(new Set(asked.countyFips.filter((countyFips) => contains(viewer.visible, countyFips))))
  }

  /** What matches by location, and in which counties it is looked for. */
  const locating = (
    { conditions, viewer }: Pick<LocationSearch, "conditions" | "viewer">,
    areas: GriddedArea.Areas
  ) => {
    const counties = countiesOf({ conditions, viewer })
    const where = sql.and([
      live,
      ...counties === null && !GriddedArea.isByCounties(areas) ? [inArea(viewer.visible)] : [],
      ...conditions.map(matches(viewer, counties, areas))
    ])
    return { counties, where }
  }

  /**
   * The page, if it is among the first of all properties in the order. To keep all that lies within a large area and to put it in order costs about as
   * much as to find it; but most often the page is among the first, and the others are only counted.
   */
  const amongFirst = (search: LocationSearch, areas: GriddedArea.Areas): Among => {
    const isTold = sql.literal("(SELECT is_told FROM told)")
    const { after, conditions, limit, offset, sort, viewer } = search
    const { where: there } = locating({ viewer, conditions: conditions.filter((each) => areas.has(each)) }, areas)
    // Of few properties, wherever they lie.
    const besides = conditions.filter((each) => !areas.has(each)).map(matches(viewer, countiesOf(search), new Map()))
    const rows = offset + limit + 1
    // Of a range of what orders them the first of all may be none.
    const inRange = conditions
      .filter((condition) => condition._tag === "Range" && condition.field === sort.column)
      .map(matches(search.viewer, null, new Map()))
    const order = (value: string, id: string) => sql.literal(orderBy(sort, value, id))
    return {
      ifUntold: [sql`NOT ${isTold}`],
      orTold: (select) => sql`UNION ALL ${select(isTold)}`,
      tables: [
        sql`first AS MATERIALIZED (
          SELECT ${placed(sort)} FROM property p
          WHERE ${sql.and([live, ...inRange, ...onward(sql, sort, after)])}
          ORDER BY ${order(sortExpression(sort), "p.id")} LIMIT ${
          firstOfEach[isFew(search) ? "few" : "far"] * rows
        }::int
        )`,
        // Looked up one by one: else all of the area would be read for so few. Where they lie is looked at before all else, since the planner takes what
        // the others leave of them for a single one and would look through all cells of an area for each.
        sql`found AS MATERIALIZED (
          SELECT p.id, p.sort_value FROM (
            SELECT p.*, first.sort_value FROM first
            CROSS JOIN LATERAL (SELECT * FROM property WHERE property.id = first.id OFFSET 0) AS p
            WHERE ${there} OFFSET 0
          ) AS p
          WHERE ${sql.and([sql`true`, ...besides])}
          ORDER BY ${order("p.sort_value", "p.id")} LIMIT ${rows}::int
        )`,
        sql`told AS MATERIALIZED (SELECT count(*) >= ${rows}::int AS is_told FROM found)`
      ]
    }
  }

  /**
   * Whether the page is looked for among the first of all properties. Where no index has the order, all are looked at for it: that is worth its while
   * only where most are looked at in any case, and in a woven area only where these would be read from the table. Of a page far down they are many, and
   * all may be few. `isMostFound`: of what lies in the area little is excluded.
   */
  const isAmongFirst = (search: LocationSearch, areas: GriddedArea.Areas, isMostFound: boolean): boolean => {
    const isKnown = isFirstKnown(search.sort)
    if (
      GriddedArea.has(areas, Exclusions.isWoven) &&
      !(isFew(search) && (isKnown || isBeyond(search.conditions, search.sort.column)))
    ) {
      return false
    }
    if (isFew(search)) {
      return isKnown
        ? GriddedArea.has(areas, isLarge)
        : search.conditions.every(mayLeaveMost) && GriddedArea.has(areas, mayHoldMost)
    }
    const least = moreThanFirst * firstOfEach.far * (search.offset + search.limit)
    return (isKnown || isMostFound) && GriddedArea.has(areas, (area) => mayHoldMost(area) && area.ofAll >= least)
  }

  const none = sql.literal("")

  /** The page is looked for among all that matches. */
  const amongAll: Among = { tables: [], ifUntold: [], orTold: () => none }

  /** Of a page that was found among the first. */
  const foundIf = (isTold: Fragment): Fragment => sql`SELECT id, sort_value FROM found WHERE ${isTold}`

  /** How many lie in a wide area and are not excluded by an organization's own rows, and the common tables for it; null: something else is searched for. */
  const remaining = (
    { conditions, viewer }: Pick<LocationSearch, "conditions" | "viewer">,
    given: GriddedArea.Areas
  ) => {
    const { areas, tables } = GriddedArea.asTables(sql, given)
    const { covered, others, own, uncovered } = exclusionsOf({ conditions, viewer })
    const area = WideArea.of(others, areas)
    if (area === null) return null
    const counted = wideArea.counted(countedBy(sql.and([live, wideArea.isAtBorder(viewer.visible, area)])))
    const there = sql.and([live, wideArea.mayHold(viewer.visible, area.box, area.within?.counties ?? null)])
    // Found before its places are compared: as a rule it is less than what lies in the area.
    const taken = own.length === 0 ? [] : [
      sql`SELECT p.asset_category AS name, count(*)::int AS count FROM (
        SELECT p.lat, p.lon, p.asset_category FROM property p
        WHERE ${
        sql.and([
          there,
          sql`p.id IN (${sql.join(" UNION ", false)(own)})`,
          ...uncovered
        ])
      } OFFSET 0
      ) AS p WHERE ${wideArea.isHeld(area)} GROUP BY 1`,
      ...covered.map((each) => countedBy(sql.and([there, each, wideArea.isHeld(area)])))
    ]
    return {
      areas,
      tables: [...tables, wideArea.inside(viewer.visible, area)],
      counted: wideArea.except(counted, taken)
    }
  }

  /**
   * A wide area, without what is excluded. A whole country may lie in it, of which an organization's own rows exclude a little: so all of it is counted,
   * for the most part from the counts of its counties, and what is excluded is taken off.
   */
  const pageOfRemaining = (search: LocationSearch, given: GriddedArea.Areas): Fragment | null => {
    const { after, sort } = search
    const found = remaining(search, given)
    if (found === null) return null
    const { areas, counted, tables } = found
    const { where } = locating(search, areas)
    const among = amongFirst(search, areas)
    return sql.csv([
      ...tables,
      ...among.tables,
      sql`category AS (${counted})`,
      pageOf(
        search,
        sql`${fenced(sort, sql.and([...among.ifUntold, where, ...onward(sql, sort, after)]))} ${among.orTold(foundIf)}`
      )
    ])
  }

  /** All matches, found once, counted and put in order; of the counties inside a wide area their counts and lists. */
  const gathered = (search: LocationSearch, given: GriddedArea.Areas): Fragment => {
    const { after, conditions, limit, offset, sort, viewer } = search
    const looksFirst = isAmongFirst(search, given, false)
    const matching = matchingOf(search, given)
    const areas = areasFor(matching.conditions, looksFirst ? null : sort.column, given)
    const { areas: named, tables } = looksFirst ? GriddedArea.asTables(sql, areas) : { areas, tables: [] }
    const { where } = locating({ conditions: matching.conditions, viewer }, named)
    const among = looksFirst ? amongFirst(search, named) : amongAll

    const area = isListed(search) ? WideArea.of(conditions, named) : null
    const condition = area === null
      ? where
      : sql.and([live, wideArea.isAtBorder(viewer.visible, area)])
    const counted = sql`SELECT asset_category AS name, count(*)::int AS count FROM hit GROUP BY 1
      ${among.orTold((isTold) => countedBy(sql.and([isTold, condition]), matching))}`
    const listedInside = area === null ? none : sql`UNION ALL ${
      wideArea.ofEachInside(sql`
        SELECT ${placed(sort)} FROM property p
        WHERE ${
        sql.and([
          ...among.ifUntold,
          live,
          sql`p.county_fips = inside.county_fips AND p.lat IS NOT NULL AND p.lon IS NOT NULL`,
          listedInOrder(sort),
          ...onward(sql, sort, after)
        ])
      }
        ORDER BY ${sql.literal(orderBy(sort, sortExpression(sort), "p.id"))} LIMIT ${offset + limit + 1}::int`)
    }`
    const afterPosition = after === null ? sql`true` : isAfter(sql, sort, after, { value: "sort_value", id: "id" })
    return sql.csv([
      ...area === null ? [] : [wideArea.inside(viewer.visible, area)],
      ...tables,
      ...matching.tables,
      ...among.tables,
      sql`hit AS MATERIALIZED (
        SELECT p.id, p.sort_value, p.asset_category
        FROM ${matching.of(sql`${placed(sort)}, p.asset_category`, sql.and([...among.ifUntold, condition]))}
      )`,
      sql`category AS (${area === null ? counted : wideArea.counted(counted)})`,
      pageOf(
        search,
        sql`SELECT id, sort_value FROM hit WHERE ${afterPosition}
          ${among.orTold(foundIf)}
          ${listedInside}`
      )
    ])
  }

  /** The common tables `category`, all matches counted, and `page`, the ids in order. */
  const located = (search: LocationSearch, areas: GriddedArea.Areas): Fragment => {
    const { after, conditions, limit, offset, sort } = search
    const { counties, where } = locating(search, areas)
    // The lists by text are read with the table; that by contacts is not.
    const listed = sort.column === "contactCount" || (counties?.length ?? 0) * (offset + limit) <= mostListed
    if (
      counties !== null && counties.length > 0 && listed && orderedByCounty.has(sort.column) &&
      conditions.every(isCarried)
    ) {
      return sql`category AS (${countedBy(where)}),
        page AS (${pageInIndexOrder(search, counties, where)})`
    }
    if (
      counties !== null && ordersCarried.has(sort.column) && conditions.every(({ _tag }) => _tag === "Counties")
    ) {
      // All of some counties is counted in a much smaller index than it is sorted by, and to keep it for both costs more than either.
      return sql`category AS (${countedBy(where)}),
        ${pageOf(search, fenced(sort, sql.and([where, ...onward(sql, sort, after)])))}`
    }
    const isCountedInside = !GriddedArea.has(areas, Exclusions.isWoven) && isAmongFirst(search, areas, true) &&
      !isListed(search)
    return (isCountedInside ? pageOfRemaining(search, areas) : null) ??
      gathered(search, areas)
  }

  /** The counts of a common table as JSON, the most frequent category first. */
  const categoriesJson = sql.literal(
    "json_agg(json_build_array(name, count) ORDER BY count DESC, name COLLATE \"C\")"
  )

  const countMatches = (search: Pick<LocationSearch, "conditions" | "viewer">, given: GriddedArea.Areas) => {
    const matching = matchingOf(search, given)
    const areas = areasFor(matching.conditions, null, given)
    const found = matching.tables.length === 0 ? remaining(search, areas) : null
    const { where } = locating({ conditions: matching.conditions, viewer: search.viewer }, areas)
    return found === null
      ? sql`${matching.tables.length === 0 ? none : sql`WITH ${sql.csv(matching.tables)}`}
        SELECT ${categoriesJson} AS categories FROM (${countedBy(where, matching)}) AS category`
      : sql`WITH ${sql.csv(found.tables)}
        SELECT ${categoriesJson} AS categories FROM (${found.counted}) AS category`
  }

  return { categoriesJson, countMatches, located, locating }
}

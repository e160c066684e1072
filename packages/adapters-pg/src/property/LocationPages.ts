/**
 * Pages and counts of a search by location, as parts of its statement: all matches counted by category, and the ids of the page in order.
 *
 * Where an index lists each county in the order, the page is read from there (county by county, then merged) and the matches are counted beside it;
 * otherwise the matches are found once, and both counted and sorted.
 */
import { contains } from "@freehold/core/coverage/Territory"
import type { Condition, LocationSearch, Sort } from "@freehold/core/property/PropertySearch"
import { sortKinds } from "@freehold/core/property/SearchOrder"
import type { SqlClient, Statement } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import * as GriddedArea from "./GriddedArea.ts"
import * as PropertyConditions from "./PropertyConditions.ts"
import { isAfter, onward, orderBy, orderedByCounty, ordersCarried, sortExpression } from "./SearchPosition.ts"
import * as WideArea from "./WideArea.ts"

type Fragment = Statement.Fragment

/** A page of a wide area that ends further down is sorted, since each of the many counties in it would be read as far. */
const mostListedOfEach = 200

/** Rows that may be read from the lists of counties, each with its table, before all matches are sorted instead. */
const mostListed = 20_000

/** An area that touches more counties is no small part of all. */
const manyCounties = 50

/** So many of all for each row of the page: among them are most pages of an area that is not a small part of all. */
const firstOfEach = 20

/** Whether a condition on properties of a county is decided from its index, without the table. */
const isCarried = (condition: Condition): boolean => {
  switch (condition._tag) {
    case "Counties":
    case "Range":
    case "Is":
    case "HasContact":
      return true
    case "OneOf":
      return condition.field === "assetCategory" || condition.field === "enrichmentStatus"
    default:
      return false
  }
}

/** Where a page is looked for first. */
interface Among {
  /** The areas as the statement names them. */
  readonly areas: GriddedArea.Areas
  /** What matches, by these names. */
  readonly where: Fragment
  /** Whether the page is there (the common table `found`); null: it is not looked for. */
  readonly isTold: Fragment | null
  /** The common tables for it. */
  readonly tables: ReadonlyArray<Fragment>
}

export const make = (sql: SqlClient.SqlClient) => {
  const { inArea } = Visibility.make(sql)
  const matches = PropertyConditions.make(sql)
  const wideArea = WideArea.make(sql)
  const live = sql.literal("p.retired_into IS NULL")

  /**
   * A list by text is read with its table. The condition is true of every row, and names its place in the table, which no index has: otherwise
   * all of a county would be read from an index of another order and sorted, since any county is planned for as one of the usual size.
   */
  const listedInOrder = (sort: Sort): Fragment =>
    sql.literal(sortKinds[sort.column] === "text" ? "p.ctid <> '(0,0)'" : "true")

  /** The ids of a page by location, read in their order from an index that begins with the county. */
  const pageInIndexOrder = (
    { after, limit, offset, sort }: LocationSearch,
    counties: ReadonlyArray<string>,
    matching: Fragment
  ) => {
    const where = sql.and([matching, ...onward(sql, sort, after)])
    const expression = sql.literal(sortExpression(sort))
    const order = sql.literal(orderBy(sort, sortExpression(sort), "p.id"))
    return counties.length === 1
      ? sql`SELECT p.id, ${expression} AS sort_value FROM property p WHERE ${where}
          ORDER BY ${order} LIMIT ${limit + 1}::int OFFSET ${offset}::int`
      : sql`SELECT each.id, each.sort_value
          FROM unnest(${counties}::text[]) AS asked (county_fips)
          CROSS JOIN LATERAL (
            SELECT p.id, ${expression} AS sort_value FROM property p
            WHERE p.county_fips = asked.county_fips AND ${listedInOrder(sort)} AND ${where}
            ORDER BY ${order} LIMIT ${offset + limit + 1}::int
          ) AS each
          ORDER BY ${sql.literal(orderBy(sort, "each.sort_value", "each.id"))} LIMIT ${
        limit + 1
      }::int OFFSET ${offset}::int`
  }

  /** What matches by location, and in which counties it is looked for: null in all that are visible. */
  const locating = (
    { conditions, viewer }: Pick<LocationSearch, "conditions" | "viewer">,
    areas: GriddedArea.Areas
  ) => {
    const asked = conditions.find((condition) => condition._tag === "Counties")
    const counties = asked === undefined
      ? null
      : Array.from(new Set(asked.countyFips.filter((countyFips) => contains(viewer.visible, countyFips))))
    const where = sql.and([
      live,
      ...counties === null ? [inArea(viewer.visible)] : [],
      ...conditions.map(matches(viewer, counties, areas))
    ])
    return { counties, where }
  }

  /** How many of the properties meet the condition, by category. */
  const countedBy = (condition: Fragment): Fragment =>
    sql`SELECT p.asset_category AS name, count(*)::int AS count FROM property p WHERE ${condition} GROUP BY 1`

  /**
   * The page, if it is among the first of all properties in the order. To keep all that lies within a large area and to put it in order costs about as
   * much as to find it; but most often the page is among the first, and the others are only counted.
   */
  const amongFirst = (search: LocationSearch, areas: GriddedArea.Areas): Among => {
    const { after, limit, offset, sort } = search
    const tabled = GriddedArea.asTables(sql, areas)
    const { where } = locating(search, tabled.areas)
    const rows = offset + limit + 1
    const order = (value: string, id: string) => sql.literal(orderBy(sort, value, id))
    return {
      areas: tabled.areas,
      where,
      isTold: sql.literal("(SELECT is_told FROM told)"),
      tables: [
        ...tabled.tables,
        sql`first AS MATERIALIZED (
          SELECT p.id, ${sql.literal(sortExpression(sort))} AS sort_value FROM property p
          WHERE ${sql.and([live, ...onward(sql, sort, after)])}
          ORDER BY ${order(sortExpression(sort), "p.id")} LIMIT ${firstOfEach * rows}::int
        )`,
        // Looked up one by one: else all of the area would be read for so few.
        sql`found AS MATERIALIZED (
          SELECT first.id, first.sort_value FROM first
          CROSS JOIN LATERAL (SELECT * FROM property WHERE property.id = first.id OFFSET 0) AS p
          WHERE ${where}
          ORDER BY ${order("first.sort_value", "first.id")} LIMIT ${rows}::int
        )`,
        sql`told AS MATERIALIZED (SELECT count(*) >= ${rows}::int AS is_told FROM found)`
      ]
    }
  }

  /** All matches, found once, counted and put in order; of the counties inside a wide area their counts and lists. */
  const gathered = (search: LocationSearch, areas: GriddedArea.Areas, matching: Fragment): Fragment => {
    const { after, conditions, limit, offset, sort, viewer } = search
    const isFew = offset + limit <= mostListedOfEach
    const isLarge = Array.from(areas.values()).some((area) =>
      area !== null && (area.isCrossed || (area.counties?.length ?? 0) > manyCounties)
    )
    const { areas: named, isTold, tables, where }: Among =
      isLarge && isFew && sort.column === "contactCount" && sort.direction === "desc"
        ? amongFirst(search, areas)
        : { areas, where: matching, isTold: null, tables: [] }
    const isUntold = isTold === null ? [] : [sql`NOT ${isTold}`]
    const orTold = (select: (isTold: Fragment) => Fragment): Fragment =>
      isTold === null ? sql.literal("") : sql`UNION ALL ${select(isTold)}`

    const area = isFew && orderedByCounty.has(sort.column) ? WideArea.of(conditions, named) : null
    const condition = area === null
      ? where
      : sql.and([live, wideArea.isAtBorder(viewer.visible, area)])
    const counted = sql`SELECT asset_category AS name, count(*)::int AS count FROM hit GROUP BY 1
      ${orTold((isTold) => countedBy(sql.and([isTold, condition])))}`
    const listedInside = area === null ? sql.literal("") : sql`UNION ALL ${
      wideArea.ofEachInside(sql`
        SELECT p.id, ${sql.literal(sortExpression(sort))} AS sort_value FROM property p
        WHERE ${
        sql.and([
          ...isUntold,
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
      sql`hit AS MATERIALIZED (
        SELECT p.id, p.asset_category, ${sql.literal(sortExpression(sort))} AS sort_value FROM property p
        WHERE ${sql.and([...isUntold, condition])}
      )`,
      sql`category AS (${area === null ? counted : wideArea.counted(counted)})`,
      sql`page AS (
        SELECT id, sort_value FROM (
          SELECT id, sort_value FROM hit WHERE ${afterPosition}
          ${orTold((isTold) => sql`SELECT id, sort_value FROM found WHERE ${isTold}`)}
          ${listedInside}
        ) AS listed
        ORDER BY ${sql.literal(orderBy(sort, "sort_value", "id"))} LIMIT ${limit + 1}::int OFFSET ${offset}::int
      )`
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
      // The fence keeps the page from being looked for along an index of the whole country.
      const order = orderBy(sort, "sort_value", "id")
      return sql`category AS (${countedBy(where)}),
        page AS (
          SELECT id, sort_value FROM (
            SELECT p.id, ${sql.literal(sortExpression(sort))} AS sort_value FROM property p
            WHERE ${sql.and([where, ...onward(sql, sort, after)])} OFFSET 0
          ) AS listed
          ORDER BY ${sql.literal(order)} LIMIT ${limit + 1}::int OFFSET ${offset}::int
        )`
    }
    return gathered(search, areas, where)
  }

  /** The counts of a common table as JSON, the most frequent category first. */
  const categoriesJson = sql.literal(
    "json_agg(json_build_array(name, count) ORDER BY count DESC, name COLLATE \"C\")"
  )

  const countMatches = (search: Pick<LocationSearch, "conditions" | "viewer">, areas: GriddedArea.Areas) => {
    const { visible } = search.viewer
    const wide = WideArea.of(search.conditions, areas)
    return wide === null
      ? sql`SELECT ${categoriesJson} AS categories FROM (${countedBy(locating(search, areas).where)}) AS category`
      : sql`WITH ${wideArea.inside(visible, wide)}
        SELECT ${categoriesJson} AS categories
        FROM (${wideArea.counted(countedBy(sql.and([live, wideArea.isAtBorder(visible, wide)])))}) AS category`
  }

  return { categoriesJson, countMatches, located, locating }
}

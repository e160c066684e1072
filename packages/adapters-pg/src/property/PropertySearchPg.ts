/**
 * `PropertySearch` over PostgreSQL, on a replica where there is one. Each method is one statement.
 *
 * A search first finds the ids of its page, from indexes alone wherever it can (`migrations/baseline/records`), and then reads
 * the rows of that page (`PageRowFunctions`). The text of a statement varies with the kinds of conditions and never with a
 * value: every value is a parameter. Statements are planned anew each time, because the best plan depends on the values; how
 * the rows are read does not, and is planned once.
 *
 * A search by location counts all its matches and shows a page of them. Where an index lists each county in the order,
 * the page is read from there (county by county, then merged) and the matches are counted beside it; otherwise the
 * matches are found once, and both counted and sorted. A search by text is told by `TextPages`.
 */
import { type Area, contains } from "@freehold/core/coverage/Territory"
import * as Span from "@freehold/core/operation/Span"
import {
  type Condition,
  type County,
  type LocationCount,
  type LocationSearch,
  mostCities,
  mostWorded,
  PropertySearch,
  type Sort,
  type TextPage,
  type TextSearch
} from "@freehold/core/property/PropertySearch"
import { sortKinds } from "@freehold/core/property/SearchOrder"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { storable } from "../database/StorableText.ts"
import * as GriddedArea from "./GriddedArea.ts"
import * as PageRowFunctions from "./PageRowFunctions.ts"
import * as PropertyConditions from "./PropertyConditions.ts"
import { compactColumns, fullColumns, type SummaryColumns } from "./PropertyRowPg.ts"
import {
  isAfter,
  onward,
  orderBy,
  orderedByCounty,
  ordersCarried,
  positionOf,
  sortExpression
} from "./SearchPosition.ts"
import * as TextPages from "./TextPages.ts"
import * as WideArea from "./WideArea.ts"

type Fragment = Statement.Fragment

/** All matches by category, as name and count; null: nothing matches. */
interface Counted {
  readonly categories: unknown
}

const countOf = (counted: unknown): LocationCount => {
  const categories = Array.isArray(counted) ? counted.map(([category, count]) => ({ category, count })) : []
  return { total: categories.reduce((sum, { count }) => sum + count, 0), categories }
}

/** A page of a wide area that ends further down is sorted, since each of the many counties in it would be read as far. */
const mostListedOfEach = 200

/** Rows that may be read from the lists of counties, each with its table, before all matches are sorted instead. */
const mostListed = 20_000

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

/** A row of a page: the columns of a summary, its place in the order, and by location all matches by category. */
type PageRow = ReadonlyArray<unknown>

const placeIn = (value: unknown): string | number | null =>
  typeof value === "string" || typeof value === "number" ? value : null

/** The first `limit` of the rows, and where they end when there are more. */
const pageOf = (rows: ReadonlyArray<PageRow>, { count, read }: SummaryColumns, limit: number): TextPage => {
  const page = rows.slice(0, limit).map(read)
  const last = page.at(-1)
  return {
    rows: page,
    next: last === undefined || rows.length <= limit
      ? null
      : { value: placeIn(rows[page.length - 1]?.[count]), id: last.id }
  }
}

const make = Effect.gen(function*() {
  const sql = yield* Database.Reads
  const replica = yield* Database.Replica
  const { inArea } = Visibility.make(sql)

  const matches = PropertyConditions.make(sql)
  const wideArea = WideArea.make(sql)
  const { pageByText, saying } = TextPages.make(sql)
  const live = sql.literal("p.retired_into IS NULL")

  const columnsFor = ({ full }: Pick<TextSearch, "full">): SummaryColumns => full ? fullColumns : compactColumns

  /** The ids of a page and what they are sorted by, each as a list in the order. */
  const listed = (sort: Sort): Fragment => {
    const order = orderBy(sort, "sort_value", "id")
    return sql.literal(`array_agg(id ORDER BY ${order}) AS ids, array_agg(sort_value ORDER BY ${order}) AS sort_values`)
  }

  /** The rows of the ids that are `listed`. */
  const rowsOf = (search: Pick<TextSearch, "full" | "viewer">): Fragment =>
    sql`${sql.literal(PageRowFunctions.nameOf(columnsFor(search)))}(listed.ids, ${search.viewer.orgId}::text)`

  /** The columns of those rows as they are `shown`, and what each is sorted by. */
  const shown = (search: Pick<TextSearch, "full" | "sort">): Fragment => {
    const names = Object.keys(columnsFor(search).expressions).map((name) => `shown."${name}"`)
    return sql.literal(
      `${names.join(", ")}, ${positionOf(search.sort, "listed.sort_values[shown.place]")} AS sort_value`
    )
  }

  const findByText = (search: TextSearch) =>
    sql`
      SELECT ${shown(search)}
      FROM (SELECT ${listed(search.sort)} FROM (${pageByText(search)}) AS page) AS listed
      CROSS JOIN LATERAL ${rowsOf(search)} AS shown
      ORDER BY shown.place`

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
    const hit = (condition: Fragment) =>
      sql`hit AS MATERIALIZED (
        SELECT p.id, p.asset_category, ${
        sql.literal(sortExpression(sort))
      } AS sort_value FROM property p WHERE ${condition}
      )`
    const counted = sql`SELECT asset_category AS name, count(*)::int AS count FROM hit GROUP BY 1`
    const afterPosition = after === null ? sql`true` : isAfter(sql, sort, after, { value: "sort_value", id: "id" })
    const order = sql.literal(orderBy(sort, "sort_value", "id"))
    const wide = WideArea.of(conditions, areas)
    if (wide !== null && orderedByCounty.has(sort.column) && offset + limit <= mostListedOfEach) {
      const ofCounty = sql.and([
        live,
        sql`p.county_fips = inside.county_fips AND p.lat IS NOT NULL AND p.lon IS NOT NULL`,
        listedInOrder(sort),
        ...onward(sql, sort, after)
      ])
      return sql`${wideArea.inside(search.viewer.visible, wide)},
        ${hit(sql.and([live, wideArea.isAtBorder(search.viewer.visible, wide)]))},
        category AS (${wideArea.counted(counted)}),
        page AS (
          SELECT id, sort_value FROM (
            SELECT id, sort_value FROM hit WHERE ${afterPosition}
            UNION ALL ${
        wideArea.ofEachInside(sql`
              SELECT p.id, ${sql.literal(sortExpression(sort))} AS sort_value FROM property p WHERE ${ofCounty}
              ORDER BY ${sql.literal(orderBy(sort, sortExpression(sort), "p.id"))} LIMIT ${offset + limit + 1}::int`)
      }
          ) AS listed
          ORDER BY ${order} LIMIT ${limit + 1}::int OFFSET ${offset}::int
        )`
    }
    return sql`${hit(where)},
      category AS (${counted}),
      page AS (
        SELECT id, sort_value FROM hit WHERE ${afterPosition}
        ORDER BY ${order} LIMIT ${limit + 1}::int OFFSET ${offset}::int
      )`
  }

  const findByLocation = (search: LocationSearch, areas: GriddedArea.Areas) =>
    sql`
      WITH ${located(search, areas)}
      SELECT ${
      shown(search)
    }, CASE WHEN coalesce(shown.place, 1) = 1 THEN (SELECT ${categoriesJson} FROM category) END AS categories
      FROM (SELECT ${listed(search.sort)} FROM page) AS listed
      LEFT JOIN LATERAL ${rowsOf(search)} AS shown ON true
      ORDER BY shown.place`

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

  /**
   * The names from one to the next in the index of cities: as many steps as there are names with the letters. Where the
   * database orders texts by a language, names with accents stand in between.
   */
  const citiesFrom = (letters: ReadonlyArray<string>, visible: Area) => {
    const next = (from: Fragment) =>
      sql`(SELECT lower(p.city) FROM property p WHERE ${live} AND lower(p.city) ${from} ORDER BY lower(p.city) LIMIT 1)`
    return sql`
      WITH RECURSIVE city AS (
        SELECT letter, ${next(sql`>= letter`)} AS name FROM unnest(${letters}::text[]) AS asked (letter)
        UNION ALL
        SELECT letter, ${next(sql`> city.name`)} FROM city
        WHERE letter = 'z' AND name IS NOT NULL OR name < chr(ascii(letter) + 1)
      )
      SELECT name FROM city
      WHERE left(name, 1) = letter
        AND EXISTS (SELECT FROM property p WHERE ${live} AND lower(p.city) = city.name AND ${inArea(visible)})
      LIMIT ${mostCities}::int`
  }

  return PropertySearch.of({
    byText: Effect.fnUntraced(
      function*(search) {
        return pageOf(yield* replica.values(findByText(search)), columnsFor(search), search.limit)
      },
      Effect.catchTag("SqlError", unavailable),
      Span.named("PropertySearch.byText")
    ),

    byLocation: Effect.fnUntraced(
      function*(search) {
        const areas = yield* GriddedArea.ofConditions(search.conditions)
        const rows = yield* replica.values(findByLocation(search, areas))
        const columns = columnsFor(search)
        const [first] = rows
        return {
          // An empty page is one row without an id, for the totals that the first row carries.
          ...pageOf(first?.[0] === null ? [] : rows, columns, search.limit),
          ...countOf(first?.[columns.count + 1])
        }
      },
      Effect.catchTag("SqlError", unavailable),
      Span.named("PropertySearch.byLocation")
    ),

    countByText: Effect.fn("PropertySearch.countByText")(function*(search, most) {
      const [counted] = yield* replica.rows<{ readonly count: number }>(sql`
        SELECT count(*)::int AS count
        FROM (SELECT FROM property p WHERE ${saying(search)} LIMIT ${most}::int) AS hit`)
      return counted?.count ?? 0
    }, Effect.catchTag("SqlError", unavailable)),

    countByLocation: Effect.fn("PropertySearch.countByLocation")(function*(search) {
      const areas = yield* GriddedArea.ofConditions(search.conditions)
      const [counted] = yield* replica.rows<Counted>(countMatches(search, areas))
      return countOf(counted?.categories)
    }, Effect.catchTag("SqlError", unavailable)),

    matchesAny: Effect.fn("PropertySearch.matchesAny")(function*(viewer, alternatives) {
      const areas = yield* GriddedArea.ofConditions(alternatives.flat())
      const each = alternatives.map((conditions) =>
        sql`EXISTS (SELECT FROM property p WHERE ${locating({ conditions, viewer }, areas).where})`
      )
      const [found] = yield* replica.rows<{ readonly found: ReadonlyArray<boolean> }>(
        sql`SELECT json_build_array(${sql.csv(each)}) AS found`
      )
      return found?.found ?? []
    }, Effect.catchTag("SqlError", unavailable)),

    wordsFor: Effect.fn("PropertySearch.wordsFor")(function*(field, search, most) {
      const areas = yield* GriddedArea.ofConditions(search.conditions)
      const found = yield* replica.rows<{ readonly value: string }>(sql`
        SELECT value FROM (
          SELECT ${sql.literal(PropertyConditions.column(field))} AS value FROM property p WHERE ${
        locating(search, areas).where
      }
          LIMIT ${mostWorded}
        ) AS looked WHERE value IS NOT NULL
        GROUP BY value ORDER BY count(*) DESC, value COLLATE "C" LIMIT ${most}`)
      return found.map(({ value }) => value)
    }, Effect.catchTag("SqlError", unavailable)),

    citiesBeginning: Effect.fn("PropertySearch.citiesBeginning")(function*(letters, visible) {
      const found = yield* replica.rows<{ readonly name: string }>(citiesFrom(letters, visible))
      return found.map(({ name }) => name)
    }, Effect.catchTag("SqlError", unavailable)),

    citiesNamed: Effect.fn("PropertySearch.citiesNamed")(
      (names, visible) =>
        replica.rows<{ readonly city: string; readonly state: string }>(sql`
          SELECT DISTINCT lower(p.city) AS city, p.state FROM property p
          WHERE ${live} AND p.state IS NOT NULL AND lower(p.city) = ANY(${names.map(storable)}::text[])
            AND ${inArea(visible)}`),
      Effect.catchTag("SqlError", unavailable)
    ),

    counties: replica.rows<County>(sql`
      SELECT county_fips AS "countyFips", name, state FROM county ORDER BY county_fips COLLATE "C"`).pipe(
      Effect.catchTag("SqlError", unavailable),
      Effect.withSpan("PropertySearch.counties")
    )
  })
})

export const layer: Layer.Layer<PropertySearch, never, Database.Reads | Database.Replica> = Layer.effect(
  PropertySearch,
  make
)

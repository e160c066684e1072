/**
 * `PropertySearch` over PostgreSQL, on a replica where there is one. Each method is one statement; but where a processor is to spare, a large area
 * is searched in halves at once (`SearchHalves`).
 *
 * A search first finds the ids of its page, from indexes alone wherever it can (`migrations/baseline/records`), and then reads
 * the rows of that page (`PageRowFunctions`). The text of a statement varies with the kinds of conditions and never with a
 * value: every value is a parameter. Statements are planned anew each time, because the best plan depends on the values; how
 * the rows are read does not, and is planned once.
 *
 * A search by location counts all its matches and shows a page of them (`LocationPages`). A search by text is told by `TextPages`.
 */
import type { Area } from "@freehold/core/coverage/Territory"
import * as Span from "@freehold/core/operation/Span"
import {
  type County,
  type LocationCount,
  type LocationPage,
  type LocationSearch,
  mostCities,
  mostWorded,
  PropertySearch,
  type Sort,
  type TextPage,
  type TextSearch
} from "@freehold/core/property/PropertySearch"
import { compareCategories } from "@freehold/core/property/SearchOrder"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import * as Database from "../database/Database.ts"
import { inHalves } from "../database/InTwo.ts"
import { storable } from "../database/StorableText.ts"
import * as GriddedArea from "./GriddedArea.ts"
import * as LocationPages from "./LocationPages.ts"
import * as PageRowFunctions from "./PageRowFunctions.ts"
import * as PropertyConditions from "./PropertyConditions.ts"
import { compactColumns, fullColumns, type SummaryColumns } from "./PropertyRowPg.ts"
import * as SearchHalves from "./SearchHalves.ts"
import { orderBy, positionOf, valueOfText } from "./SearchPosition.ts"
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

/** The matches of several parts together. */
const countOfAll = (parts: ReadonlyArray<LocationCount>): LocationCount => {
  const byCategory = Map.groupBy(parts.flatMap(({ categories }) => categories), ({ category }) => category)
  const sum = (counts: ReadonlyArray<number>) => counts.reduce((total, count) => total + count, 0)
  return {
    total: sum(parts.map(({ total }) => total)),
    categories: Array.from(
      byCategory,
      ([category, counted]) => ({ category, count: sum(counted.map(({ count }) => count)) })
    )
      .toSorted(compareCategories)
  }
}

/** The first of a half, in its order. */
interface FirstOfHalf extends Counted {
  readonly ids: ReadonlyArray<string> | null
  readonly values: ReadonlyArray<string | null> | null
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

  const { categoriesJson, countMatches, located, locating } = LocationPages.make(sql)
  const { pageByText, saying } = TextPages.make(sql)
  const wideArea = WideArea.make(sql)
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

  const areasOf = (search: Pick<LocationSearch, "conditions" | "viewer">) => wideArea.ofConditions(search, replica.rows)

  const findByText = (search: TextSearch) =>
    sql`
      SELECT ${shown(search)}
      FROM (SELECT ${listed(search.sort)} FROM (${pageByText(search)}) AS page) AS listed
      CROSS JOIN LATERAL ${rowsOf(search)} AS shown
      ORDER BY shown.place`

  /** The first of a half, by id and by what they are sorted by, as texts, and all that matches in it by category. */
  const firstOfHalf = ({ areas, search }: SearchHalves.Half<LocationSearch>) => {
    const order = sql.literal(orderBy(search.sort, "sort_value", "id"))
    return sql`
      WITH ${located(SearchHalves.fromStart(search), areas)}
      SELECT array_agg(id::text ORDER BY ${order}) AS ids, array_agg(sort_value::text ORDER BY ${order}) AS values,
        (SELECT ${categoriesJson} FROM category) AS categories
      FROM page`
  }

  /** The page of the whole, among the first of its halves. */
  const pageOfHalves = (search: LocationSearch, halves: ReadonlyArray<FirstOfHalf>) =>
    sql`
      SELECT ${shown(search)}
      FROM (SELECT ${listed(search.sort)} FROM (
        SELECT id, ${sql.literal(valueOfText(search.sort, "value"))} AS sort_value
        FROM unnest(${textArray(halves.flatMap(({ ids }) => ids ?? []))}::uuid[], ${
      textArray(halves.flatMap(({ values }) => values ?? []))
    }) AS first (id, value)
        ORDER BY ${sql.literal(orderBy(search.sort, "sort_value", "id"))}
        LIMIT ${search.limit + 1}::int OFFSET ${search.offset}::int
      ) AS page) AS listed
      CROSS JOIN LATERAL ${rowsOf(search)} AS shown
      ORDER BY shown.place`

  const findByLocation = (search: LocationSearch, areas: GriddedArea.Areas) =>
    sql`
      WITH ${located(search, areas)}
      SELECT ${
      shown(search)
    }, CASE WHEN coalesce(shown.place, 1) = 1 THEN (SELECT ${categoriesJson} FROM category) END AS categories
      FROM (SELECT ${listed(search.sort)} FROM page) AS listed
      LEFT JOIN LATERAL ${rowsOf(search)} AS shown ON true
      ORDER BY shown.place`

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
        const areas = yield* areasOf(search)
        const columns = columnsFor(search)
        return yield* inHalves<SearchHalves.Half<LocationSearch>, FirstOfHalf, LocationPage>(
          replica,
          SearchHalves.of(search, areas),
          {
            asWhole: () =>
              Effect.map(replica.values(findByLocation(search, areas)), (rows) => ({
                // An empty page is one row without an id, for the totals that the first row carries.
                ...pageOf(rows[0]?.[0] === null ? [] : rows, columns, search.limit),
                ...countOf(rows[0]?.[columns.count + 1])
              })),
            statementOf: firstOfHalf,
            whole: (halves, client) =>
              Effect.map(client`${pageOfHalves(search, halves)}`.valuesUnprepared, (rows) => ({
                ...pageOf(rows, columns, search.limit),
                ...countOfAll(halves.map(({ categories }) => countOf(categories)))
              }))
          }
        )
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
      const areas = yield* areasOf(search)
      const count = (counted: ReadonlyArray<Counted>) =>
        countOfAll(counted.map(({ categories }) => countOf(categories)))
      return yield* inHalves<SearchHalves.Half<typeof search>, Counted, LocationCount>(
        replica,
        SearchHalves.of(search, areas),
        {
          asWhole: () => Effect.map(replica.rows<Counted>(countMatches(search, areas)), count),
          statementOf: (half) => countMatches(half.search, half.areas),
          whole: (counted) => Effect.succeed(count(counted))
        }
      )
    }, Effect.catchTag("SqlError", unavailable)),

    matchesAny: Effect.fn("PropertySearch.matchesAny")(function*(viewer, alternatives) {
      const areas = yield* GriddedArea.ofConditions(alternatives.flat(), GriddedArea.make)
      const each = alternatives.map((conditions) =>
        sql`EXISTS (SELECT FROM property p WHERE ${locating({ conditions, viewer }, areas).where})`
      )
      const [found] = yield* replica.rows<{ readonly found: ReadonlyArray<boolean> }>(
        sql`SELECT json_build_array(${sql.csv(each)}) AS found`
      )
      return found?.found ?? []
    }, Effect.catchTag("SqlError", unavailable)),

    wordsFor: Effect.fn("PropertySearch.wordsFor")(function*(field, search, most) {
      const areas = yield* GriddedArea.ofConditions(search.conditions, GriddedArea.make)
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

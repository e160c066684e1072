/**
 * Whom a viewer sees, told from how far they reach: `contact_reach` and `firm_reach`, as `r`.
 *
 * Most reach no further than a county. Those whose whole reach lies in what is seen are decided by it, and counted there;
 * of those who reach across its border (`crossing`) the ties must be looked at: whether one lies there, and, of those who
 * reach beyond what is seen at all, how many.
 */
import type { Area } from "@freehold/core/coverage/Territory"
import type { SqlClient, Statement } from "effect/sql"
import * as ReachFunctions from "./ReachFunctions.ts"
import type { Kind } from "./TallyFunctions.ts"

type Fragment = Statement.Fragment

/** The states of some counties. */
const statesOf = (counties: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set(counties.map((county) => county.slice(0, 2))))

const territories = ["60", "66", "69", "72", "78"]

/** As the database's `state_bit`: a bit for each state, and one for all codes that no state has. */
const bitOf = (state: string): bigint => {
  const territory = territories.indexOf(state)
  return 1n << BigInt(territory >= 0 ? 57 + territory : state <= "56" ? Number(state) : 62)
}

/** Of all codes that no state has: which of them, it does not tell. */
const noState = bitOf("99")

const bitsOf = (states: ReadonlyArray<string>): bigint => states.reduce((bits, state) => bits | bitOf(state), 0n)

/** The single counties of an area: those in states that are not in it as a whole. */
const single = ({ countyFips, stateFips }: Area): ReadonlyArray<string> =>
  countyFips.filter((county) => !stateFips.includes(county.slice(0, 2)))

/** The states that the area holds as a whole and that a bit tells of. */
const told = ({ stateFips }: Area): bigint => bitsOf(stateFips.filter((state) => bitOf(state) !== noState))

/** Counties that are asked for lie in the area; null: the whole area is. */
type Asked = ReadonlyArray<string> | null

/** A page that ends further down is not walked to, row by row, but sorted. */
export const mostWalked = 20_000

/** One in so many at least is asked for where a page is walked to, so that it is full before many more were walked past. */
export const mostPassed = 50

/** No more are walked past to the end of a page, as far as can be told: else those who are asked for are put in order. */
const mostPassedInAll = 50_000

/** So many of the counties of a reach are looked up one by one. */
const lookedUp = 4

export const make = (sql: SqlClient.SqlClient) => {
  const yes = sql.literal("true")
  const no = sql.literal("false")
  const or = (fragments: ReadonlyArray<Fragment>): Fragment => fragments.length === 0 ? no : sql.or(fragments)

  /** No other state than these. */
  const isOf = (states: bigint): Fragment => sql`(r.states & ~${String(states)}::bigint = 0)`

  /** The whole reach lies in what is asked for. */
  const within = (area: Area, asked: Asked): Fragment =>
    asked !== null
      ? sql`r.area = ANY(${asked}::text[])`
      : area.nationwide
      ? yes
      : sql`(left(r.area, 2) = ANY(${area.stateFips}::text[]) OR r.area = ANY(${single(area)}::text[])
        OR r.area = '' AND ${isOf(told(area))})`

  /** The same of counts: they are few, so that nothing has to be known of how many lie where. */
  const countedWithin = (area: Area, asked: Asked): Fragment =>
    asked !== null || area.nationwide
      ? within(area, asked)
      : sql`(${isOf(told(area))} OR left(r.area, 2) = ANY(${area.stateFips.filter((state) => bitOf(state) === noState)}::text[])
        OR r.area = ANY(${single(area)}::text[]))`

  /**
   * How many people or firms are `within`, with a role or with any, as they are counted (`TallyFunctions`); of those alone of whose
   * reach the further conditions are true.
   */
  const countWithin = (
    kind: Kind,
    area: Area,
    asked: Asked,
    role: string | null,
    further: ReadonlyArray<Fragment> = []
  ): Fragment =>
    sql`(SELECT coalesce(sum(r.count), 0) FROM reach_tally_now r WHERE ${
      sql.and([
        sql`r.kind = ${kind}`,
        countedWithin(area, asked),
        ...role === null ? [] : [sql`${role}::text = ANY(r.roles)`],
        ...further
      ])
    })`

  /**
   * Whether so many are not few of all people or firms, so that a page of them, which ends after so many `rows`, is walked to in its order. All reaches are
   * added up for it.
   */
  const areWalked = (kind: Kind, count: Fragment, rows: number): Fragment =>
    sql`(${count} * ${Math.min(mostPassed, mostPassedInAll / rows)}::float8
      >= (SELECT coalesce(sum(count), 0) FROM reach_tally_now WHERE kind = ${kind}))`

  /**
   * One of the counties beside the reach is among these. Most have few, each of which is looked up among those that are asked for: of fifty that
   * takes a third of the time in which the lists are compared.
   */
  const hasOneOf = (counties: ReadonlyArray<string>): Fragment =>
    sql`(${
      sql.or(Array.from({ length: lookedUp }, (_, index) =>
        sql`r.counties[${sql.literal(String(index + 1))}] = ANY(${counties}::text[])`))
    } OR (cardinality(r.counties) > ${sql.literal(String(lookedUp))} AND r.counties && ${counties}::text[])) IS TRUE`

  /** Some tie lies in the area, by the counties beside the reach; by the ties, where a cell has none of whom an earlier version tied. */
  const has = (kind: Kind, area: Area): Fragment => {
    const counties = single(area)
    const untold = area.stateFips.filter((state) => bitOf(state) === noState)
    const inThese = (county: string) =>
      or([
        ...counties.length === 0 ? [] : [sql`${sql.literal(county)} = ANY(${counties}::text[])`],
        ...area.stateFips.length === 0 ? [] : [sql`left(${sql.literal(county)}, 2) = ANY(${area.stateFips}::text[])`]
      ])
    return sql`CASE WHEN r.counties IS NULL THEN EXISTS (SELECT FROM ${sql(`property_${kind}`)} t
        WHERE t.${sql(`${kind}_id`)} = r.${sql(`${kind}_id`)} AND ${sql.literal(ReachFunctions.told[kind])}
          AND ${inThese("t.county_fips")})
      ELSE ${
      or([
        ...counties.length === 0 ? [] : [hasOneOf(counties)],
        ...untold.length === 0 ? [] : [
          sql`EXISTS (SELECT FROM unnest(r.counties) AS county WHERE left(county, 2) = ANY(${untold}::text[]))`
        ]
      ])
    } END`
  }

  /**
   * Whether some tie lies in an area. Of most reaches that is told by how far they go (`surely`). Of those of several counties that may lie on
   * both sides of its border (`maybe`) the counties tell (`found`).
   */
  const touching = (kind: Kind, area: Area) => {
    if (area.nationwide) return { surely: yes, maybe: no, found: no, whether: yes }
    const counties = single(area)
    const partly = statesOf(counties)
    const [whole, touched] = [told(area), bitsOf([...area.stateFips, ...partly])]
    const isAcross = (states: bigint) => sql`r.states & ${String(states)}::bigint <> 0`
    const surely = or([
      ...counties.length === 0 ? [] : [sql`r.area = ANY(${counties}::text[])`],
      ...area.stateFips.length === 0 ? [] : [sql`left(r.area, 2) = ANY(${area.stateFips}::text[])`],
      ...whole === 0n ? [] : [sql`(r.area = '' AND ${isAcross(whole)})`]
    ])
    const maybe = or([
      ...partly.length === 0 ? [] : [sql`r.area = ANY(${partly}::text[])`],
      ...touched === whole
        ? []
        : [sql`(r.area = '' AND ${isAcross(touched)}${whole === 0n ? sql.literal("") : sql` AND NOT ${isAcross(whole)}`})`]
    ])
    const found = sql`(${maybe} AND ${has(kind, area)})`
    return { surely, maybe, found, whether: sql`(${surely} OR ${found})` }
  }

  /**
   * Those whose reach may lie on both sides of the border of what is asked for: their reach, and whether all of it lies in the
   * area (`whole`). Where counties are asked for, all of them have a tie there.
   */
  const crossing = (kind: Kind, area: Area, asked: Asked): Fragment => {
    const partly = statesOf(asked ?? single(area))
    const touched = bitsOf([...asked === null ? area.stateFips : [], ...partly])
    const isTouched = sql`r.states & ${String(touched)}::bigint <> 0`
    const hasThem = (counties: ReadonlyArray<string>) =>
      has(kind, { nationwide: false, stateFips: [], countyFips: counties })
    const isWhole = (is: Fragment) => area.nationwide ? yes : is
    const some = (where: Fragment, whole: Fragment) =>
      sql`SELECT r.*, ${isWhole(whole)} AS whole FROM ${sql(`${kind}_reach`)} r WHERE ${where}`
    return asked === null && area.nationwide
      ? some(no, yes)
      : sql`${
        some(
          sql`r.area = ANY(${partly}::text[]) AND ${asked === null ? yes : hasThem(asked)}`,
          sql`r.area = ANY(${area.stateFips}::text[])`
        )
      }
        UNION ALL ${
        some(
          asked === null
            ? sql`r.area = '' AND ${isTouched} AND NOT ${isOf(told(area))}`
            // In this order: the counties of a row are many.
            : sql`r.area = '' AND CASE WHEN ${isTouched} THEN ${hasThem(asked)} ELSE false END`,
          isOf(told(area))
        )
      }`
  }

  /** At the end of the select that is walked in an order: keeps a far page from being walked to. */
  const fence = (rows: number): Fragment => sql.literal(rows > mostWalked ? "OFFSET 0" : "")

  return { areWalked, countWithin, countedWithin, crossing, fence, touching, within }
}

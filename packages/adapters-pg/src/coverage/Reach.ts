/**
 * Whom a viewer sees, told from how far they reach: `contact_reach` and `firm_reach`, as `r`.
 *
 * Most reach no further than a county. Those whose whole reach lies in what is seen are decided by it, and counted there;
 * of those who reach across its border (`crossing`) the ties must be looked at.
 */
import type { Area } from "@freehold/core/coverage/Territory"
import type { SqlClient, Statement } from "effect/sql"

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

/** Counties that are asked for lie in the area; null: the whole area is. */
type Asked = ReadonlyArray<string> | null

/** A page that ends further down is not walked to, row by row, but sorted. */
const mostWalked = 20_000

export const make = (sql: SqlClient.SqlClient) => {
  /** Several states, each of which the area holds as a whole. */
  const withinStates = ({ stateFips }: Area): Fragment =>
    sql`(r.area = '' AND r.states & ~${String(bitsOf(stateFips.filter((state) => bitOf(state) !== noState)))}::bigint = 0)`

  /** The whole reach lies in what is asked for. */
  const within = (area: Area, asked: Asked): Fragment =>
    asked !== null
      ? sql`r.area = ANY(${asked}::text[])`
      : area.nationwide
      ? sql.literal("true")
      : sql`(left(r.area, 2) = ANY(${area.stateFips}::text[]) OR r.area = ANY(${single(area)}::text[])
        OR ${withinStates(area)})`

  /** How many rows of a table are `within`: each range of areas is counted by itself, and nothing else is read. */
  const countWithin = (table: "contact_reach" | "firm_reach", area: Area, asked: Asked): Fragment => {
    if (asked === null && area.nationwide) return sql`(SELECT count(*) FROM ${sql(table)})`
    const states = asked === null ? area.stateFips : []
    const counties = asked ?? single(area)
    const several = asked === null ? sql`(SELECT count(*) FROM ${sql(table)} r WHERE ${withinStates(area)})` : sql`0`
    return sql`((
      SELECT count(*) FROM unnest(${[...states, ...counties]}::text[], ${
      [...states.map((state) => `${state}999`), ...counties]
    }::text[]) AS range (low, high)
      JOIN ${sql(table)} r ON r.area BETWEEN range.low AND range.high
    ) + ${several})`
  }

  /** The reach may lie on both sides of the border of what is asked for. */
  const crossing = (area: Area, asked: Asked): Fragment => {
    if (asked === null && area.nationwide) return sql.literal("false")
    const partly = statesOf(asked ?? single(area))
    const touches = sql`r.states & ${String(bitsOf([...asked === null ? area.stateFips : [], ...partly]))}::bigint <> 0`
    const several = asked === null ? sql`(${touches} AND NOT ${withinStates(area)})` : touches
    return sql`(r.area = ANY(${partly}::text[]) OR (r.area = '' AND ${several}))`
  }

  /** At the end of the select that is walked in an order: keeps a far page from being walked to. */
  const fence = (rows: number): Fragment => sql.literal(rows > mostWalked ? "OFFSET 0" : "")

  return { countWithin, crossing, fence, within }
}

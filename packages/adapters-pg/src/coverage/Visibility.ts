/**
 * What a viewer sees, as conditions of a query: the one place that says it for searches.
 *
 * Queries name the tables `p` (property), `c` (contact), `pc` (property_contact) and `pf` (property_firm). Ties know the
 * county of their property, unless it is retired, so that people and firms are found without the properties.
 */
import { type Area, isEmpty } from "@freehold/core/coverage/Territory"
import type { Viewer } from "@freehold/core/coverage/Viewer"
import type { SqlClient, Statement } from "effect/sql"

type Fragment = Statement.Fragment

/** Every person at every property that is not retired, a row for each of the two. */
export const peopleAtProperties = `contact c
  JOIN property_contact pc ON pc.contact_id = c.id AND pc.county_fips IS NOT NULL`

/** Which columns name the property and its county. */
export interface Place {
  readonly property: string
  readonly county: string
  /** Which tells when the property was researched, NULL if it was not; absent: a tie, which does not know it. */
  readonly enriched?: string
}

/** So many states are worth looking for in an index. */
const fewStates = 5

const property: Place = { property: "p.id", county: "p.county_fips", enriched: "p.last_enriched_at" }
export const personTie: Place = { property: "pc.property_id", county: "pc.county_fips" }
export const firmTie: Place = { property: "pf.property_id", county: "pf.county_fips" }

/** The conditions on properties at a place, made with a client's `sql`. */
export const make = (sql: SqlClient.SqlClient, place: Place = property) => {
  const id = sql.literal(place.property)
  const county = sql.literal(place.county)
  const yes = sql.literal("true")
  const no = sql.literal("false")
  const or = (fragments: ReadonlyArray<Fragment>): Fragment => fragments.length === 0 ? no : sql.or(fragments)

  /** The property lies in the area. */
  const inArea = (area: Area): Fragment =>
    area.nationwide ? yes : or([
      ...area.countyFips.length > 0 ? [sql`${county} = ANY(${area.countyFips}::text[])`] : [],
      // As ranges, because an index knows nothing of prefixes; many are told apart quicker by their prefixes.
      ...area.stateFips.length > fewStates ? [sql`left(${county}, 2) = ANY(${area.stateFips}::text[])`] : area.stateFips.map((prefix) => sql`${county} BETWEEN ${`${prefix}000`} AND ${`${prefix}999`}`)
    ])

  /** The same, row by row and in one shape of the statement: for a query that is led by another table. */
  const rowInArea = ({ countyFips, nationwide, stateFips }: Area): Fragment =>
    sql`(${nationwide} OR ${county} = ANY(${countyFips}::text[]) OR left(${county}, 2) = ANY(${stateFips}::text[]))`

  /** There is research of the property. */
  const researched: Fragment = place.enriched === undefined
    ? sql`EXISTS (SELECT FROM property_research r WHERE r.property_id = ${id})`
    : sql.literal(`${place.enriched} IS NOT NULL`)

  const unlocked = (orgId: string, where: Fragment = yes): Fragment =>
    sql`EXISTS (SELECT FROM property_access a
      WHERE a.org_id = ${orgId} AND a.property_id = ${id} AND a.source = 'paid' AND ${where})`

  /** The organization holds the property, by coverage or by an unlock. */
  const held = ({ covered, orgId }: Viewer): Fragment =>
    or([...isEmpty(covered) ? [] : [inArea(covered)], unlocked(orgId)])

  /** There is no research of the property that is open to the viewer: each for itself, since a bare EXISTS is planned as a join. */
  const unrevealed = ({ covered, orgId }: Viewer): Fragment =>
    sql.and([sql`NOT (${researched} AND ${inArea(covered)})`, sql`NOT ${unlocked(orgId, researched)}`])

  return { held, inArea, no, or, researched, rowInArea, unrevealed, yes }
}

/** The person `c` is attached to a property in the area that the subscription covers, which may be wider than what is seen. */
export const coveredPerson = (sql: SqlClient.SqlClient, { covered }: Viewer): Fragment =>
  sql`EXISTS (SELECT FROM property_contact pc
    WHERE pc.contact_id = c.id AND pc.county_fips IS NOT NULL AND ${make(sql, personTie).inArea(covered)})`

/** The ids of everyone whom the organization paid for, or who is attached to a property that it unlocked. */
export const paidPeople = (sql: SqlClient.SqlClient, orgId: string): Fragment =>
  sql`SELECT a.contact_id FROM contact_access a WHERE a.org_id = ${orgId} AND a.source = 'paid'
    UNION SELECT pc.contact_id FROM property_access a
    JOIN property_contact pc ON pc.property_id = a.property_id AND pc.county_fips IS NOT NULL
    WHERE a.org_id = ${orgId} AND a.source = 'paid'`

/** The person whose id stands in that column is one of them. */
export const paidPerson = (sql: SqlClient.SqlClient, orgId: string, column: string): Fragment =>
  sql`EXISTS (SELECT FROM (${paidPeople(sql, orgId)}) AS paid WHERE paid.contact_id = ${sql.literal(column)})`

/** The person `c` was paid for, or is attached to a property that the organization holds, in whatever county. */
export const opened = (sql: SqlClient.SqlClient, viewer: Viewer): Fragment =>
  sql`(${coveredPerson(sql, viewer)} OR ${paidPerson(sql, viewer.orgId, "c.id")})`

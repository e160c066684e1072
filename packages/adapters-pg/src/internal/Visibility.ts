/**
 * What a viewer sees, as conditions of a query: the one place that says it for searches.
 *
 * Queries name the tables `p` (property), `c` (contact) and `pc` (property_contact).
 */
import type { Area } from "@freehold/core/coverage/Territory"
import type { Viewer } from "@freehold/core/coverage/Viewer"
import type { SqlClient, Statement } from "effect/sql"

type Fragment = Statement.Fragment

/** Every person at every property that is not retired, a row for each of the two. */
export const peopleAtProperties = `contact c JOIN property_contact pc ON pc.contact_id = c.id
  JOIN property p ON p.id = pc.property_id AND p.retired_into IS NULL`

/** The conditions, made with a client's `sql`. */
export const make = (sql: SqlClient.SqlClient) => {
  const yes = sql.literal("true")
  const no = sql.literal("false")
  const or = (fragments: ReadonlyArray<Fragment>): Fragment => fragments.length === 0 ? no : sql.or(fragments)

  /** The property lies in the area. */
  const inArea = (area: Area): Fragment =>
    area.nationwide ? yes : or([
      ...area.countyFips.length > 0 ? [sql`p.county_fips = ANY(${area.countyFips}::text[])`] : [],
      // As ranges, because an index knows nothing of prefixes.
      ...area.stateFips.map((prefix) => sql`p.county_fips BETWEEN ${`${prefix}000`} AND ${`${prefix}999`}`)
    ])

  /** The same, row by row and in one shape of the statement: for a query that is led by another table. */
  const rowInArea = ({ countyFips, nationwide, stateFips }: Area): Fragment =>
    sql`(${nationwide} OR p.county_fips = ANY(${countyFips}::text[]) OR left(p.county_fips, 2) = ANY(${stateFips}::text[]))`

  /** There is research of the property. */
  const researched: Fragment = sql.literal("EXISTS (SELECT FROM property_research WHERE property_id = p.id)")

  const unlocked = (orgId: string): Fragment =>
    sql`EXISTS (SELECT FROM property_access WHERE org_id = ${orgId} AND property_id = p.id AND source = 'paid')`

  /** The organization holds the property, by coverage or by an unlock. */
  const held = ({ covered, orgId }: Viewer): Fragment => or([inArea(covered), unlocked(orgId)])

  /** The person `c` was paid for, or is attached to a property that the organization holds, in whatever county. */
  const opened = (viewer: Viewer): Fragment =>
    or([
      sql`EXISTS (SELECT FROM contact_access WHERE org_id = ${viewer.orgId} AND contact_id = c.id AND source = 'paid')`,
      sql`EXISTS (SELECT FROM property_contact pc JOIN property p ON p.id = pc.property_id AND p.retired_into IS NULL
        WHERE pc.contact_id = c.id AND ${held(viewer)})`
    ])

  return { held, inArea, no, opened, or, researched, rowInArea, yes }
}

/**
 * What holds for what is kept of properties, firms and people so that searches need not count it, each law as one statement that finds what
 * breaks it: triggers keep it (`coverage`, `map`, `contact`, `database/KeptCounts`), and a search tells it as it is.
 *
 * *Gotchas.* A cell has what it received: counts come to it once it has joined again.
 */
import * as TitleFunctions from "../contact/TitleFunctions.ts"
import * as TallyFunctions from "../coverage/TallyFunctions.ts"
import type { KeptCounts } from "../database/KeptCounts.ts"
import * as MapFunctions from "../map/MapFunctions.ts"
import type { Law } from "./Law.ts"

/** Those whose reach is kept otherwise than it is told by their ties. */
const reachesApart = (kind: string, called: string): string => `
  SELECT NULL::text, '${called} ' || ${kind}_id, 'reaches as far as its ties do not say' FROM (
    (TABLE ${kind}_reach EXCEPT TABLE ${kind}_reach_counted) UNION ALL (TABLE ${kind}_reach_counted EXCEPT TABLE ${kind}_reach)
  ) AS apart GROUP BY ${kind}_id`

/** The keys by which counts are kept otherwise than they are counted anew. */
const countsApart = ({ key, table }: KeptCounts, record: string): string => {
  const names = key.join(", ")
  return `
  SELECT NULL::text, ${record}, format('is kept as %s, and counted as %s', sum(kept), sum(counted)) FROM (
    SELECT ${names}, count AS kept, 0 AS counted FROM ${table}_now UNION ALL
    SELECT ${names}, 0, count FROM ${table}_counted
  ) AS part GROUP BY ${names} HAVING sum(kept) <> sum(counted)`
}

const ofNoCell = (statements: ReadonlyArray<string>): string =>
  `SELECT * FROM (${statements.join("\nUNION ALL\n")}) AS found WHERE cell_name() IS NULL`

export const countLaws: ReadonlyArray<Law> = [
  {
    law: "Q2",
    title: "How far people and firms reach is what their ties say, and the box of a county holds its properties",
    statement: ofNoCell([
      reachesApart("contact", "person"),
      reachesApart("firm", "firm"),
      `
  SELECT NULL::text, 'property ' || p.id, 'lies outside the box of county ' || p.county_fips FROM property p
  WHERE p.lat IS NOT NULL AND p.lon IS NOT NULL AND NOT EXISTS (
    SELECT FROM county_extent e WHERE e.county_fips = p.county_fips
      AND p.lat BETWEEN e.south AND e.north AND p.lon BETWEEN e.west AND e.east
  )`
    ])
  },
  {
    law: "Q4",
    title: "What is kept of how many there are is what counting anew finds",
    statement: ofNoCell([
      countsApart(
        MapFunctions.counts,
        "format('cell %s/%s/%s in %s of category %s', level, x, y, county_fips, asset_category)"
      ),
      countsApart(TallyFunctions.counts, "format('%s of %s with reach %s %s', kind, roles, area, states)"),
      countsApart(TitleFunctions.counts, "format('title %s with reach %s %s', title, area, states)")
    ])
  }
]

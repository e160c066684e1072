/**
 * What the conditions of a search exclude by an organization's own rows or by its coverage, and how it is left out of what else is asked for.
 *
 * All of an area that lines cross is looked at in any case. So there what an organization's own rows exclude is listed, and left out of what lies in it: as a
 * rule it is little. What is researched, and covered, each property tells by itself.
 */
import type { Condition, LocationSearch } from "@freehold/core/property/PropertySearch"
import { Predicate } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import * as GriddedArea from "./GriddedArea.ts"
import * as PropertyConditions from "./PropertyConditions.ts"

type Fragment = Statement.Fragment

/** How what matches is looked for. */
export interface Matching {
  /** The common tables for it. */
  readonly tables: ReadonlyArray<Fragment>
  /** The conditions that it does not decide itself. */
  readonly conditions: ReadonlyArray<Condition>
  /** These columns of what meets a condition and what it decides, named `p`. */
  readonly of: (columns: Fragment, condition: Fragment) => Fragment
}

/** An area that touches more counties is no small part of all. */
export const manyCounties = 50

/** Whether lines lead through so much of many counties that all of it is looked at in any case. */
export const isWoven = ({ counties, isCrossed }: GriddedArea.GriddedArea): boolean =>
  isCrossed && (counties?.length ?? 0) > manyCounties

export const make = (sql: SqlClient.SqlClient) => {
  const { excluded } = PropertyConditions.make(sql)

  const simply: Pick<Matching, "of"> = {
    of: (columns, condition) => sql`(SELECT ${columns} FROM property p WHERE ${condition}) AS p`
  }

  /** What conditions exclude, and the other conditions. `uncovered`: what `covered` leaves. */
  const exclusionsOf = ({ conditions, viewer }: Pick<LocationSearch, "conditions" | "viewer">) => {
    const excluding = conditions.map(excluded(viewer))
    const all = excluding.filter(Predicate.isNotNull)
    const covered = all.map((each) => each.covered).filter(Predicate.isNotNull)
    return {
      others: conditions.filter((_, at) => excluding[at] === null),
      own: all.map((each) => each.own),
      covered,
      uncovered: covered.map((each) => sql`NOT (${each})`)
    }
  }

  const matchingOf = (
    { conditions, viewer }: Pick<LocationSearch, "conditions" | "viewer">,
    areas: GriddedArea.Areas
  ): Matching => {
    const { others, own, uncovered } = exclusionsOf({ conditions, viewer })
    if (own.length === 0 || !GriddedArea.has(areas, isWoven)) return { tables: [], conditions, of: simply.of }
    const ids = sql.join(" UNION ALL ", false)(own)
    return {
      // What is distinct is known to be looked up with one comparison.
      tables: [sql`excluded AS MATERIALIZED (SELECT DISTINCT id FROM (${ids}) AS own (id))`],
      conditions: others,
      of: (columns, condition) =>
        sql`(
          SELECT p.* FROM (
            SELECT ${columns} FROM property p
            WHERE ${sql.and([condition, ...uncovered])} OFFSET 0
          ) AS p
          WHERE NOT EXISTS (SELECT FROM excluded WHERE excluded.id = p.id)
        ) AS p`
    }
  }

  /** How many of the properties meet the condition, by category. */
  const countedBy = (condition: Fragment, { of }: Pick<Matching, "of"> = simply): Fragment =>
    sql`SELECT p.asset_category AS name, count(*)::int AS count
      FROM ${of(sql.literal("p.id, p.asset_category"), condition)} GROUP BY 1`

  return { countedBy, exclusionsOf, matchingOf }
}

/**
 * People with a part of a title, as parts of the statement of a browse: counted from how many have each title (`TitleFunctions`), and
 * listed title by title in the order of the titles.
 *
 * *Gotchas*
 *
 * - A cell that was migrated has no counts yet, until it joins again and receives them: its people are counted one by one.
 */
import type { Area } from "@freehold/core/coverage/Territory"
import type { Place } from "@freehold/core/operation/PageCursor"
import type { SqlClient, Statement } from "effect/sql"
import * as Reach from "../coverage/Reach.ts"
import { containing, storable } from "../database/StorableText.ts"

type Fragment = Statement.Fragment

/** What is asked: the counties lie in the area; null: all of it. */
interface Asked {
  readonly text: string
  readonly area: Area
  readonly countyFips: ReadonlyArray<string> | null
}

interface Page {
  readonly after: Place | null
  readonly rows: number
}

export const make = (sql: SqlClient.SqlClient, reach: ReturnType<typeof Reach.make>) => {
  /** The common table `titled`: each title with the text, as it is ordered, how many within have it, and how many in all. */
  const titled = ({ area, countyFips, text }: Asked): Fragment => {
    const within = reach.countedWithin(area, countyFips)
    return sql`titled AS MATERIALIZED (
      SELECT lower(r.title COLLATE "C") AS title, sum(r.count) FILTER (WHERE ${within}) AS count, sum(r.count) AS everywhere
      FROM (
        SELECT area, states, title, count FROM title_tally_now UNION ALL
        SELECT area, states, title, count FROM title_tally_counted WHERE NOT EXISTS (SELECT FROM title_tally_now)
      ) AS r
      WHERE ${
      sql.and([sql`lower(r.title) LIKE ${containing(text)}`, ...isWide(area, countyFips) ? [] : [within]])
    } GROUP BY 1
    ),`
  }

  /** Whether all counts are looked at: those of whole states, which may be any, do not lie side by side. */
  const isWide = (area: Area, countyFips: Asked["countyFips"]): boolean =>
    countyFips === null && (area.nationwide || area.stateFips.length > 0)

  /** How many people within have such a title. */
  const count: Fragment = sql`(SELECT coalesce(sum(count), 0) FROM titled)`

  /** Whether people are listed title by title; null: they never are. */
  const isListed = ({ area, countyFips }: Asked): Fragment | null =>
    isWide(area, countyFips)
      ? sql`(SELECT coalesce(sum(count), 0) * ${Reach.mostPassed}::int >= coalesce(sum(everywhere), 0) FROM titled)`
      : null

  /** The first people within after a place: `id`, `properties` and `sort_text`. Only those titles are looked at that fill the page. */
  const list = ({ area, countyFips, text }: Asked, { after, rows }: Page): Fragment => {
    const last = after === null || after.value === null ? null : storable(String(after.value))
    const begun = last === null ? sql`false` : sql`title = ${last}::text`
    const onward = after === null
      ? []
      : last === null
      // Behind those with a title.
      ? [sql`false`]
      : [sql`(lower(c.title COLLATE "C"), c.id) > (${last}::text, ${after.id}::uuid)`]
    return sql`(
      SELECT listed.* FROM (
        SELECT title, sum(CASE WHEN ${begun} THEN 0 ELSE count END) OVER (ORDER BY title) - count AS before FROM titled
        WHERE count > 0 ${last === null ? sql.literal("") : sql`AND title >= ${last}::text`}
      ) AS asked CROSS JOIN LATERAL (
        SELECT r.contact_id AS id, r.properties, asked.title AS sort_text
        FROM contact c JOIN contact_reach r ON r.contact_id = c.id
        WHERE ${
      sql.and([
        sql`lower(c.title COLLATE "C") = asked.title`,
        sql`lower(c.title) LIKE ${containing(text)}`,
        reach.within(area, countyFips),
        ...onward
      ])
    }
        ORDER BY c.id LIMIT ${rows}::int
      ) AS listed
      WHERE asked.before < ${rows}::int
    )`
  }

  return { count, isListed, list, titled }
}

/**
 * People who are open to an organization, or are not, as parts of the statement of a browse: whom its subscription covers is told by how far
 * they reach (`r`), and counted from how many have the same reach; who was paid for is in the common table `paid`, and looked for by itself.
 */
import type { Viewer } from "@freehold/core/coverage/Viewer"
import type { SqlClient, Statement } from "effect/sql"
import type * as Reach from "../coverage/Reach.ts"

type Fragment = Statement.Fragment

/** What is asked: the counties lie in the visible area; null: all of it. */
interface Asked {
  readonly viewer: Viewer
  readonly countyFips: ReadonlyArray<string> | null
  /** Those who are open; false: the others. */
  readonly revealed: boolean
}

export const make = (sql: SqlClient.SqlClient, reach: ReturnType<typeof Reach.make>) => {
  const paid = sql`EXISTS (SELECT FROM paid WHERE paid.contact_id = r.contact_id)`
  const not = (condition: Fragment) => sql`NOT ${condition}`

  const coveredBy = ({ covered }: Viewer) => reach.touching("contact", covered)

  /** As is asked. */
  const isAsked = ({ revealed, viewer }: Asked): Fragment => {
    const open = sql`(${coveredBy(viewer).whether} OR ${paid})`
    return revealed ? open : not(open)
  }

  /** The same of those within, but for the open ones whom the subscription does not cover. */
  const isAskedWithin = ({ revealed, viewer }: Asked): Fragment => {
    const covered = coveredBy(viewer).whether
    return revealed ? covered : sql`${not(covered)} AND ${not(paid)}`
  }

  const paidWithin = ({ countyFips, viewer }: Asked, where: ReadonlyArray<Fragment>): Fragment =>
    sql`FROM paid JOIN contact_reach r ON r.contact_id = paid.contact_id JOIN contact c ON c.id = r.contact_id
      WHERE ${sql.and([reach.within(viewer.visible, countyFips), ...where])}`

  /** Those within who are open, and whom the subscription does not cover: `id` and `properties`. */
  const uncovered = (asked: Asked, about: ReadonlyArray<Fragment>): Fragment =>
    sql`SELECT c.id, r.properties ${paidWithin(asked, [not(coveredBy(asked.viewer).whether), ...about])}`

  /** How many within `isAskedWithin` is true of, with a role or with any. Where a reach does not tell, they are counted one by one. */
  const count = (asked: Asked, roleType: string | null): Fragment => {
    const { countyFips, revealed, viewer } = asked
    const { surely, maybe } = coveredBy(viewer)
    const isOfRole = roleType === null ? [] : [sql`c.role_type = ${roleType}`]
    const told = (further: ReadonlyArray<Fragment>) =>
      reach.countWithin("contact", viewer.visible, countyFips, roleType, further)
    // The whole reach of those within some counties is one of them, which tells.
    const untold = countyFips === null
      ? sql`(SELECT count(*) FROM contact_reach r JOIN contact c ON c.id = r.contact_id
        WHERE ${sql.and([reach.within(viewer.visible, null), maybe, isAskedWithin(asked), ...isOfRole])})`
      : sql.literal("0")
    const isTold = [not(surely), not(maybe)]
    return revealed
      ? sql`(${told([surely])} + ${untold})`
      : sql`(${told(isTold)} - (SELECT count(*) ${paidWithin(asked, [...isTold, ...isOfRole])}) + ${untold})`
  }

  return { count, isAsked, isAskedWithin, uncovered }
}

/**
 * `ContactSearch` over PostgreSQL. Each method is one statement.
 *
 * The text of a statement varies with the kinds of conditions and never with a value. Statements are planned anew each
 * time: whether to begin with the area, with a firm or with a fragment of text depends on the values.
 *
 * Everything that decides is in two indexes in the order of the people's ids: `contact_facts` and `property_contact_seen`. A
 * fragment of one or two letters is looked for there; trigrams need three.
 */
import { Seniority } from "@freehold/core/contact/Contact"
import {
  type BrowsedContact,
  type ContactBrowse,
  type ContactFind,
  ContactSearch,
  type ContactsFound,
  type FoundContact
} from "@freehold/core/contact/ContactSearch"
import type { Viewer } from "@freehold/core/coverage/Viewer"
import { DateTime, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { containing } from "../database/StorableText.ts"

type Fragment = Statement.Fragment

interface FindRow {
  readonly hits: number
  readonly outside: boolean
  readonly rows: ReadonlyArray<FoundContact>
}

const foundOf = ({ hits, outside, rows }: FindRow, tooMany: number): ContactsFound =>
  hits === 0
    ? { _tag: outside ? "Outside" : "Nobody" }
    : hits >= tooMany
    ? { _tag: "TooMany" }
    : { _tag: "Found", rows }

/** A row of a page. An empty page is one row without an id, for the total. */
interface BrowseRow extends Omit<BrowsedContact, "id" | "market"> {
  readonly id: string | null
  readonly total: number
  readonly marketProperties: number | null
  readonly marketRank: number | null
}

const seniorities = Seniority.literals.map((name) => `'${name}'`).join(", ")

/** The order of the matches, by the names under which they carry what is compared. */
const orders: Readonly<Record<ContactBrowse["sort"], string>> = {
  propertyCount: "properties DESC, id",
  title: "sort_text, id",
  employerName: "sort_text, id",
  marketRank: "market_rank, id"
}

/** The text that is compared; null: none. */
const sortTexts: Readonly<Record<ContactBrowse["sort"], string>> = {
  propertyCount: "NULL::text",
  title: `lower(c.title COLLATE "C")`,
  employerName: `lower(c.employer_name COLLATE "C")`,
  marketRank: "NULL::text"
}

const make = Effect.gen(function*() {
  const sql = yield* Database.Reads
  const replica = yield* Database.Replica
  const { inArea, yes } = Visibility.make(sql, Visibility.personTie)
  const covered = (viewer: Viewer) => Visibility.coveredPerson(sql, viewer)
  const opened = ({ viewer }: ContactBrowse) => Visibility.opened(sql, viewer)
  const people = sql.literal(Visibility.peopleAtProperties)
  const order = (sort: ContactBrowse["sort"]) => sql.literal(orders[sort])

  const find = ({ limit, text, tooMany, viewer }: ContactFind) => {
    const pattern = containing(text)
    const named = sql`(lower(c.full_name) LIKE ${pattern} OR lower(c.employer_name) LIKE ${pattern})`
    return sql`
      WITH hit AS MATERIALIZED (
        SELECT c.id FROM contact c
        WHERE ${named} AND c.id IN (SELECT c.id FROM ${people} WHERE ${inArea(viewer.visible)})
        LIMIT ${tooMany}::int
      )
      SELECT (SELECT count(*)::int FROM hit) AS hits,
        NOT EXISTS (SELECT FROM hit) AND EXISTS (SELECT FROM ${people} WHERE ${named}) AS outside,
        coalesce((
          SELECT json_agg(json_build_object('id', c.id, 'fullName', c.full_name, 'title', c.title,
            'employerName', c.employer_name, 'location', c.location) ORDER BY c.id)
          FROM (SELECT id FROM hit ORDER BY id LIMIT ${limit}::int) AS page JOIN contact c USING (id)
        ), '[]') AS rows`
  }

  const holds = (column: string, text: string): Fragment => sql`lower(${sql.literal(column)}) LIKE ${containing(text)}`

  const changed = ({ kinds, since }: NonNullable<ContactBrowse["changed"]>): Fragment =>
    sql`EXISTS (SELECT FROM property_change change WHERE change.contact_id = c.id
      AND change.kind = ANY(${kinds}::text[])
      AND ${
      since === null
        ? yes
        : sql`change.detected_at >= ${DateTime.formatIso(DateTime.makeUnsafe(since))}::timestamptz`
    }
      AND NOT EXISTS (SELECT FROM property_change w WHERE w.withdraws = change.id))`

  /**
   * The conditions on the person alone, the firm left out. Without a market the counties are asked of the ties that are
   * counted anyway.
   */
  const conditions = (browse: ContactBrowse): ReadonlyArray<Fragment> => [
    ...browse.roleType === null ? [] : [sql`c.role_type = ${browse.roleType}`],
    ...browse.titleText === null ? [] : [holds("c.title", browse.titleText)],
    ...browse.employerText === null ? [] : [holds("c.employer_name", browse.employerText)],
    ...browse.countyFips === null || browse.market === null ? [] : [sql`EXISTS (SELECT FROM property_contact there
      WHERE there.contact_id = c.id AND there.county_fips = ANY(${browse.countyFips}::text[]))`],
    ...browse.changed === null ? [] : [changed(browse.changed)]
  ]

  const browse = (asked: ContactBrowse) => {
    const { countyFips, firmId, limit, market, offset, revealed, sort, viewer } = asked
    const firm = firmId === null ? [] : [sql`c.firm_id = ${firmId}::uuid`]
    const more = conditions(asked)
    // A market ranks all of the firm's people, so that the other conditions come after the ranking.
    const where = sql.and([inArea(viewer.visible), ...firm, ...market === null ? more : []])
    const [marketProperties, marketRank] = market === null
      ? [sql`NULL::int`, sql`NULL::int`]
      : [
        sql`(count(*) FILTER (WHERE pc.county_fips = ${market}))::int`,
        sql`(row_number() OVER (ORDER BY count(*) FILTER (WHERE pc.county_fips = ${market}) DESC,
          array_position(ARRAY[${sql.literal(seniorities)}], c.seniority), c.id))::int`
      ]
    return sql`
      WITH ${revealed === null ? sql.literal("") : sql`paid AS (${Visibility.paidPeople(sql, viewer.orgId)}),`}
      seen AS (
        SELECT c.id, count(*)::int AS properties, ${marketProperties} AS market_properties, ${marketRank} AS market_rank,
          ${sql.literal(sortTexts[sort])} AS sort_text,
          ${revealed === null ? yes : sql`(${covered(viewer)} OR bool_or(paid.contact_id IS NOT NULL))`} AS open
        FROM ${people} ${revealed === null ? sql.literal("") : sql`LEFT JOIN paid ON paid.contact_id = c.id`}
        WHERE ${where} GROUP BY c.id
        HAVING ${
      countyFips === null || market !== null ? yes : sql`bool_or(pc.county_fips = ANY(${countyFips}::text[]))`
    }
      ),
      hit AS MATERIALIZED (
        SELECT seen.* FROM seen
        WHERE ${revealed === null ? yes : sql`open = ${revealed}`}
          ${
      market === null || more.length === 0
        ? sql.literal("")
        : sql`AND EXISTS (SELECT FROM contact c WHERE c.id = seen.id AND ${sql.and(more)})`
    }
      ),
      page AS (SELECT * FROM hit ORDER BY ${order(sort)} LIMIT ${limit}::int OFFSET ${offset}::int),
      placed AS (SELECT page.*, row_number() OVER (ORDER BY ${order(sort)}) AS place FROM page)
      SELECT placed.id, (SELECT count(*)::int FROM hit) AS total, c.title, c.role_type AS "roleType", c.seniority,
        c.employer_name AS "employerName", placed.properties,
        ${opened(asked)} AS revealed,
        c.email IS NOT NULL AND c.email_validation_status = 'valid' AS "emailValidated", c.phone IS NOT NULL AS "hasPhone",
        placed.market_properties AS "marketProperties", placed.market_rank AS "marketRank"
      FROM (SELECT) AS always
      LEFT JOIN (placed JOIN contact c USING (id)) ON true
      ORDER BY placed.place`
  }

  return ContactSearch.of({
    find: Effect.fn("ContactSearch.find")(function*(asked) {
      const [found] = yield* replica.rows<FindRow>(find(asked))
      return foundOf(found ?? { hits: 0, outside: false, rows: [] }, asked.tooMany)
    }, Effect.catchTag("SqlError", unavailable)),

    browse: Effect.fn("ContactSearch.browse")(function*(asked) {
      const rows = yield* replica.rows<BrowseRow>(browse(asked))
      return {
        rows: rows.flatMap(({ id, marketProperties, marketRank, total: _, ...row }) =>
          id === null ? [] : [{
            ...row,
            id,
            market: marketProperties === null || marketRank === null
              ? null
              : { properties: marketProperties, rank: marketRank }
          }]
        ),
        total: rows[0]?.total ?? 0
      }
    }, Effect.catchTag("SqlError", unavailable))
  })
})

export const layer: Layer.Layer<ContactSearch, never, Database.Reads | Database.Replica> = Layer.effect(
  ContactSearch,
  make
)

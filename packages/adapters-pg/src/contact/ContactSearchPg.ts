/**
 * `ContactSearch` over PostgreSQL. Each method is one statement.
 *
 * The text of a statement varies with the kinds of conditions and never with a value. Statements are planned anew each
 * time: whether to begin with the area, with a firm or with a fragment of text depends on the values.
 *
 * Who is seen is told by `contact_reach`, and by the ties (`property_contact_seen`) of those alone who are at work on both sides of
 * a border. What else decides is in an index in the order of the people's ids, `contact_facts`. A fragment of one or two
 * letters is looked for there; trigrams need three, but a rare pair is found by those that it begins.
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
import { withoutAccents } from "@freehold/core/operation/Accents"
import { DateTime, Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { isWithdrawn } from "../change/Withdrawn.ts"
import * as Reach from "../coverage/Reach.ts"
import * as Visibility from "../coverage/Visibility.ts"
import * as AccentFunctions from "../database/AccentFunctions.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import * as PlaceOrder from "../database/PlaceOrder.ts"
import * as Trigrams from "../database/Trigrams.ts"
import * as OpenPeople from "./OpenPeople.ts"
import * as TitledPeople from "./TitledPeople.ts"

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

/** As `marketWeight`, of the properties in the market. */
const marketWeight = (properties: string): string =>
  `${properties} * ${Seniority.literals.length} + 1 - array_position(ARRAY[${
    Seniority.literals.map((name) => `'${name}'`).join(", ")
  }], c.seniority)`

/** What orders the matches, by the names under which they carry it. */
const orders: Readonly<Record<ContactBrowse["sort"], PlaceOrder.Names>> = {
  propertyCount: { kind: "number", value: "properties", id: "id" },
  title: { kind: "text", value: "sort_text", id: "id" },
  employerName: { kind: "text", value: "sort_text", id: "id" },
  marketRank: { kind: "number", value: "market_weight", id: "id" }
}

/** The text that is compared; null: none. */
const sortTexts: Readonly<Record<ContactBrowse["sort"], string>> = {
  propertyCount: "NULL::text",
  title: `lower(c.title COLLATE "C")`,
  employerName: `lower(c.employer_name COLLATE "C")`,
  marketRank: "NULL::text"
}

/** How many more bytes than characters the name and the employer have: `contact_beyond_ascii` are those who have more. */
const beyondAscii = AccentFunctions.beyondAscii("c.full_name || coalesce(c.employer_name, '')")

/** The same of the title. */
const titleBeyondAscii = AccentFunctions.beyondAscii("c.title")

/** What a text is looked for in: the columns; how many more bytes than characters they have; and what is asked of them. */
interface Searched {
  readonly columns: ReadonlyArray<string>
  readonly beyond: string
  readonly held: (text: string) => Fragment
}

const make = Effect.gen(function*() {
  const sql = yield* Database.Reads
  const replica = yield* Database.Replica
  const reach = Reach.make(sql)
  const titledPeople = TitledPeople.make(sql, reach)
  const openPeople = OpenPeople.make(sql, reach)
  const { inArea, yes } = Visibility.make(sql, Visibility.personTie)
  const covered = (viewer: Viewer) => Visibility.coveredPerson(sql, viewer)
  const opened = ({ viewer }: ContactBrowse) => Visibility.opened(sql, viewer)
  const people = sql.literal(Visibility.peopleAtProperties)
  const order = (sort: ContactBrowse["sort"]) => sql.literal(PlaceOrder.orderBy(orders[sort]))
  const onward = ({ after }: ContactBrowse, names: PlaceOrder.Names): ReadonlyArray<Fragment> =>
    after === null ? [] : [PlaceOrder.isAfter(sql, after, names)]

  const holds = (column: string, text: string): Fragment => Trigrams.holds(sql, `lower(${column})`, text)

  /** One of the columns, of which `contact_beyond_ascii` tells, holds the text. */
  const oneHolds = (columns: ReadonlyArray<string>) => (text: string): Fragment => {
    const held = sql.or(columns.map((column) => holds(column, text)))
    return Trigrams.isRarePair(text)
      ? sql.and([held, Trigrams.mayHoldPair(sql, columns.map((column) => `lower(${column})`), text, beyondAscii)])
      : held
  }

  const names = ["c.full_name", "c.employer_name"]
  const inName: Searched = { columns: names, beyond: beyondAscii, held: oneHolds(names) }
  const inTitle: Searched = { columns: ["c.title"], beyond: titleBeyondAscii, held: (text) => holds("c.title", text) }
  const inEmployer: Searched = {
    columns: ["c.employer_name"],
    beyond: beyondAscii,
    held: oneHolds(["c.employer_name"])
  }

  /** In any accents: whatever accents the text has, or what it is looked for in. Only those of letters beyond ASCII have any. */
  const found = ({ beyond, columns, held }: Searched, text: string, anyAccents = false): Fragment => {
    if (!anyAccents) return Trigrams.amongBeyond(sql, held(text), text, beyond)
    const asked = withoutAccents(text)
    const without = columns.map((column) => Trigrams.holds(sql, AccentFunctions.plain(column), asked))
    const is = sql`(${held(asked)} OR ${sql.literal(beyond)} > 0 AND ${sql.or(without)})`
    return Trigrams.amongBeyond(sql, is, asked, beyond)
  }

  /** Who has the text is looked for once, wherever they are: again only where those are too many, and not all of them visible. */
  const find = ({ anyAccents, limit, text, tooMany, viewer }: ContactFind) => {
    const named = found(inName, text, anyAccents)
    const isVisible = sql`c.id IN (SELECT c.id FROM ${people} WHERE ${inArea(viewer.visible)})`
    const isTold = sql.literal("(SELECT is_told FROM told)")
    return sql`
      WITH named AS MATERIALIZED (SELECT c.id FROM contact c WHERE ${named} LIMIT ${tooMany}::int),
      seen AS MATERIALIZED (SELECT c.id FROM named c WHERE ${isVisible}),
      told AS MATERIALIZED (
        SELECT (SELECT count(*) FROM named) < ${tooMany}::int OR (SELECT count(*) FROM seen) = ${tooMany}::int AS is_told
      ),
      hit AS MATERIALIZED (
        SELECT id FROM seen WHERE ${isTold}
        UNION ALL
        (SELECT c.id FROM contact c WHERE NOT ${isTold} AND ${named} AND ${isVisible} LIMIT ${tooMany}::int)
      )
      SELECT (SELECT count(*)::int FROM hit) AS hits,
        NOT EXISTS (SELECT FROM hit) AND (
          EXISTS (SELECT FROM ${people} WHERE c.id IN (SELECT id FROM named))
          OR NOT ${isTold} AND EXISTS (SELECT FROM ${people} WHERE ${named})
        ) AS outside,
        coalesce((
          SELECT json_agg(json_build_object('id', c.id, 'fullName', c.full_name, 'title', c.title,
            'employerName', c.employer_name, 'location', c.location) ORDER BY c.id)
          FROM (SELECT id FROM hit ORDER BY id LIMIT ${limit}::int) AS page JOIN contact c USING (id)
        ), '[]') AS rows`
  }

  const changed = ({ kinds, since }: NonNullable<ContactBrowse["changed"]>): Fragment =>
    sql`EXISTS (SELECT FROM property_change change WHERE change.contact_id = c.id
      AND change.kind = ANY(${kinds}::text[])
      AND ${
      since === null
        ? yes
        : sql`change.detected_at >= ${DateTime.formatIso(DateTime.makeUnsafe(since))}::timestamptz`
    }
      AND NOT ${sql.literal(isWithdrawn("change.id"))})`

  /** The conditions on the person alone, but for counties. */
  const conditions = ({ anyAccents, changed: change, employerText, roleType, titleText }: ContactBrowse) => [
    ...roleType === null ? [] : [sql`c.role_type = ${roleType}`],
    ...titleText === null ? [] : [found(inTitle, titleText, anyAccents)],
    ...employerText === null ? [] : [found(inEmployer, employerText, anyAccents)],
    ...change === null ? [] : [changed(change)]
  ]

  const firmed = ({ firmId }: ContactBrowse): ReadonlyArray<Fragment> =>
    firmId === null ? [] : [sql`c.firm_id = ${firmId}::uuid`]

  /** The common table `paid`, where it is asked for. */
  const paid = ({ revealed, viewer }: ContactBrowse): Fragment =>
    revealed === null ? sql.literal("") : sql`paid AS MATERIALIZED (${Visibility.paidPeople(sql, viewer.orgId)}),`

  /** What is shown of `placed`, a page of people with their places in the order. */
  const shown = (asked: ContactBrowse, total: Fragment): Fragment =>
    sql`SELECT placed.id, ${total} AS total, c.title, c.role_type AS "roleType", c.seniority,
        c.employer_name AS "employerName", placed.properties,
        ${opened(asked)} AS revealed,
        c.email IS NOT NULL AND c.email_validation_status = 'valid' AS "emailValidated", c.phone IS NOT NULL AS "hasPhone",
        placed.market_properties AS "marketProperties", placed.market_rank AS "marketRank"
      FROM (SELECT) AS always
      LEFT JOIN (placed JOIN contact c USING (id)) ON true
      ORDER BY placed.place`

  /** A market ranks all of the firm's people, so that the other conditions come after the ranking. */
  const browseMarket = (asked: ContactBrowse, market: string) => {
    const { countyFips, limit, offset, revealed, sort, viewer } = asked
    const there = `(count(*) FILTER (WHERE pc.county_fips = market.county_fips))::int`
    const more = [
      ...conditions(asked),
      ...countyFips === null ? [] : [sql`EXISTS (SELECT FROM property_contact there
        WHERE there.contact_id = c.id AND there.county_fips = ANY(${countyFips}::text[]))`]
    ]
    return sql`
      WITH ${paid(asked)}
      seen AS (
        SELECT c.id, count(*)::int AS properties,
          ${sql.literal(there)} AS market_properties, ${sql.literal(marketWeight(there))} AS market_weight,
          (row_number() OVER (ORDER BY ${sql.literal(marketWeight(there))} DESC, c.id))::int AS market_rank,
          ${sql.literal(sortTexts[sort])} AS sort_text,
          ${revealed === null ? yes : sql`(${covered(viewer)} OR c.id IN (TABLE paid))`} AS open
        FROM ${people} CROSS JOIN (SELECT ${market}::text AS county_fips) AS market
        WHERE ${sql.and([inArea(viewer.visible), ...firmed(asked)])} GROUP BY c.id
      ),
      hit AS MATERIALIZED (
        SELECT seen.* FROM seen
        WHERE ${revealed === null ? yes : sql`open = ${revealed}`}
          ${
      more.length === 0
        ? sql.literal("")
        : sql`AND EXISTS (SELECT FROM contact c WHERE c.id = seen.id AND ${sql.and(more)})`
    }
      ),
      page AS (
        SELECT * FROM hit WHERE ${sql.and([yes, ...onward(asked, orders[sort])])}
        ORDER BY ${order(sort)} LIMIT ${limit}::int OFFSET ${offset}::int
      ),
      placed AS (SELECT page.*, row_number() OVER (ORDER BY ${order(sort)}) AS place FROM page)
      ${shown(asked, sql`(SELECT count(*)::int FROM hit)`)}`
  }

  /**
   * The people whose reach is seen are counted, and walked in their order, beside those whose ties must be looked at
   * (`examined`): the page is the first of both.
   */
  const browseAll = (asked: ContactBrowse) => {
    const { after, countyFips, firmId, limit, offset, revealed, viewer } = asked
    // Without a market there are no ranks.
    const sort = asked.sort === "marketRank" ? "title" : asked.sort
    const about = [...firmed(asked), ...conditions(asked)]
    // A firm's people are few, and so are those of whom something changed: they are read once, to be counted and put in order.
    const isFew = firmId !== null || asked.changed !== null
    const isOfRoleAlone = about.length === (asked.roleType === null ? 0 : 1)
    // Titles are counted as they are written.
    const ofTitle = revealed === null && asked.titleText !== null && asked.anyAccents !== true && about.length === 1
      ? { text: asked.titleText, area: viewer.visible, countyFips }
      : null
    const isListed = ofTitle === null || sort !== "title" || offset + limit > Reach.mostWalked
      ? null
      : titledPeople.isListed(ofTitle)
    const openAs = revealed === null ? null : { viewer, countyFips, revealed }
    const all = [
      ...about,
      ...openAs === null ? [] : [firmId === null ? openPeople.isAskedWithin(openAs) : openPeople.isAsked(openAs)]
    ]
    /**
     * The common table `bound`: how many at most are told by their reach, by role and by whether they are open; and whether these are not few of
     * all, so that a page of them is walked to in its order. Few are looked for and put in order: where the subscription covers all, nobody is locked, and a
     * walk would look at everybody.
     */
    const bound = sql`bound AS MATERIALIZED (
        SELECT most, ${reach.areWalked("contact", sql.literal("most"), offset + limit)} AS is_walked
        FROM (SELECT ${
      openAs === null
        ? reach.countWithin("contact", viewer.visible, countyFips, asked.roleType)
        : openPeople.count(openAs, asked.roleType)
    } AS most) AS counted
      ),`
    const isWalked = sql.literal("(SELECT is_walked FROM bound)")
    const tied = sql`pc.contact_id = r.contact_id AND pc.county_fips IS NOT NULL`
    const person = sql.literal("JOIN contact c ON c.id = r.contact_id")
    const ifAbout = about.length === 0 ? sql.literal("") : person
    const text = sql.literal(sortTexts[sort])
    const by = order(sort)
    const walked = {
      ...orders[sort],
      ...sort === "propertyCount"
        ? { value: "r.properties", id: "r.contact_id" }
        : { value: sortTexts[sort], id: "c.id" }
    }
    const isWithin = sql.and([reach.within(viewer.visible, countyFips), ...all])
    const notListed = isListed === null ? [] : [sql`NOT ${isListed}`]
    const told = (where: ReadonlyArray<Fragment>) =>
      sql`SELECT r.contact_id AS id, r.properties, ${text} AS sort_text FROM contact_reach r ${person}
        WHERE ${sql.and([isWithin, ...notListed, ...where])}`
    const few = sql`few AS MATERIALIZED (${told([])}),`
    const walk = (onward: Fragment) =>
      sql`(SELECT * FROM (
          ${told([isWalked, onward])} ${reach.fence(offset + limit)}
        ) AS seen ORDER BY ${by} LIMIT ${offset + limit}::int)`
    const afterPlace = sql.and([yes, ...onward(asked, orders[sort])])
    return sql`
      WITH ${paid(asked)}
      ${isFew ? few : bound}
      ${ofTitle === null ? sql.literal("") : titledPeople.titled(ofTitle)}
      examined AS MATERIALIZED (
        SELECT r.contact_id AS id, CASE WHEN r.whole THEN r.properties ELSE counted.properties END AS properties
        FROM (${reach.crossing("contact", viewer.visible, countyFips)}) AS r ${ifAbout}
        CROSS JOIN LATERAL (SELECT count(*)::int AS properties FROM property_contact pc WHERE NOT r.whole AND ${
      sql.and([tied, inArea(viewer.visible)])
    }) AS counted
        WHERE ${
      sql.and([
        sql`(r.whole OR counted.properties > 0)`,
        ...about,
        ...openAs === null ? [] : [openPeople.isAsked(openAs)]
      ])
    }
        ${
      openAs?.revealed === true && firmId === null
        ? sql`UNION ALL ${openPeople.uncovered(openAs, about)}`
        : sql.literal("")
    }
      ),
      found AS (
        ${
      isFew
        ? sql`SELECT * FROM few WHERE ${afterPlace}`
        : sql`${sql.join(" UNION ALL ", false)(PlaceOrder.walks(sql, after, walked).map(walk))}
          UNION ALL ${told([sql`NOT ${isWalked}`, after === null ? yes : PlaceOrder.isAfter(sql, after, walked)])}`
    }
        ${
      ofTitle === null || isListed === null
        ? sql.literal("")
        : sql`UNION ALL SELECT * FROM ${
          titledPeople.list(ofTitle, { after, rows: offset + limit })
        } AS listed WHERE ${isListed}`
    }
        UNION ALL
        SELECT * FROM (
          SELECT examined.id, examined.properties, ${text} AS sort_text FROM examined JOIN contact c USING (id)
        ) AS candidate WHERE ${afterPlace}
      ),
      page AS (SELECT * FROM found ORDER BY ${by} LIMIT ${limit}::int OFFSET ${offset}::int),
      placed AS (
        SELECT page.*, row_number() OVER (ORDER BY ${by}) AS place,
          NULL::int AS market_properties, NULL::int AS market_rank
        FROM page
      )
      ${
      shown(
        asked,
        sql`((SELECT count(*) FROM examined) + ${
          isOfRoleAlone
            ? sql`(SELECT most FROM bound)`
            : ofTitle !== null
            ? titledPeople.count
            : isFew
            ? sql`(SELECT count(*) FROM few)`
            : sql`(SELECT count(*) FROM contact_reach r ${ifAbout} WHERE ${isWithin})`
        })::int`
      )
    }`
  }

  const browse = (asked: ContactBrowse) => asked.market === null ? browseAll(asked) : browseMarket(asked, asked.market)

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

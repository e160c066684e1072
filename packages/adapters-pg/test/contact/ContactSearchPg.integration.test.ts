/** `ContactSearch` over PostgreSQL against its contract, and against the one in memory; and in a cell that waits for what is counted. */
import { assert, it } from "@effect/vitest"
import * as ContactSearchPg from "@freehold/adapters-pg/contact/ContactSearchPg"
import * as FirmsPg from "@freehold/adapters-pg/firm/FirmsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { type ContactBrowse, ContactSearch } from "@freehold/core/contact/ContactSearch"
import { type FirmBrowse, Firms } from "@freehold/core/firm/Firms"
import { browsesContactsAsInMemory, contactSearchContract } from "@freehold/core/testing/ContactSearchContract"
import { contact, firm, property, startOver } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

const layer = Layer.mergeAll(ContactSearchPg.layer, FirmsPg.layer, SeederPg.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

contactSearchContract("over PostgreSQL", layer)
browsesContactsAsInMemory("over PostgreSQL", layer, { runs: 25 })

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const [here, there, elsewhere] = ["48001", "48003", "06001"] as const

/** A person and a firm in each county, and of each one in two counties of a state and one in two states. */
const world = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* startOver({
    properties: [here, there, elsewhere].map((countyFips, n) => property({ id: id(n), countyFips, lat: 30, lon: -97 })),
    contacts: [0, 1, 2, 3, 4].map((n) => contact({ id: id(10 + n), title: n === 2 ? "Engineer" : "Asset Manager" })),
    firms: [0, 1, 2, 3, 4].map((n) => firm({ id: id(20 + n) }))
  })
  for (const [n, ties] of [[0], [1], [2], [0, 1], [1, 2]].entries()) {
    for (const tie of ties) {
      yield* sql`INSERT INTO property_contact (property_id, contact_id) VALUES (${id(tie)}::uuid, ${id(10 + n)}::uuid)`
      yield* sql`INSERT INTO property_firm (property_id, firm_id, role, attribution_type)
        VALUES (${id(tie)}::uuid, ${id(20 + n)}::uuid, 'owner', 'county_record')`
    }
  }
})

const nobody = { nationwide: false, stateFips: [], countyFips: [] }
const viewer = {
  orgId: "sample-org",
  visible: { nationwide: false, stateFips: ["48", "06"], countyFips: [] },
  covered: nobody
}

const browse = Effect.fnUntraced(function*(asked: Partial<ContactBrowse>) {
  const search = yield* ContactSearch
  const { rows, total } = yield* search.browse({
    viewer,
    roleType: null,
    titleText: null,
    employerText: null,
    countyFips: null,
    revealed: null,
    firmId: null,
    market: null,
    changed: null,
    sort: "title",
    after: null,
    offset: 0,
    limit: 10,
    ...asked
  })
  assert.strictEqual(total, rows.length)
  return rows.map((row) => row.id)
})

const browseFirms = Effect.fnUntraced(function*(countyFips: FirmBrowse["countyFips"]) {
  const firms = yield* Firms
  const { rows, total } = yield* firms.browse({
    viewer,
    role: null,
    countyFips,
    text: null,
    anyAccents: false,
    minProperties: 0,
    sort: "name",
    after: null,
    offset: 0,
    limit: 10
  })
  assert.strictEqual(total, rows.length)
  return rows.map((row) => row.id).toSorted()
})

it.live("counts and lists people of a title where the counts of titles have not come yet", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const looked = Effect.all([
      browse({ titleText: "manager", countyFips: null }),
      browse({ titleText: "engin", countyFips: null }),
      browse({ titleText: "asset", countyFips: [here] }),
      browse({ titleText: "owner", countyFips: null })
    ])
    yield* world
    const found = [[10, 11, 13, 14].map(id), [12].map(id), [10, 13].map(id), []]
    assert.deepStrictEqual(yield* looked, found)
    yield* sql`TRUNCATE title_tally, title_tally_change`
    assert.deepStrictEqual(yield* looked, found)
  }).pipe(Effect.provide(layer)))

it.live("looks at the ties of people and firms of several counties where those have not come yet", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const looked = Effect.all(
      [[here], [there], [elsewhere]].map((countyFips) => Effect.all([browse({ countyFips }), browseFirms(countyFips)]))
    )
    const covering = { ...viewer, covered: { ...nobody, countyFips: [there] } }
    const opened = Effect.all([true, false].map((revealed) => browse({ viewer: covering, revealed })))
    yield* world
    const found = [[0, 3], [1, 3, 4], [4, 2]].map((numbers) => [
      numbers.map((n) => id(10 + n)),
      numbers.map((n) => id(20 + n)).toSorted()
    ])
    const openAndLocked = [[1, 3, 4], [0, 2]].map((numbers) => numbers.map((n) => id(10 + n)))
    assert.deepStrictEqual(yield* looked, found)
    assert.deepStrictEqual(yield* opened, openAndLocked)
    yield* sql`UPDATE contact_reach SET counties = NULL`
    yield* sql`UPDATE firm_reach SET counties = NULL`
    assert.deepStrictEqual(yield* looked, found)
    assert.deepStrictEqual(yield* opened, openAndLocked)
  }).pipe(Effect.provide(layer)))

/** What every reading of pages by cursor does, whatever is read. */
import { assert, layer } from "@effect/vitest"
import { Caller, type KeyCaller } from "@freehold/core/access/Caller"
import * as ContactSearcher from "@freehold/core/contact/ContactSearcher"
import * as FirmReader from "@freehold/core/firm/FirmReader"
import * as ListKeeper from "@freehold/core/list/ListKeeper"
import { defaults } from "@freehold/core/organization/Organization"
import * as PropertySearcher from "@freehold/core/property/PropertySearcher"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { contact, firm, property, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"

const county = "53903"
const elsewhere = "53905"

const organization = (org_id: string) => ({
  ...defaults(org_id),
  plan: "enterprise" as const,
  serviceable_area: { whole_state_abbrs: [], county_fips: [county] }
})
const mine = organization("org_pages")

const as = (organization: typeof mine): KeyCaller => ({
  kind: "key",
  credentialId: "key_pages",
  keyName: "sample",
  label: "sample",
  scopes: ["data:read", "lists:read", "lists:write"],
  organization,
  territory: null,
  requestId: "request"
})

const id = (n: number): string => `5a3c1e00-7b6a-4f57-9a53-${String(n).padStart(12, "0")}`
const numbers = Array.from({ length: 23 }, (_, index) => index)

/** Many ties, and values that are missing, so that the order is decided by the id alone now and then. */
const world = Layer.effectDiscard(Seeder.use((seeder) =>
  seeder.add({
    organizations: [mine, organization("org_other")],
    properties: numbers.map((n) =>
      property({ id: id(n), countyFips: n % 4 === 3 ? elsewhere : county, address: `${n % 3} Alder Street` })
    ),
    firms: numbers.map((n) => firm({ id: id(100 + n), name: `Firm ${n % 5}` })),
    propertyFirms: numbers.flatMap((n) => [
      { propertyId: id(0), firmId: id(100 + n), role: "owner" as const, attributionType: "web" },
      { propertyId: id(n), firmId: id(100), role: "tenant" as const, attributionType: "web" }
    ]),
    contacts: numbers.map((n) =>
      contact({
        id: id(200 + n),
        title: n % 3 === 0 ? null : `Title ${n % 4}`,
        employerName: n % 2 === 0 ? null : "Ämter"
      })
    ),
    relationships: numbers.map((n) => ({
      propertyId: id(n % 4 === 3 ? 0 : n),
      contactId: id(200 + n),
      role: null,
      relationshipStatus: "current" as const,
      attributionType: "web"
    }))
  })
))

interface Asked {
  readonly limit?: number
  readonly cursor?: string
}

interface Page {
  readonly next: string | null
  readonly rows: ReadonlyArray<string>
}

const kinds = ["people", "titles", "attached", "firms", "owners", "ties", "lists", "items", "places"] as const
type Read = (typeof kinds)[number]

type Reading = (asked: Asked) => Effect.Effect<Page, { readonly _tag: string }, Caller>

const reads = Effect.gen(function*() {
  const contacts = yield* ContactSearcher.make
  const firms = yield* FirmReader.make
  const search = yield* PropertySearcher.make
  const keeper = yield* ListKeeper.make
  const lists = yield* keeper.list({})
  const list_id = lists.lists[0]?.id ?? ""
  const people = (sort: "title" | "employerName" | "propertyCount") => (asked: Asked) =>
    Effect.map(contacts.browse({ ...asked, sort }), ({ contacts, next_cursor }) => ({
      next: next_cursor,
      rows: contacts.map(({ contact_id }) => contact_id)
    }))
  const companies = (sort: "name" | "propertyCount") => (asked: Asked) =>
    Effect.map(firms.browse({ ...asked, sort }), ({ next_cursor, organizations }) => ({
      next: next_cursor,
      rows: organizations.map(({ organization_id }) => organization_id)
    }))
  const readings: Readonly<Record<Read, Reading>> = {
    people: people("employerName"),
    titles: people("title"),
    attached: people("propertyCount"),
    firms: companies("name"),
    owners: companies("propertyCount"),
    ties: (asked: Asked) =>
      Effect.map(firms.properties({ ...asked, id: id(100) }), ({ next_cursor, properties }) => ({
        next: next_cursor,
        rows: properties.map((tie) => JSON.stringify(tie))
      })),
    lists: (asked: Asked) =>
      Effect.map(
        keeper.list(asked),
        ({ lists, next_cursor }) => ({ next: next_cursor, rows: lists.map(({ id }) => id) })
      ),
    items: (asked: Asked) =>
      Effect.map(keeper.items({ ...asked, list_id }), ({ items, next_cursor }) => ({
        next: next_cursor,
        rows: items.map((item) => JSON.stringify(item))
      })),
    places: (asked: Asked) =>
      Effect.map(search.find({ ...asked, filters: { countyFips: [county] }, sortBy: "address" }), (answer) => ({
        next: answer.next_cursor,
        rows: answer.results.flatMap(({ id }) => id ?? [])
      }))
  }
  return readings
})
const filled = Layer.effectDiscard(
  Effect.gen(function*() {
    const keeper = yield* ListKeeper.make
    for (const n of [1, 2, 3]) {
      const { list } = yield* keeper.create({ list_name: `Sample ${n}`, list_type: "properties" })
      yield* keeper.add({ list_id: list.id, item_ids: numbers.filter((n) => n % 4 !== 3).map(id) })
    }
  }).pipe(Effect.provideService(Caller, as(mine)))
)

const page = (kind: Read, asked: Asked, caller = as(mine)) =>
  Effect.flatMap(reads, (all) => all[kind](asked)).pipe(Effect.provideService(Caller, caller))

layer(filled.pipe(Layer.provideMerge(world), Layer.provideMerge(MemoryPorts.layer)))("pages by cursor", (it) => {
  it.effect.prop(
    "are the whole answer, each row once, however large they are",
    { kind: Schema.Literals(kinds), limit: Schema.Literals([1, 2, 5, 22, 23, 200]) },
    ({ kind, limit }) =>
      Effect.gen(function*() {
        const whole = yield* page(kind, { limit: 200 })
        assert.isNull(whole.next)
        assert.isAbove(whole.rows.length, 2)
        const rows: Array<string> = []
        let cursor: string | null = null
        do {
          const found: Page = yield* page(kind, {
            limit,
            ...cursor === null ? {} : { cursor }
          })
          rows.push(...found.rows)
          cursor = found.next
        } while (cursor !== null)
        assert.deepStrictEqual(rows, whole.rows)
      }),
    { arbitrary: { runs: 60 } }
  )

  it.effect("are bound to their question, their organization and a day, and short", () =>
    Effect.gen(function*() {
      for (const kind of kinds) {
        const { next: cursor } = yield* page(kind, { limit: 1 })
        if (cursor === null) return assert.fail(`${kind}: there is more`)
        assert.isBelow(cursor.length, 120, kind)
        for (const other of kinds.filter((each) => each !== kind)) {
          assert.deepInclude(yield* Effect.flip(page(other, { cursor })), {
            _tag: "INVALID_CURSOR",
            issues: [{ field: "cursor", message: "Expected the next_cursor of an earlier page of the same request" }]
          }, `${kind} ${other}`)
        }
        const stranger = as(organization("org_other"))
        assert.deepInclude(yield* Effect.flip(page(kind, { cursor }, stranger)), { _tag: "INVALID_CURSOR" }, kind)
      }
      const { next: cursor } = yield* page("people", { limit: 1 })
      yield* TestClock.adjust("26 hours")
      assert.deepInclude(yield* Effect.flip(page("people", { cursor: cursor ?? "" })), { _tag: "INVALID_CURSOR" })
    }))

  it.effect("take no offset beside a cursor; a list takes the cursor where its contract has it go", () =>
    Effect.gen(function*() {
      const both = { field: "offset", message: "Expected cursor or offset, not both" }
      const keeper = yield* ListKeeper.make
      const { browse } = yield* ContactSearcher.make
      const firms = yield* FirmReader.make
      const { next: people } = yield* page("people", { limit: 1 })
      const { next: lists } = yield* page("lists", { limit: 1 })
      if (people === null || lists === null) return assert.fail("there is more")
      const bothWays: ReadonlyArray<Effect.Effect<unknown, unknown, Caller>> = [
        browse({ cursor: people, offset: 1 }),
        firms.browse({ cursor: people, offset: 1 }),
        keeper.list({ cursor: lists, offset: 1 })
      ]
      for (const refused of bothWays) {
        assert.deepInclude(yield* Effect.flip(refused), { _tag: "INVALID_ARGUMENTS", issues: [both] })
      }
      assert.deepStrictEqual(yield* keeper.list({ offset: lists }), yield* keeper.list({ cursor: lists }))
      assert.deepStrictEqual(yield* keeper.list({ offset: "1" }), yield* keeper.list({ offset: 1 }))
      assert.deepInclude(yield* Effect.flip(keeper.list({ offset: people })), {
        _tag: "INVALID_CURSOR",
        issues: [{ field: "offset", message: "Expected the next_cursor of an earlier page of the same request" }]
      })
    }).pipe(Effect.provideService(Caller, as(mine))))
})

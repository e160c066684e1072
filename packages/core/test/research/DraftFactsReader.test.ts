/** What a draft may say, by who asked for it. */
import { assert, layer as suite } from "@effect/vitest"
import { defaults } from "@freehold/core/access/Organization"
import * as ContactsMemory from "@freehold/core/memory/ContactsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PropertiesMemory from "@freehold/core/memory/PropertiesMemory"
import * as DraftFactsReader from "@freehold/core/research/DraftFactsReader"
import { ResearchRuns } from "@freehold/core/research/ResearchRuns"
import { contact, property, Seeder } from "@freehold/core/testing/Seed"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Effect, Layer, Option } from "effect"

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const near = "48113"
const far = "48439"

const organization = {
  ...defaults("org_drafts"),
  serviceable_area: { whole_state_abbrs: ["TX"], county_fips: [] },
  entitlement: { nationwide: true, state_abbrs: [], county_fips: [] }
}

const seed = Seeder.use((seeder) =>
  seeder.add({
    organizations: [organization],
    properties: [
      property({ id: id(1), countyFips: far, address: "1 Far Street" }),
      property({ id: id(2), countyFips: near, address: "2 Near Street" }),
      property({ id: id(5), countyFips: near, address: "5 Near Street" })
    ],
    contacts: [contact({ id: id(3) }), contact({ id: id(4), doNotContact: { email: true, phone: false } })],
    relationships: ([[1, 3], [2, 3], [2, 4]] as const).map(([place, person]) => ({
      propertyId: id(place),
      contactId: id(person),
      role: null,
      relationshipStatus: "current" as const,
      attributionType: "county_record"
    }))
  })
)

const ports = Layer.mergeAll(
  ContactsMemory.layer,
  PropertiesMemory.layer,
  Layer.mock(ResearchRuns)({
    strategy: (_, __, [propertyId = ""]) =>
      Effect.succeedSome({
        runId: id(9),
        propertyId,
        strategy: { summary: `About ${propertyId}.`, approach: "", points: [] }
      })
  }),
  Layer.effectDiscard(seed).pipe(Layer.provide(SeederMemory.layer))
).pipe(Layer.provide(MemoryState.layer))

const factsAbout = Effect.fnUntraced(function*(place: number | null, person = 3) {
  const read = yield* DraftFactsReader.make
  return yield* read({
    jobId: id(9),
    runId: id(9),
    organization,
    action: "draft_email",
    actor: { kind: "member", id: id(8), name: "Ana Example" },
    subjectId: id(person),
    subjectKey: "person",
    property: place === null ? null : { id: id(place), key: "place" },
    opened: false,
    wish: null,
    claim: 1,
    attempts: 0,
    overdue: false
  })
})

suite(ports)("the facts of a draft", (it) => {
  it.effect("tell of the property that it is about, and of what was found out about that one", () =>
    Effect.gen(function*() {
      for (const [place, address] of [[1, "1 Far Street"], [2, "2 Near Street"]] as const) {
        const { property, strategy } = Option.getOrThrow(yield* factsAbout(place))
        assert.strictEqual(property?.address, address)
        assert.strictEqual(strategy.summary, `About ${id(place)}.`)
      }
    }))

  it.effect("are none about another place of the world's, or about none", () =>
    Effect.gen(function*() {
      for (const place of [5, 9, null]) assert.isTrue(Option.isNone(yield* factsAbout(place)), String(place))
    }))

  it.effect("are none about a person who asked not to be emailed", () =>
    Effect.gen(function*() {
      assert.isTrue(Option.isNone(yield* factsAbout(2, 4)))
    }))
})

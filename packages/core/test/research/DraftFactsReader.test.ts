/** What a draft may say, by who asked for it. */
import { assert, layer as suite } from "@effect/vitest"
import { defaults } from "@freehold/core/access/Organization"
import type { MemberTerritory } from "@freehold/core/access/Organizations"
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
const elsewhere = "48201"

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
      property({ id: id(2), countyFips: near, address: "2 Near Street" })
    ],
    contacts: [contact({ id: id(3) })],
    relationships: [1, 2].map((n) => ({
      propertyId: id(n),
      contactId: id(3),
      role: null,
      relationshipStatus: "current" as const,
      attributionType: "county_record"
    }))
  })
)

const ports = Layer.mergeAll(
  ContactsMemory.layer,
  PropertiesMemory.layer,
  Layer.mock(ResearchRuns)({ strategy: () => Effect.succeedSome({ summary: "", approach: "", points: [] }) }),
  Layer.effectDiscard(seed).pipe(Layer.provide(SeederMemory.layer))
).pipe(Layer.provide(MemoryState.layer))

const factsWithin = Effect.fnUntraced(function*(territory: MemberTerritory) {
  const read = yield* DraftFactsReader.make
  return yield* read({
    jobId: id(9),
    runId: id(9),
    organization,
    action: "draft_email",
    actor: { kind: "member", id: id(8), name: "Ana Example" },
    subjectId: id(3),
    subjectKey: "person",
    opened: false,
    wish: { purpose: null, tone: null, territory },
    claim: 1,
    attempts: 0,
    overdue: false
  })
})

suite(ports)("the facts of a draft", (it) => {
  it.effect("tell of no property beyond the territory of the member who asked", () =>
    Effect.gen(function*() {
      for (const [county, address] of [[near, "2 Near Street"], [far, "1 Far Street"]] as const) {
        const facts = yield* factsWithin({ county_fips: [county] })
        assert.strictEqual(Option.getOrThrow(facts).property?.address, address)
      }
      assert.isTrue(Option.isSome(yield* factsWithin(null)))
    }))

  it.effect("are none about a person who has no property in it", () =>
    Effect.gen(function*() {
      assert.isTrue(Option.isNone(yield* factsWithin({ county_fips: [elsewhere] })))
    }))
})

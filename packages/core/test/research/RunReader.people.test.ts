/** The words by which people were found show how to reach them: of whom the subscription alone opens, so many a day. */
import { assert, it } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import type { KeptClaim, Run } from "@freehold/core/research/ResearchRun"
import { ResearchRuns } from "@freehold/core/research/ResearchRuns"
import * as RunReader from "@freehold/core/research/RunReader"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { keyOf } from "@freehold/core/testing/SampleCaller"
import { contact, property, startOver, tie } from "@freehold/core/testing/Seed"
import { Effect, Layer, Option } from "effect"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const county = "53903"
const place = id(1)
const paidPlace = id(2)
const people = { first: id(11), second: id(12), paid: id(13), named: id(14) } as const

const organization = (more: Partial<Organization>): Organization => ({
  ...defaults("org_sample"),
  plan: "enterprise",
  serviceable_area: { whole_state_abbrs: [], county_fips: [county, "53905"] },
  entitlement: { nationwide: false, state_abbrs: [], county_fips: [county] },
  ...more
})

const capped = organization({ daily_limits: { contact_reveal: { organization: 1 } } })

const claim = (contactId: string, quote: string): KeptClaim => ({
  about: "contact",
  id: contactId,
  values: [],
  address: "https://firm.example/team",
  readAt: "2026-01-01T00:00:00.000Z",
  quote
})

const claims = [
  claim(people.first, "Jo Sample, Manager, jo@firm.example"),
  claim(people.second, "Max Sample, Manager, +1 (425) 555-0141"),
  claim(people.paid, "Ana Sample, Manager, ana@firm.example"),
  claim(people.named, "Kim Sample, Manager")
]

const run: Run = {
  runId: id(91),
  orgId: "org_sample",
  action: "research_property",
  batch: false,
  wish: null,
  actor: { kind: "key", id: "key", name: "sample" },
  createdAt: 0,
  finishedAt: 0,
  items: [{
    jobId: id(92),
    subjectId: place,
    propertyId: null,
    state: "complete",
    reason: null,
    chargeEntry: 1,
    result: { _tag: "Claims", claims }
  }]
}

const seeded = startOver({
  organizations: [capped],
  properties: [property({ id: place, countyFips: county }), property({ id: paidPlace, countyFips: "53905" })],
  contacts: Object.values(people).map((contactId) => contact({ id: contactId })),
  relationships: [
    ...Object.values(people).map((contactId) => tie(place, contactId)),
    tie(paidPlace, people.paid)
  ],
  accesses: [{ orgId: "org_sample", kind: "property", id: paidPlace, source: "paid" }]
})

const read = <A, E>(
  look: (reader: Effect.Success<typeof RunReader.make>) => Effect.Effect<A, E, Caller>,
  of: Organization = capped
) => Effect.provideService(Effect.flatMap(RunReader.make, look), Caller, keyOf(of))

const named = ({ evidence }: { readonly evidence: ReadonlyArray<{ readonly subject_id: string }> }) =>
  evidence.map(({ subject_id }) => subject_id)

const ports = Layer.merge(
  MemoryPorts.layer,
  Layer.mock(ResearchRuns)({ read: () => Effect.succeedSome(run), list: () => Effect.succeed([run]) })
)

it.effect("the status of a run tells so many of them, and a list of runs the same", () =>
  Effect.gen(function*() {
    yield* seeded
    const status = read((reader) => reader.status({ run_id: run.runId }))
    const told = [people.first, people.paid, people.named]
    const first = yield* status
    assert.deepStrictEqual(named(first), told)
    assert.isTrue(first.revealCapExceeded)
    // Counted once a day.
    assert.deepStrictEqual(yield* status, first)
    const { note, runs: [listed] } = yield* read((reader) => reader.list({}))
    assert.deepStrictEqual(Option.map(Option.fromUndefinedOr(listed), named), Option.some(told))
    assert.include(note, "the day's contact reveals are used up")
  }).pipe(Effect.provide(ports)))

it.effect("whom nobody limits is told of all", () =>
  Effect.gen(function*() {
    yield* seeded
    const status = yield* read((reader) => reader.status({ run_id: run.runId }), organization({}))
    assert.deepStrictEqual(named(status), Object.values(people))
    assert.notProperty(status, "revealCapExceeded")
    assert.notProperty(yield* read((reader) => reader.list({}), organization({})), "note")
  }).pipe(Effect.provide(ports)))

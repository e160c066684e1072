/**
 * The words by which people were found show how to reach them: of whom the subscription alone opens, so many a day, and
 * nobody counts whom the answer does not show.
 */
import { assert, it } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import type { KeptClaim, Run } from "@freehold/core/research/ResearchRun"
import { ResearchRuns } from "@freehold/core/research/ResearchRuns"
import * as RunReader from "@freehold/core/research/RunReader"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { keyOf } from "@freehold/core/testing/SampleCaller"
import { contact, property, Seeder, startOver, tie } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"

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

const claim = (contactId: string, quote: string, values: ReadonlyArray<string> = []): KeptClaim => ({
  about: "contact",
  id: contactId,
  values,
  address: "https://firm.example/team",
  readAt: "2026-01-01T00:00:00.000Z",
  quote
})

const claims = [
  claim(people.first, "Jo Sample, Manager, jo@firm.example", ["Jo Sample", "jo@firm.example"]),
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

const holding = (stored: Run) =>
  Layer.merge(
    MemoryPorts.layer,
    Layer.mock(ResearchRuns)({ read: () => Effect.succeedSome(stored), list: () => Effect.succeed([stored]) })
  )

const ports = holding(run)

it.effect("the status of a run tells so many of them", () =>
  Effect.gen(function*() {
    yield* seeded
    const status = read((reader) => reader.status({ run_id: run.runId }))
    const told = [people.first, people.paid, people.named]
    const first = yield* status
    assert.deepStrictEqual(named(first), told)
    assert.isTrue(first.revealCapExceeded)
    // Counted once a day.
    assert.deepStrictEqual(yield* status, first)
  }).pipe(Effect.provide(ports)))

it.effect("a list of runs tells the words without the way to them, and counts nobody", () =>
  Effect.gen(function*() {
    yield* seeded
    const { note, runs } = yield* read((reader) => reader.list({}))
    assert.deepStrictEqual(
      runs.flatMap(({ evidence }) => evidence).map(({ quote, subject_id, values }) => [subject_id, quote, values]),
      [
        [people.first, "Jo Sample, Manager, …", ["Jo Sample"]],
        [people.second, "Max Sample, Manager, …", []],
        [people.paid, "Ana Sample, Manager, ana@firm.example", []],
        [people.named, "Kim Sample, Manager", []]
      ]
    )
    assert.include(note, "service_get_research_status tells them")
    const status = yield* read((reader) => reader.status({ run_id: run.runId }))
    assert.deepStrictEqual(named(status), [people.first, people.paid, people.named])
  }).pipe(Effect.provide(ports)))

it.effect("whom nobody limits is told of all", () =>
  Effect.gen(function*() {
    yield* seeded
    const status = yield* read((reader) => reader.status({ run_id: run.runId }), organization({}))
    assert.deepStrictEqual(named(status), Object.values(people))
    assert.notProperty(status, "revealCapExceeded")
  }).pipe(Effect.provide(ports)))

it.effect("who asked since not to be reached in a way is told of by no words that show it, whoever reads the run", () =>
  Effect.gen(function*() {
    yield* seeded
    yield* Seeder.use((seeder) =>
      seeder.add({
        contacts: [
          contact({ id: people.first, doNotContact: { email: false, phone: true } }),
          contact({ id: people.second, doNotContact: { email: false, phone: true } }),
          contact({ id: people.paid, email: "ana@firm.example" }),
          contact({ id: people.named, doNotContact: { email: true, phone: true } }),
          // Who asks not to be mailed means the address.
          contact({ id: id(15), email: "ANA@firm.example", doNotContact: { email: true, phone: false } })
        ]
      })
    )
    const told = [people.first, people.named]
    assert.deepStrictEqual(named(yield* read((reader) => reader.status({ run_id: run.runId }))), told)
    const { runs } = yield* read((reader) => reader.list({}))
    assert.deepStrictEqual(runs.flatMap(named), told)
  }).pipe(Effect.provide(ports)))

const inAll = 100
const ofEach = 5

/** Of each property that many people were found, by words of some length. */
const batch: Run = {
  ...run,
  batch: true,
  items: Array.from({ length: inAll }, (_, at) => ({
    jobId: id(10_000 + at),
    subjectId: id(20_000 + at),
    propertyId: null,
    state: "complete",
    reason: null,
    chargeEntry: 500 + at,
    result: {
      _tag: "Claims",
      claims: Array.from({ length: ofEach }, (_, n) => {
        const person = 30_000 + at * ofEach + n
        return claim(id(person), `Jo Sample, Manager, p${person}@firm.example, ${"sees to the place ".repeat(10)}`)
      })
    }
  }))
}

const batchSeeded = startOver({
  organizations: [organization({})],
  properties: batch.items.map(({ subjectId }) => property({ id: subjectId, countyFips: county })),
  contacts: Array.from({ length: inAll * ofEach }, (_, n) => contact({ id: id(30_000 + n) })),
  relationships: batch.items.flatMap(({ subjectId }, at) =>
    Array.from({ length: ofEach }, (_, n) => tie(subjectId, id(30_000 + at * ofEach + n)))
  )
})

it.effect("the status of a batch tells its evidence page by page, and counts those of the page alone", () =>
  Effect.gen(function*() {
    yield* batchSeeded
    const pageOf = (cursor: string | null, of = organization({})) =>
      read((reader) => reader.status({ run_id: run.runId, ...cursor === null ? {} : { cursor } }), of)
    const first = yield* pageOf(null)
    assert.lengthOf(first.items, inAll)
    assert.isAbove(first.evidence.length, ofEach)
    const told = named(first)
    for (let cursor = first.next_cursor; cursor !== null;) {
      const page = yield* pageOf(cursor)
      assert.strictEqual(page.counts.total, inAll)
      assert.lengthOf(page.evidence, page.items.length * ofEach)
      assert.isBelow(JSON.stringify(page.evidence).length, 25_000)
      told.push(...named(page))
      cursor = page.next_cursor
    }
    assert.deepStrictEqual(
      told,
      batch.items.flatMap((_, at) => Array.from({ length: ofEach }, (_, n) => id(30_000 + at * ofEach + n)))
    )
    // Nobody of the next page was counted with the first.
    yield* batchSeeded
    const reveals = first.evidence.length + 1
    const limited = organization({ daily_limits: { contact_reveal: { organization: reveals } } })
    assert.notProperty(yield* pageOf(null, limited), "revealCapExceeded")
    assert.lengthOf((yield* pageOf(first.next_cursor, limited)).evidence, 1)
    for (const cursor of ["499", "nothing"]) {
      assert.strictEqual((yield* Effect.flip(pageOf(cursor)))._tag, "INVALID_CURSOR")
    }
  }).pipe(Effect.provide(holding(batch))))

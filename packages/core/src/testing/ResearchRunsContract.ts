/**
 * What every `ResearchRuns` must do: each charge is that of something delivered, or is given back once.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Clock, Duration, Effect, type Layer, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import * as fc from "fast-check"
import { Contacts } from "../contact/Contacts.ts"
import { total } from "../credit/Bucket.ts"
import { decideGrant } from "../credit/Grant.ts"
import { Ledger } from "../credit/Ledger.ts"
import { decideRefund } from "../credit/Refund.ts"
import type { ImportBatch } from "../import/ImportRow.ts"
import { limitsOf, queryOf } from "../limit/Limits.ts"
import { defaults } from "../organization/Organization.ts"
import { Pipeline } from "../pipeline/Pipeline.ts"
import { Properties } from "../property/Properties.ts"
import { PropertyMerges } from "../property/PropertyMerges.ts"
import { decideUnlock } from "../property/UnlockDecision.ts"
import { decideLaunch } from "../research/LaunchDecision.ts"
import { priceOf, type ResearchAction, type Run, statusOf, subjectTypes } from "../research/ResearchRun.ts"
import { type Delivered, MaximumLaunches, ResearchRuns, type RunsWanted } from "../research/ResearchRuns.ts"
import { contact, property, Seeder } from "./Seed.ts"
import { qualification } from "./WebhookScene.ts"

const actor = { kind: "key", id: "key_sample", name: "sample" } as const

const county = "48999"

const id = (kind: 1 | 2, n: number) => `00000000-0000-4000-${kind === 1 ? "8" : "9"}000-${String(n).padStart(12, "0")}`

let made = 0

type Ports = ResearchRuns | Contacts | Ledger | Pipeline | Properties | PropertyMerges | Seeder

const found: Delivered = { partial: false, rows: [], result: null }

const researched = (propertyKey: string): ReadonlyArray<ImportBatch> => [{
  kind: "research",
  rows: [{ propertyKey, values: new Map([["beneficialOwner", "Sample Holdings"]]) }]
}]

/** An organization with credits, `places` properties and as many people, of its own. */
const arrange = Effect.fnUntraced(function*(options: { readonly credits?: number; readonly places?: number } = {}) {
  const orgId = `org_research_${++made}`
  const places = Array.from({ length: options.places ?? 1 }, (_, index) => made * 1000 + index)
  const properties = places.map((n) => id(1, n))
  const contacts = places.map((n) => id(2, n))
  yield* Seeder.use((seeder) =>
    seeder.add({
      organizations: [{ ...defaults(orgId), plan: "enterprise" }],
      properties: properties.map((propertyId) => property({ id: propertyId, countyFips: county })),
      contacts: contacts.map((contactId) => contact({ id: contactId })),
      relationships: properties.map((propertyId, index) => ({
        propertyId,
        contactId: contacts[index] ?? "",
        role: null,
        relationshipStatus: "current",
        attributionType: "county_record"
      }))
    })
  )
  const credits = options.credits ?? 1000
  if (credits > 0) yield* grant(orgId, credits)
  return { orgId, properties, contacts }
})

const grant = Effect.fnUntraced(function*(orgId: string, amount: number) {
  const now = yield* Clock.currentTimeMillis
  const ref = `grant ${amount}`
  yield* Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject: { _tag: "Grant", ref }, exclusive: false, now },
      (snapshot) =>
        decideGrant(snapshot, { ref, bucket: "included", amount, expiresAt: null, actor, requestId: null, now })
    )
  )
})

const launch = Effect.fnUntraced(function*(
  orgId: string,
  action: ResearchAction,
  subjectIds: ReadonlyArray<string>,
  more: {
    readonly batch?: boolean
    readonly claimedFor?: Duration.Duration
    readonly maxCredits?: number
    /** Milliseconds by which the caller's clock was set back. */
    readonly clockBack?: number
    readonly propertyId?: string
    readonly unlessDelivered?: boolean
  } = {}
) {
  const now = (yield* Clock.currentTimeMillis) - (more.clockBack ?? 0)
  const random = yield* SecureRandom.SecureRandom
  const subjects = yield* Effect.forEach(
    subjectIds,
    (subjectId) => Effect.map(random.uuidV4(), (jobId) => ({ subjectId, jobId }))
  )
  const runId = yield* random.uuidV7()
  const limits = limitsOf(defaults(orgId), null, now)
  return yield* ResearchRuns.use((runs) =>
    runs.launch(
      {
        runId,
        orgId,
        action,
        batch: more.batch ?? false,
        subjects,
        propertyId: more.propertyId ?? null,
        unlessDelivered: more.unlessDelivered ?? false,
        wish: null,
        actor,
        claimedFor: more.claimedFor ?? null,
        now,
        usage: queryOf(limits)
      },
      (snapshot) =>
        decideLaunch(snapshot, {
          action,
          subjectIds,
          limits,
          maxCredits: more.maxCredits,
          actor,
          requestId: "r-1",
          now
        })
    )
  )
})

const balanceOf = Effect.fnUntraced(function*(orgId: string) {
  const now = yield* Clock.currentTimeMillis
  return total((yield* Ledger.use((ledger) => ledger.balance(orgId, now))).balance)
})

const entriesOf = (orgId: string) => Ledger.use((ledger) => ledger.entries(orgId, { after: 0, limit: 10_000 }))

const propertyOf = (propertyId: string, orgId: string) =>
  Effect.flatMap(
    Properties.use((properties) => properties.read({ _tag: "Id", id: propertyId }, orgId)),
    (found) => Effect.orDie(Effect.fromOption(found))
  )

const accessTo = (propertyId: string, orgId: string) =>
  Effect.map(
    Properties.use((properties) => properties.standing({ _tag: "Id", id: propertyId }, orgId)),
    (standing) => Option.getOrThrow(standing).access
  )

const readRun = (run: Run) =>
  Effect.flatMap(
    ResearchRuns.use((runs) => runs.read(run.orgId, run.runId)),
    (read) => Effect.orDie(Effect.fromOption(read))
  )

const stateOf = (run: Run) => Effect.map(readRun(run), ({ items }) => statusOf(items.map(({ state }) => state)))

const jobIdOf = (run: Run, place = 0): string => run.items[place]?.jobId ?? ""

/** Everything that is due, for good. */
const claimAll = ResearchRuns.use((runs) => runs.claim({ limit: 1000, lease: Duration.minutes(5) }))

const unlock = Effect.fnUntraced(function*(orgId: string, propertyId: string) {
  const now = yield* Clock.currentTimeMillis
  return yield* Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject: { _tag: "Property", propertyId }, exclusive: true, now },
      (snapshot) =>
        decideUnlock(snapshot, {
          propertyId,
          covered: false,
          researched: true,
          price: 10,
          actor,
          requestId: null,
          now
        })
    )
  )
})

const refund = Effect.fnUntraced(function*(orgId: string, entry: number) {
  const now = yield* Clock.currentTimeMillis
  return yield* Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject: { _tag: "Entry", entry }, exclusive: false, now },
      (snapshot) => decideRefund(snapshot, { actor, requestId: null, now })
    )
  )
})

/** Σ charged − refunded is the price of what was delivered or is still going on, and nothing is charged twice. */
const checkMoney = Effect.fnUntraced(function*(orgId: string, runs: ReadonlyArray<Run>) {
  const entries = yield* entriesOf(orgId)
  const spent = -entries.filter(({ kind }) => kind !== "grant").reduce((sum, { credits }) => sum + credits, 0)
  const now = yield* Effect.forEach(runs, readRun)
  const owed = now.flatMap(({ action, items }) =>
    items.flatMap(({ state }) => state === "failed" ? [] : [priceOf(action)])
  )
  assert.strictEqual(spent, owed.reduce((sum, price) => sum + price, 0))
  const charges = now.flatMap(({ items }) => items.map(({ chargeEntry }) => chargeEntry))
  assert.lengthOf(new Set(charges), charges.length)
  for (const { action, items } of now) {
    for (const { chargeEntry, state, subjectId } of items) {
      assert.deepInclude(entries[chargeEntry - 1], {
        kind: "charge",
        action,
        subject_type: subjectTypes[action],
        subject_id: subjectId,
        credits: -priceOf(action)
      })
      assert.strictEqual(entries.filter((each) => each.refund_of === chargeEntry).length, state === "failed" ? 1 : 0)
    }
  }
})

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Launch" as const),
      action: fc.constantFrom<ResearchAction>("research_property", "find_email", "deep_research_contact"),
      place: fc.integer({ min: 0, max: 2 }),
      maxCredits: fc.constantFrom(undefined, undefined, 0, 5, 10)
    })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Batch" as const), first: fc.integer({ min: 0, max: 1 }) }) },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Claim" as const), held: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      _tag: fc.constantFrom("Deliver", "Fail", "Fail", "Retry", "HandOver" as const),
      nth: fc.integer({ min: 0, max: 2 })
    })
  }
)

/** Runs one generated history of launches, outcomes and lost workers, and answers what happened in it. */
const runHistory = Effect.fnUntraced(function*(
  steps: ReadonlyArray<typeof step extends fc.Arbitrary<infer A> ? A : never>,
  credits: number
) {
  const { contacts, orgId, properties } = yield* arrange({ credits, places: 3 })
  const launched: Array<Run> = []
  const seen = new Set<string>()
  for (const each of steps) {
    const before = yield* balanceOf(orgId)
    const jobs = launched.flatMap(({ items }) => items.map(({ jobId }) => jobId))
    const outcome = yield* Effect.gen(function*() {
      switch (each._tag) {
        case "Launch": {
          const subjects = subjectTypes[each.action] === "property" ? properties : contacts
          const subject = subjects[each.place] ?? ""
          launched.push(
            yield* launch(
              orgId,
              each.action,
              [subject],
              each.maxCredits === undefined ? {} : { maxCredits: each.maxCredits }
            )
          )
          return "launched"
        }
        case "Batch":
          launched.push(yield* launch(orgId, "research_property", properties.slice(each.first), { batch: true }))
          return "batch"
        case "Claim":
          // A worker that is killed leaves its claim behind, due again when the lease is over.
          yield* ResearchRuns.use((runs) =>
            runs.claim({ limit: 100, lease: each.held ? Duration.minutes(5) : Duration.zero })
          )
          return "claimed"
        default: {
          const jobId = jobs[each.nth]
          if (jobId === undefined) return "nothing"
          const runs = yield* ResearchRuns
          const job = Option.getOrThrow(yield* runs.job(jobId))
          if (each._tag === "Deliver") return `deliver ${yield* runs.deliver(jobId, found)}`
          if (each._tag === "Fail") return `fail ${yield* runs.fail(jobId, "nothing_found")}`
          if (each._tag === "Retry") yield* runs.retry(job, Duration.zero)
          else yield* runs.handOver(job, Duration.zero)
          return each._tag
        }
      }
    }).pipe(Effect.result)
    seen.add(Result.isFailure(outcome) ? outcome.failure._tag : outcome.success)
    if (Result.isFailure(outcome)) assert.strictEqual(yield* balanceOf(orgId), before, "a refusal charges nothing")
    yield* checkMoney(orgId, launched)
  }
  // Whatever is left comes due again and ends, and an end stays.
  for (const run of launched) {
    for (const { jobId } of run.items) yield* ResearchRuns.use((runs) => runs.fail(jobId, "timed_out"))
    assert.isNotNull((yield* readRun(run)).finishedAt)
  }
  yield* checkMoney(orgId, launched)
  return seen
})

/** `layer` holds an empty store. */
export const researchRunsContract = <E, R = never>(
  name: string,
  layer: Layer.Layer<Ports | SecureRandom.SecureRandom | R, E>,
  options: {
    /** How many are generated. */
    readonly histories: number
    /** Looks at what all of it left behind. */
    readonly inspect?: Effect.Effect<void, unknown, R>
  }
): void => {
  suite(layer, { excludeTestServices: true })(`ResearchRuns: ${name}`, (it) => {
    it.effect("a property's research is charged, opens the property at once and shows that it goes on (S1)", () =>
      Effect.gen(function*() {
        const { orgId, properties: [first = ""] } = yield* arrange()
        const run = yield* launch(orgId, "research_property", [first])
        assert.strictEqual(yield* stateOf(run), "queued")
        assert.strictEqual(yield* balanceOf(orgId), 990)
        assert.strictEqual(yield* accessTo(first, orgId), "paid")
        assert.strictEqual((yield* propertyOf(first, orgId)).enrichmentStatus, "queued")
        const jobs = yield* claimAll
        const job = jobs.find(({ runId }) => runId === run.runId)
        assert.deepInclude(job, {
          action: "research_property",
          subjectId: first,
          opened: true,
          claim: 1,
          attempts: 0,
          overdue: false
        })
        assert.strictEqual(job?.subjectKey, `${county}-${first}`)
        assert.strictEqual(yield* stateOf(run), "running")
        assert.strictEqual((yield* propertyOf(first, orgId)).enrichmentStatus, "processing")
        yield* checkMoney(orgId, [run])
      }))

    it.effect("what is delivered is recorded once, and ends the run", () =>
      Effect.gen(function*() {
        const { orgId, properties: [first = ""] } = yield* arrange()
        const run = yield* launch(orgId, "research_property", [first])
        const runs = yield* ResearchRuns
        const rows = researched(`${county}-${first}`)
        assert.strictEqual(yield* runs.deliver(jobIdOf(run), { ...found, rows }), "done")
        const { enrichmentStatus, research } = yield* propertyOf(first, orgId)
        assert.strictEqual(enrichmentStatus, "complete")
        assert.strictEqual(research?.beneficialOwner, "Sample Holdings")
        assert.strictEqual(yield* stateOf(run), "complete")
        assert.isNotNull((yield* readRun(run)).finishedAt)
        assert.strictEqual(yield* runs.deliver(jobIdOf(run), { ...found, rows, partial: true }), "ended")
        assert.strictEqual(yield* runs.fail(jobIdOf(run), "timed_out"), "ended")
        assert.strictEqual(yield* stateOf(run), "complete")
        yield* checkMoney(orgId, [run])
      }))

    it.effect("what is delivered in part is paid for, and shows as that", () =>
      Effect.gen(function*() {
        const { orgId, properties: [first = ""] } = yield* arrange()
        const run = yield* launch(orgId, "research_property", [first])
        const rows = researched(`${county}-${first}`)
        yield* ResearchRuns.use((runs) => runs.deliver(jobIdOf(run), { ...found, rows, partial: true }))
        assert.strictEqual((yield* propertyOf(first, orgId)).enrichmentStatus, "partial")
        assert.strictEqual(yield* stateOf(run), "partial")
        yield* checkMoney(orgId, [run])
      }))

    it.effect("what fails is given back once, and closes what it opened (S2)", () =>
      Effect.gen(function*() {
        const { orgId, properties: [first = ""] } = yield* arrange()
        const run = yield* launch(orgId, "research_property", [first])
        const runs = yield* ResearchRuns
        const endings = yield* Effect.forEach(
          Array.from({ length: 6 }),
          () => runs.fail(jobIdOf(run), "nothing_found"),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(endings.filter((each) => each === "done").length, 1)
        assert.strictEqual(yield* balanceOf(orgId), 1000)
        assert.isNull(yield* accessTo(first, orgId))
        assert.strictEqual((yield* propertyOf(first, orgId)).enrichmentStatus, "failed")
        assert.deepInclude((yield* readRun(run)).items[0], { state: "failed", reason: "nothing_found" })
        assert.strictEqual(yield* runs.deliver(jobIdOf(run), found), "ended")
        yield* checkMoney(orgId, [run])
      }))

    it.effect("of a delivery and a failure at once one counts", () =>
      Effect.gen(function*() {
        const { contacts, orgId } = yield* arrange({ places: 8 })
        const runs = yield* ResearchRuns
        const launched = yield* Effect.forEach(contacts, (each) => launch(orgId, "find_email", [each]))
        yield* Effect.forEach(launched, (run) =>
          Effect.gen(function*() {
            const endings = yield* Effect.all(
              [runs.deliver(jobIdOf(run), found), runs.fail(jobIdOf(run), "timed_out")],
              { concurrency: "unbounded" }
            )
            assert.sameMembers([...endings], ["done", "ended"])
          }), { concurrency: "unbounded" })
        yield* checkMoney(orgId, launched)
      }))

    it.effect("rows that refer to nothing are refused, and nothing of the delivery counts", () =>
      Effect.gen(function*() {
        const { orgId, properties: [first = ""] } = yield* arrange()
        const run = yield* launch(orgId, "research_property", [first])
        const rows = [...researched(`${county}-${first}`), ...researched("made-up key")]
        const refused = yield* Effect.flip(
          ResearchRuns.use((runs) => runs.deliver(jobIdOf(run), { ...found, rows }))
        )
        assert(refused._tag === "DeliveryRejected")
        assert.deepInclude(refused.faults[0], { kind: "research", index: 0, field: "propertyKey" })
        assert.isNull((yield* propertyOf(first, orgId)).research)
        assert.strictEqual(yield* stateOf(run), "queued")
        assert.strictEqual(yield* ResearchRuns.use((runs) => runs.deliver(id(1, 999_999), found)), "unknown")
        assert.strictEqual(yield* ResearchRuns.use((runs) => runs.fail(id(1, 999_999), "fault")), "unknown")
      }))

    it.effect("research of what is unlocked is charged beside the unlock; each opens it while the other is given back", () =>
      Effect.gen(function*() {
        const { orgId, properties: [first = ""] } = yield* arrange()
        yield* unlock(orgId, first)
        const again = yield* launch(orgId, "research_property", [first])
        const job = yield* ResearchRuns.use((runs) => runs.job(jobIdOf(again)))
        assert.isFalse(Option.getOrThrow(job).opened)
        yield* ResearchRuns.use((runs) => runs.fail(jobIdOf(again), "nothing_found"))
        assert.strictEqual(yield* accessTo(first, orgId), "paid", "the unlock stands")
        const kept = yield* launch(orgId, "research_property", [first])
        yield* ResearchRuns.use((runs) => runs.deliver(jobIdOf(kept), found))
        assert.strictEqual((yield* refund(orgId, 2)).outcome, "created")
        assert.strictEqual(yield* accessTo(first, orgId), "paid", "its research includes it")
        assert.strictEqual(yield* balanceOf(orgId), 990)
        yield* refund(orgId, kept.items[0]?.chargeEntry ?? 0)
        assert.isNull(yield* accessTo(first, orgId))
        assert.strictEqual(yield* balanceOf(orgId), 1000)
      }))

    it.effect("a property is researched once at a time, whoever asks; what is about a person is one organization's (S3)", () =>
      Effect.gen(function*() {
        const one = yield* arrange()
        const other = yield* arrange()
        const [first = ""] = one.properties
        const [person = ""] = one.contacts
        const run = yield* launch(one.orgId, "research_property", [first])
        for (const orgId of [one.orgId, other.orgId]) {
          const refused = yield* Effect.flip(launch(orgId, "research_property", [first]))
          assert.deepInclude(refused, {
            _tag: "ALREADY_RESEARCHING",
            run_id: orgId === one.orgId ? run.runId : null
          })
          const [candidate] = yield* ResearchRuns.use((runs) => runs.candidates(orgId, [{ _tag: "Id", id: first }]))
          assert.deepInclude(candidate, { researching: true, runId: orgId === one.orgId ? run.runId : null })
        }
        yield* launch(one.orgId, "find_email", [person])
        yield* launch(other.orgId, "find_email", [person])
        yield* launch(one.orgId, "deep_research_contact", [person])
        assert.strictEqual((yield* Effect.flip(launch(one.orgId, "find_email", [person])))._tag, "ALREADY_RESEARCHING")
        yield* ResearchRuns.use((runs) => runs.deliver(jobIdOf(run), found))
        yield* launch(other.orgId, "research_property", [first])
        assert.strictEqual(yield* balanceOf(one.orgId), 975)
        assert.strictEqual(yield* balanceOf(other.orgId), 985)
      }))

    it.effect("of simultaneous launches of the same research one is charged (S3)", () =>
      Effect.gen(function*() {
        const { orgId, properties: [first = ""] } = yield* arrange()
        const results = yield* Effect.forEach(
          Array.from({ length: 12 }, () => launch(orgId, "research_property", [first])),
          Effect.result,
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.filter(Result.isSuccess).length, 1)
        for (const each of results) {
          if (Result.isFailure(each)) {
            assert.include(["ACTION_IN_PROGRESS", "ALREADY_RESEARCHING"], each.failure._tag)
          }
        }
        assert.strictEqual(yield* balanceOf(orgId), 990)
      }))

    it.effect("organizations that want the same properties at once: each is charged once, and nobody waits for ever", () =>
      Effect.gen(function*() {
        const { properties } = yield* arrange({ places: 6 })
        const orgs = yield* Effect.forEach(Array.from({ length: 4 }), () => arrange())
        const results = yield* Effect.forEach(
          orgs,
          ({ orgId }, index) =>
            Effect.result(
              launch(orgId, "research_property", index % 2 === 0 ? properties : properties.toReversed(), {
                batch: true
              })
            ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.filter(Result.isSuccess).length, 1)
        const balances = yield* Effect.forEach(orgs, ({ orgId }) => balanceOf(orgId))
        assert.deepStrictEqual(balances.toSorted(), [1000, 1000, 1000, 940])
      }))

    it.effect("a batch is charged as a whole, ends with its last item, and gives back what failed of it (S1 S2 S3)", () =>
      Effect.gen(function*() {
        const { orgId, properties } = yield* arrange({ credits: 35, places: 4 })
        const poor = yield* Effect.flip(launch(orgId, "research_property", properties, { batch: true }))
        assert.deepInclude(poor, { _tag: "INSUFFICIENT_CREDITS", required: 40, available: 35 })
        const run = yield* launch(orgId, "research_property", properties.slice(1), { batch: true })
        assert.strictEqual(yield* balanceOf(orgId), 5)
        const refused = yield* Effect.flip(launch(orgId, "research_property", properties.slice(0, 1), { batch: true }))
        assert.deepInclude(refused, { _tag: "BATCH_ALREADY_RUNNING", run_id: run.runId })
        const runs = yield* ResearchRuns
        const impeded = (batch: boolean) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => runs.impediment(orgId, { batch, now }))
        assert.deepStrictEqual(yield* impeded(true), Option.some(refused))
        assert.deepStrictEqual(yield* impeded(false), Option.none())
        yield* Effect.all([
          runs.deliver(jobIdOf(run, 0), found),
          runs.fail(jobIdOf(run, 1), "nothing_found"),
          runs.deliver(jobIdOf(run, 2), found)
        ], { concurrency: "unbounded" })
        assert.strictEqual(yield* stateOf(run), "partial")
        assert.isNotNull((yield* readRun(run)).finishedAt)
        assert.strictEqual(yield* balanceOf(orgId), 15)
        yield* checkMoney(orgId, [run])
        yield* launch(orgId, "research_property", properties.slice(0, 1), { batch: true })
      }))

    it.effect("a job is one worker's at a time, and comes due again when its lease is over", () =>
      Effect.gen(function*() {
        const { contacts, orgId } = yield* arrange({ places: 10 })
        yield* claimAll
        const runs = yield* ResearchRuns
        const launched = yield* Effect.forEach(contacts, (each) => launch(orgId, "find_email", [each]))
        const claims = yield* Effect.forEach(
          Array.from({ length: 4 }),
          () => runs.claim({ limit: 5, lease: Duration.minutes(5) }),
          { concurrency: "unbounded" }
        )
        const held = claims.flat().map(({ jobId }) => jobId)
        assert.sameMembers(held, launched.map((run) => jobIdOf(run)))

        const [person = ""] = (yield* arrange()).contacts
        const run = yield* launch(orgId, "find_email", [person])
        yield* runs.claim({ limit: 5, lease: Duration.zero })
        const [again] = yield* runs.claim({ limit: 5, lease: Duration.minutes(5) })
        assert.deepInclude(again, { jobId: jobIdOf(run), claim: 2, attempts: 0 })
        assert.deepStrictEqual(yield* runs.claim({ limit: 5, lease: Duration.minutes(5) }), [])
      }))

    it.effect("organizations take turns, however much is due of one: who holds the fewest jobs comes next", () =>
      Effect.gen(function*() {
        const busy = yield* arrange({ credits: 10_000, places: 600 })
        const other = yield* arrange({ places: 3 })
        yield* claimAll
        const runs = yield* ResearchRuns
        const claim = (limit: number) => runs.claim({ limit, lease: Duration.minutes(5) })
        yield* launch(busy.orgId, "find_email", busy.contacts)
        const launched = yield* Effect.forEach(other.contacts, (each) => launch(other.orgId, "find_email", [each]))
        const [first, second, third] = launched.map((run) => jobIdOf(run))
        const together = yield* claim(3)
        const [handedOver, ...more] = together.filter(({ organization }) => organization.org_id === other.orgId)
        assert.deepStrictEqual([together.length, handedOver?.jobId, more], [3, first, []])
        assert.deepStrictEqual((yield* claim(1)).map(({ jobId }) => jobId), [second])
        if (handedOver === undefined) return assert.fail("claimed")
        yield* runs.handOver(handedOver, Duration.minutes(1))
        assert.deepStrictEqual((yield* claim(1)).map(({ jobId }) => jobId), [third])
        assert.deepStrictEqual((yield* claim(1)).map(({ organization }) => organization.org_id), [busy.orgId])
        yield* claimAll
      }))

    it.effect("a job is tried again, or waited for; whoever lost the claim changes nothing", () =>
      Effect.gen(function*() {
        const { contacts: [person = ""], orgId } = yield* arrange()
        yield* claimAll
        const runs = yield* ResearchRuns
        const run = yield* launch(orgId, "find_email", [person], { claimedFor: Duration.zero })
        assert.strictEqual(yield* stateOf(run), "running")
        const [second] = yield* claimAll
        assert.deepInclude(second, { jobId: jobIdOf(run), claim: 2, attempts: 0 })
        if (second === undefined) return assert.fail("claimed")
        yield* runs.retry({ ...second, claim: 1 }, Duration.zero)
        assert.strictEqual(yield* stateOf(run), "running", "the first claim is lost")
        yield* runs.retry(second, Duration.zero)
        assert.strictEqual(yield* stateOf(run), "queued")
        const [third] = yield* claimAll
        assert.deepInclude(third, { claim: 3, attempts: 1, overdue: false })
        if (third === undefined) return assert.fail("claimed")
        yield* runs.handOver(third, Duration.zero)
        const [fourth] = yield* claimAll
        assert.deepInclude(fourth, { claim: 4, attempts: 1, overdue: true })
        assert.strictEqual(yield* runs.deliver(jobIdOf(run), found), "done", "an answer counts while nobody gave it up")
      }))

    it.effect("keeps what was found for a person and a property, for the organization that paid", () =>
      Effect.gen(function*() {
        const { contacts: [person = ""], orgId, properties: [first = "", second = ""] } = yield* arrange({ places: 2 })
        const runs = yield* ResearchRuns
        const written = (summary: string) => ({ summary, approach: "Ask.", points: ["A point."] })
        const research = Effect.fnUntraced(function*(summary: string, propertyId: string) {
          const run = yield* launch(orgId, "deep_research_contact", [person], { propertyId })
          yield* runs.deliver(jobIdOf(run), { ...found, result: { _tag: "Strategy", strategy: written(summary) } })
          return { runId: run.runId, propertyId, strategy: written(summary) }
        })
        yield* research("First.", first)
        const latest = yield* research("Second.", first)
        const other = yield* research("Third.", second)
        const strategy = (orgId: string, ...places: ReadonlyArray<string>) => runs.strategy(orgId, person, places)
        assert.deepStrictEqual(yield* strategy(orgId, first), Option.some(latest))
        assert.deepStrictEqual(yield* strategy(orgId, second), Option.some(other))
        assert.deepStrictEqual(yield* strategy(orgId, first, second), Option.some(other))
        assert.deepStrictEqual(yield* strategy(orgId, id(1, 999_999)), Option.none())
        assert.deepStrictEqual(yield* strategy(orgId), Option.none())
        assert.deepStrictEqual(yield* strategy((yield* arrange()).orgId, first, second), Option.none())
        const run = yield* launch(orgId, "draft_email", [person], { propertyId: second })
        const job = Option.getOrThrow(yield* runs.job(jobIdOf(run)))
        assert.deepStrictEqual(job.property, { id: second, key: `${county}-${second}` })
        const result = { _tag: "Draft" as const, draft: { subject: "Hello", body: "A line." } }
        yield* runs.deliver(jobIdOf(run), { ...found, result })
        assert.deepInclude((yield* readRun(run)).items[0], { propertyId: second, result })
        assert.deepStrictEqual(yield* runs.read("org_nobody", run.runId), Option.none())
      }))

    it.effect("what was delivered about a person and a property is not launched again, unless it is asked for again", () =>
      Effect.gen(function*() {
        const { contacts: [person = ""], orgId, properties: [first = "", second = ""] } = yield* arrange({ places: 2 })
        const runs = yield* ResearchRuns
        const once = (propertyId: string) =>
          launch(orgId, "deep_research_contact", [person], { propertyId, unlessDelivered: true })
        const run = yield* once(first)
        const strategy = { summary: "Found.", approach: "Ask.", points: [] }
        yield* runs.deliver(jobIdOf(run), { ...found, result: { _tag: "Strategy", strategy } })
        const refused = yield* Effect.flip(once(first))
        assert.deepInclude(refused, { _tag: "ALREADY_RESEARCHING", run_id: run.runId })
        yield* once(second)
        yield* launch(orgId, "deep_research_contact", [person], { propertyId: first })
      }))

    it.effect("what was launched is found again, the newest first, by what it is about", () =>
      Effect.gen(function*() {
        const { contacts: [person = "", other = ""], orgId, properties: [first = "", second = ""] } = yield* arrange({
          places: 2
        })
        const runs = yield* ResearchRuns
        const batch = yield* launch(orgId, "research_property", [first, second], { batch: true })
        const deep = yield* launch(orgId, "deep_research_contact", [person], { propertyId: second })
        const draft = yield* launch(orgId, "draft_email", [person], { propertyId: first })
        const email = yield* launch(orgId, "find_email", [other])
        const everything: RunsWanted = { action: null, aboutId: null, actorId: null, before: null, limit: 10 }
        const ids = (wanted: Partial<RunsWanted>, org = orgId) =>
          Effect.map(
            runs.list(org, { ...everything, ...wanted }),
            (listed) => listed.map(({ runId }) => runId)
          )
        const all = [batch, deep, draft, email].map(({ runId }) => runId).sort().reverse()
        assert.deepStrictEqual(yield* ids({}), all)
        assert.deepStrictEqual(yield* ids({ limit: 2 }), all.slice(0, 2))
        assert.deepStrictEqual(yield* ids({ before: all[1] ?? "" }), all.slice(2))
        assert.sameMembers([...yield* ids({ aboutId: person })], [deep.runId, draft.runId])
        assert.sameMembers([...yield* ids({ aboutId: first })], [batch.runId, draft.runId])
        assert.sameMembers([...yield* ids({ aboutId: first, action: "draft_email" })], [draft.runId])
        assert.deepStrictEqual(yield* ids({ actorId: actor.id }), all)
        assert.deepStrictEqual(yield* ids({ actorId: "somebody else" }), [])
        assert.deepStrictEqual(yield* ids({}, (yield* arrange()).orgId), [])
        const [told] = yield* runs.list(orgId, { ...everything, action: "find_email" })
        assert.deepStrictEqual(told, yield* readRun(email))
        const going = (action: ResearchAction, subjectId: string, ...propertyIds: ReadonlyArray<string>) =>
          runs.underWay(orgId, { action, subjectId, propertyIds })
        assert.deepStrictEqual(yield* going("deep_research_contact", person, second), Option.some(deep.runId))
        assert.deepStrictEqual(yield* going("deep_research_contact", person, first), Option.none())
        assert.deepStrictEqual(yield* going("deep_research_contact", person, first, second), Option.some(deep.runId))
        assert.deepStrictEqual(yield* going("find_email", other), Option.some(email.runId))
        const strategy = { summary: "Found.", approach: "Ask.", points: [] }
        yield* runs.deliver(jobIdOf(deep), { ...found, result: { _tag: "Strategy", strategy } })
        assert.deepStrictEqual(yield* going("deep_research_contact", person, second), Option.none())
        const last = (...propertyIds: ReadonlyArray<string>) =>
          Contacts.use((contacts) => contacts.lastWritten(orgId, { contactIds: [person, other], propertyIds }))
        const written = (yield* last(first, second)).strategy
        assert.deepInclude(written, { runId: deep.runId, contactId: person, propertyId: second })
        assert.deepStrictEqual(yield* last(first), { strategy: null, draft: null })
        assert.deepStrictEqual(yield* last(), { strategy: null, draft: null })
      }))

    it.effect("tells the property that was paid for or moved in the pipeline last", () =>
      Effect.gen(function*() {
        const { orgId, properties } = yield* arrange({ places: 3 })
        const [first = "", second = "", third = ""] = properties
        const last = ResearchRuns.use((runs) => runs.takenUp(orgId, properties))
        assert.deepStrictEqual(yield* last, Option.none())
        yield* unlock(orgId, second)
        assert.deepStrictEqual(yield* last, Option.some(second))
        const now = (yield* Clock.currentTimeMillis) + 1000
        const random = yield* SecureRandom.SecureRandom
        const qualified = qualification(orgId, first, { eventId: yield* random.uuidV4(), now })
        yield* Pipeline.use((pipeline) => pipeline.change(qualified))
        assert.deepStrictEqual(yield* last, Option.some(first))
        const lastOf = (...ids: ReadonlyArray<string>) => ResearchRuns.use((runs) => runs.takenUp(orgId, ids))
        assert.deepStrictEqual(yield* lastOf(second, third), Option.some(second))
        assert.deepStrictEqual(yield* lastOf(third), Option.none())
      }))

    it.effect("what is about a person goes on once at a time for each of the properties (S3)", () =>
      Effect.gen(function*() {
        const { contacts: [person = ""], orgId, properties: [first = "", second = ""] } = yield* arrange({ places: 2 })
        const deep = (propertyId: string) => launch(orgId, "deep_research_contact", [person], { propertyId })
        yield* deep(first)
        yield* deep(second)
        assert.strictEqual((yield* Effect.flip(deep(first)))._tag, "ALREADY_RESEARCHING")
        assert.strictEqual(yield* balanceOf(orgId), 980)
      }))

    it.effect("what was found about a property that was merged is about the survivor", () =>
      Effect.gen(function*() {
        const { contacts: [person = ""], orgId, properties: [gone = "", heir = ""] } = yield* arrange({ places: 2 })
        const runs = yield* ResearchRuns
        const run = yield* launch(orgId, "deep_research_contact", [person], { propertyId: gone })
        yield* PropertyMerges.use((merges) => merges.merge({ from: gone, into: heir, dryRun: false }))
        assert.strictEqual(Option.getOrThrow(yield* runs.job(jobIdOf(run))).property?.id, heir)
        // It is paid for once, under whichever name it is asked for.
        const again = (more: object = {}) =>
          Effect.flip(launch(orgId, "deep_research_contact", [person], { propertyId: heir, ...more }))
        const doing = { action: "deep_research_contact", subjectId: person, propertyIds: [heir] } as const
        assert.deepStrictEqual(yield* runs.underWay(orgId, doing), Option.some(run.runId))
        assert.deepInclude(yield* again(), { _tag: "ALREADY_RESEARCHING", run_id: run.runId })
        const strategy = { summary: "Found.", approach: "Ask.", points: [] }
        yield* runs.deliver(jobIdOf(run), { ...found, result: { _tag: "Strategy", strategy } })
        assert.strictEqual((yield* readRun(run)).items[0]?.propertyId, heir)
        assert.deepInclude(yield* again({ unlessDelivered: true }), { _tag: "ALREADY_RESEARCHING", run_id: run.runId })
        const kept = { runId: run.runId, propertyId: heir, strategy }
        assert.deepStrictEqual(yield* runs.strategy(orgId, person, [heir]), Option.some(kept))
        assert.deepStrictEqual(yield* runs.strategy(orgId, person, [gone]), Option.none())
      }))

    it.effect("the research of a property that was merged is listed under the survivor", () =>
      Effect.gen(function*() {
        const { orgId, properties: [gone = "", heir = ""] } = yield* arrange({ places: 2 })
        const runs = yield* ResearchRuns
        const run = yield* launch(orgId, "research_property", [gone])
        yield* runs.deliver(jobIdOf(run), { ...found, result: null })
        yield* PropertyMerges.use((merges) => merges.merge({ from: gone, into: heir, dryRun: false }))
        const wanted = { action: null, actorId: null, before: null, limit: 10 }
        const listed = yield* runs.list(orgId, { ...wanted, aboutId: heir })
        assert.deepStrictEqual(listed.map(({ runId }) => runId), [run.runId])
      }))

    it.effect("an organization launches so many runs an hour and no more", () =>
      Effect.gen(function*() {
        const { contacts: [person = ""], orgId } = yield* arrange()
        const runs = yield* ResearchRuns
        for (let n = 0; n < 3; n++) {
          const run = yield* launch(orgId, "find_email", [person])
          yield* runs.fail(jobIdOf(run), "nothing_found")
        }
        const refused = yield* Effect.flip(launch(orgId, "find_email", [person]))
        assert(refused._tag === "RATE_LIMITED")
        assert.isAtLeast(refused.retryAfterSeconds, 3500)
        assert.isAtMost(refused.retryAfterSeconds, 3600)
        const told = yield* runs.impediment(orgId, { batch: false, now: yield* Clock.currentTimeMillis })
        assert.strictEqual(Option.getOrThrow(told)._tag, "RATE_LIMITED")
        // What was launched before a clock was set back does not count.
        yield* launch(orgId, "find_email", [person], { clockBack: 2 * 3_600_000 })
      }).pipe(Effect.provideService(MaximumLaunches, 3)))

    it.effect("tells which properties can be researched", () =>
      Effect.gen(function*() {
        const { orgId, properties: [first = "", second = ""] } = yield* arrange({ places: 2 })
        yield* launch(orgId, "research_property", [first])
        const candidates = yield* ResearchRuns.use((runs) =>
          runs.candidates(orgId, [
            { _tag: "Id", id: first },
            { _tag: "Key", key: `${county}-${second}` },
            { _tag: "Key", key: "made-up" }
          ])
        )
        assert.deepStrictEqual(
          candidates.map(({ access, id, researched, researching }) => ({ access, id, researched, researching })),
          [
            { id: first, access: "paid", researched: false, researching: true },
            { id: second, access: null, researched: false, researching: false }
          ]
        )
        assert.deepStrictEqual(candidates[1]?.ref, { _tag: "Key", key: `${county}-${second}` })
      }))

    it.effect(
      "for every history of launches, outcomes and lost workers: what was charged and not given back was delivered (S1 S2)",
      () =>
        Effect.gen(function*() {
          const run = Effect.runPromiseWith(yield* Effect.context<Ports | SecureRandom.SecureRandom>())
          const seen = new Set<string>()
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(
                fc.array(step, { minLength: 10, maxLength: 25, size: "max" }),
                fc.constantFrom(0, 14, 15, 40, 1000),
                (steps, credits) =>
                  run(runHistory(steps, credits)).then((happened) => {
                    for (const each of happened) seen.add(each)
                  })
              ),
              { numRuns: options.histories, seed: 20_261_122 }
            )
          )
          const everything = [
            "launched",
            "batch",
            "claimed",
            "deliver done",
            "deliver ended",
            "fail done",
            "fail ended",
            "ALREADY_RESEARCHING",
            "BATCH_ALREADY_RUNNING",
            "INSUFFICIENT_CREDITS",
            "COST_CONFIRMATION_REQUIRED",
            "BILLING_NOT_PROVISIONED"
          ]
          assert.deepStrictEqual(everything.filter((each) => !seen.has(each)), [], "never generated")
        }),
      { timeout: 120_000 }
    )

    it.effect("leaves everything in order", () => options.inspect ?? Effect.void)
  })
}

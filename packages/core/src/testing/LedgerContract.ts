/**
 * What every `Ledger` must do: the laws of conservation, order, idempotency and concurrency.
 *
 * Adapters call `ledgerContract` from their own tests. Sequences are generated with a bias to the edges (balances just
 * below, at and above a price; few items, so that they meet often), and the suite fails when a refusal, a refund, an
 * expiry or a split over two buckets was never generated.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Effect, Fiber, type Layer, Result } from "effect"
import * as fc from "fast-check"
import { decideReveal } from "../contact/RevealDecision.ts"
import { Bucket, type BucketAmounts, none, plus, total } from "../credit/Bucket.ts"
import { decideExport } from "../credit/ExportDecision.ts"
import { decideGrant } from "../credit/Grant.ts"
import { Ledger, type LedgerSnapshot, type Subject } from "../credit/Ledger.ts"
import { decide } from "../credit/LedgerDecision.ts"
import type { LedgerEntry } from "../credit/LedgerEntry.ts"
import { decideRefund } from "../credit/Refund.ts"
import { monthStart } from "../operation/UtcTime.ts"
import { defaults, type Organization } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { decideUnlock } from "../property/UnlockDecision.ts"
import { contact, property, Seeder } from "./Seed.ts"

const day = 86_400_000
const start = Date.UTC(2026, 2, 30)
const actor = { kind: "operator", id: null, name: "Sample Operator" } as const
const countyFips = "99001"

let made = 0
/** Made-up ids that no other test of this process uses. */
const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`

interface Items {
  readonly orgId: string
  readonly properties: ReadonlyArray<string>
  /** The contact at an index is attached to the property at that index; the last one is attached to none. */
  readonly contacts: ReadonlyArray<string>
}

/** A new organization, and items that only its test knows. */
const arrange = Effect.fnUntraced(function*(size: number, settings: Partial<Organization> = {}) {
  const orgId = `org_${++made}`
  yield* Organizations.use((organizations) => organizations.save({ ...defaults(orgId), ...settings }))
  const properties = Array.from({ length: size }, uuid)
  const contacts = Array.from({ length: size + 1 }, uuid)
  yield* Seeder.use((seeder) =>
    seeder.add({
      properties: properties.map((id) => property({ id, countyFips })),
      contacts: contacts.map((id) => contact({ id })),
      relationships: properties.map((propertyId, index) => attached(propertyId, contacts[index] ?? ""))
    })
  )
  return { orgId, properties, contacts } satisfies Items
})

const attached = (propertyId: string, contactId: string) => ({
  propertyId,
  contactId,
  role: null,
  relationshipStatus: "unverified" as const,
  attributionType: "customer_supplied"
})

const change = (orgId: string, settings: Partial<Organization>) =>
  Effect.gen(function*() {
    const organizations = yield* Organizations
    const stored = yield* Effect.flatMap(organizations.find(orgId), Effect.fromOption)
    yield* organizations.save({ ...stored, ...settings })
  })

interface Choice {
  readonly covered?: boolean
  readonly maxCredits?: number | undefined
  readonly now?: number
}

const unlock = (orgId: string, propertyId: string, { covered = false, maxCredits, now = start }: Choice = {}) =>
  Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject: { _tag: "Property", propertyId }, exclusive: true, now },
      (snapshot) =>
        decideUnlock(snapshot, {
          propertyId,
          covered,
          researched: true,
          price: 10,
          maxCredits,
          actor,
          requestId: null,
          now
        })
    )
  )

const reveal = (orgId: string, contactId: string, { covered = false, maxCredits, now = start }: Choice = {}) =>
  Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject: { _tag: "Contact", contactId }, exclusive: true, now },
      (snapshot) => decideReveal(snapshot, { contactId, covered, price: 5, maxCredits, actor, requestId: null, now })
    )
  )

const deliver = (orgId: string, propertyId: string, { covered = true, now = start }: Choice = {}) =>
  Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject: { _tag: "Exports", monthStart: monthStart(now), propertyId }, exclusive: false, now },
      (snapshot) => decideExport(snapshot, { propertyId, covered, actor, requestId: null, now })
    )
  )

const grant = (
  orgId: string,
  ref: string,
  amount: number,
  { bucket = "purchased", expiresAt = null, now = start }: {
    readonly bucket?: Bucket
    readonly expiresAt?: number | null
    readonly now?: number
  } = {}
) =>
  Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject: { _tag: "Grant", ref }, exclusive: false, now },
      (snapshot) => decideGrant(snapshot, { ref, bucket, amount, expiresAt, actor, requestId: null, now })
    )
  )

const refund = (orgId: string, entry: number, now = start) =>
  Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject: { _tag: "Entry", entry }, exclusive: false, now },
      (snapshot) => decideRefund(snapshot, { actor, requestId: null, now })
    )
  )

/** The facts under the lock; changes nothing. */
const look = (orgId: string, subject: Subject, now = start) =>
  Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject, exclusive: false, now },
      (snapshot) => Result.succeed(decide<LedgerSnapshot>(snapshot))
    )
  )

const entriesOf = (orgId: string) => Ledger.use((ledger) => ledger.entries(orgId, { after: 0, limit: 10_000 }))
const balanceOf = (orgId: string, now = start) =>
  Effect.map(Ledger.use((ledger) => ledger.balance(orgId, now)), ({ balance }) => balance)

/** Everything that the port tells about an organization and its items. */
const stateOf = Effect.fnUntraced(function*(items: Items, now: number) {
  const subjects: ReadonlyArray<Subject> = [
    ...items.properties.map((propertyId) => ({ _tag: "Property" as const, propertyId })),
    ...items.contacts.map((contactId) => ({ _tag: "Contact" as const, contactId })),
    { _tag: "Exports", monthStart: monthStart(now) }
  ]
  return {
    entries: yield* entriesOf(items.orgId),
    balance: yield* Ledger.use((ledger) => ledger.balance(items.orgId, now)),
    snapshots: yield* Effect.forEach(subjects, (subject) => look(items.orgId, subject, now))
  }
})

const credits = (entries: ReadonlyArray<LedgerEntry>, kind: LedgerEntry["kind"]) =>
  entries.filter((entry) => entry.kind === kind).reduce((sum, entry) => sum + entry.credits, 0)

/** L1, L2, L3: the entries are a chain without gaps, and no bucket was ever below zero. Answers what they add up to. */
const checkChain = (entries: ReadonlyArray<LedgerEntry>): BucketAmounts => {
  let held = none
  for (const [index, entry] of entries.entries()) {
    assert.strictEqual(entry.entry, index + 1, "versions are 1..n")
    for (const bucket of Bucket.literals) {
      held = plus(held, bucket, entry.buckets[bucket])
      assert.isAtLeast(held[bucket], 0, `${bucket} after entry ${entry.entry}`)
      if (entry.kind === "charge" || entry.kind === "expiry") assert.isAtMost(entry.buckets[bucket], 0)
    }
    assert.strictEqual(entry.credits, total(entry.buckets))
    assert.strictEqual(entry.balance_after, total(held), `balance after entry ${entry.entry}`)
  }
  return held
}

/** L5: each charge that was not given back opened exactly one item, and the other way round. */
const checkBijection = Effect.fnUntraced(function*(items: Items, entries: ReadonlyArray<LedgerEntry>) {
  const refunded = new Set(entries.map((entry) => entry.refund_of))
  const charges = entries.filter((entry) =>
    entry.kind === "charge" && entry.subject_type !== "lead" && !refunded.has(entry.entry)
  ).map((entry) => `${entry.entry} ${entry.subject_type} ${entry.subject_id} ${-entry.credits}`)
  const paid: Array<string> = []
  for (const propertyId of items.properties) {
    const { access } = yield* look(items.orgId, { _tag: "Property", propertyId })
    assert.strictEqual(access?.source === "paid", access !== null && access.chargeEntry !== null)
    if (access?.source === "paid") paid.push(`${access.chargeEntry} property ${propertyId} 10`)
  }
  for (const contactId of items.contacts) {
    const { access } = yield* look(items.orgId, { _tag: "Contact", contactId })
    assert.strictEqual(access?.source === "paid", access !== null && access.chargeEntry !== null)
    if (access?.source === "paid") paid.push(`${access.chargeEntry} contact ${contactId} 5`)
  }
  assert.sameMembers(paid, charges)
})

/** What a test knows of a grant. */
interface KnownGrant {
  readonly bucket: Bucket
  readonly expiresAt: number | null
  remaining: number
}

/** L7 and L11, credit by credit: replays the entries and answers what can be spent at `now`. */
const replay = (
  entries: ReadonlyArray<LedgerEntry>,
  known: ReadonlyMap<string, Omit<KnownGrant, "remaining">>,
  now: number
): BucketAmounts => {
  const open: Array<KnownGrant> = []
  const taken = new Map<number, ReadonlyArray<KnownGrant>>()
  const spend = (at: number): KnownGrant | undefined => {
    let best: KnownGrant | undefined
    for (const each of open) {
      if (each.remaining === 0 || each.expiresAt !== null && each.expiresAt <= at) continue
      const rank = (g: KnownGrant) => Bucket.literals.indexOf(g.bucket)
      if (
        best === undefined || rank(each) < rank(best)
        || rank(each) === rank(best) && (each.expiresAt ?? Infinity) < (best.expiresAt ?? Infinity)
      ) best = each
    }
    return best
  }
  for (const entry of entries) {
    const at = Date.parse(entry.at)
    if (entry.kind === "grant") {
      const facts = known.get(entry.ref ?? "")
      assert.isDefined(facts)
      if (facts !== undefined) open.push({ ...facts, remaining: entry.credits })
    }
    if (entry.kind === "charge") {
      let buckets = none
      const from: Array<KnownGrant> = []
      for (let credit = 0; credit < -entry.credits; credit++) {
        const best = spend(at)
        assert.isDefined(best, `entry ${entry.entry} spent what was there`)
        if (best === undefined) continue
        best.remaining -= 1
        from.push(best)
        buckets = plus(buckets, best.bucket, -1)
      }
      assert.deepStrictEqual(entry.buckets, buckets, `split of entry ${entry.entry}`)
      taken.set(entry.entry, from)
    }
    if (entry.kind === "refund") { for (const each of taken.get(entry.refund_of ?? 0) ?? []) each.remaining += 1 }
    if (entry.kind === "expiry") {
      const gone = open.find((each) =>
        each.bucket === Bucket.literals.find((bucket) => entry.buckets[bucket] < 0)
        && each.expiresAt !== null && each.expiresAt <= at && each.remaining === -entry.credits
      )
      assert.isDefined(gone, `entry ${entry.entry} closes a whole grant that is gone`)
      if (gone !== undefined) gone.remaining = 0
    }
  }
  return open.filter((each) => each.expiresAt === null || each.expiresAt > now)
    .reduce((amounts, each) => plus(amounts, each.bucket, each.remaining), none)
}

type Command =
  | {
    readonly _tag: "Grant"
    readonly ref: number
    readonly bucket: Bucket
    readonly amount: number
    readonly days: number | null
  }
  | {
    readonly _tag: "Unlock" | "Reveal"
    readonly item: number
    readonly covered: boolean
    readonly max: number | null
  }
  | { readonly _tag: "Deliver"; readonly item: number }
  | { readonly _tag: "Refund"; readonly entry: number }
  | { readonly _tag: "Wait"; readonly days: number }
  | { readonly _tag: "Settings"; readonly failed: boolean; readonly dormant: boolean; readonly exports: number }

const item = fc.nat({ max: 2 })
const max = fc.oneof({ arbitrary: fc.constant(null), weight: 4 }, {
  arbitrary: fc.constantFrom(0, 4, 5, 10),
  weight: 1
})
const covered = fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, { arbitrary: fc.constant(true), weight: 1 })
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      _tag: fc.constant("Grant" as const),
      ref: fc.nat({ max: 8 }),
      bucket: fc.constantFrom(...Bucket.literals),
      amount: fc.constantFrom(1, 4, 5, 6, 9, 10, 11, 14, 15),
      days: fc.constantFrom(null, 1, 2, 3)
    })
  },
  {
    weight: 5,
    arbitrary: fc.record({ _tag: fc.constantFrom("Unlock" as const, "Reveal" as const), item, covered, max })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Deliver" as const), item }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Refund" as const), entry: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Wait" as const), days: fc.constantFrom(1, 2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      _tag: fc.constant("Settings" as const),
      failed: covered,
      dormant: covered,
      exports: fc.nat({ max: 2 })
    })
  }
)

/** Runs one generated sequence, checks every law on it, and answers what happened in it. */
const runSequence = Effect.fnUntraced(function*(commands: ReadonlyArray<Command>) {
  const items = yield* arrange(3)
  const { orgId } = items
  const known = new Map<string, Omit<KnownGrant, "remaining">>()
  const seen = new Set<string>()
  let now = start
  let reported = 0
  let before: ReadonlyArray<LedgerEntry> = []
  for (const each of commands) {
    const outcome = yield* Effect.gen(function*() {
      switch (each._tag) {
        case "Wait":
          now += each.days * day
          return null
        case "Settings":
          yield* change(orgId, {
            payment_status: each.failed ? "failed" : "ok",
            credits_dormant: each.dormant,
            export_allowance: { max_exports_per_month: each.exports, max_rows_per_month: 0 }
          })
          return null
        case "Grant": {
          const ref = `ref ${each.ref}`
          const expiresAt = each.days === null ? null : now + each.days * day
          const granted = yield* grant(orgId, ref, each.amount, { bucket: each.bucket, expiresAt, now })
          assert.strictEqual(granted.outcome, known.has(ref) ? "unchanged" : "created")
          if (granted.outcome === "created") known.set(ref, { bucket: each.bucket, expiresAt })
          return null
        }
        case "Unlock":
          return yield* unlock(orgId, items.properties[each.item] ?? "", {
            covered: each.covered,
            maxCredits: each.max ?? undefined,
            now
          })
        case "Reveal":
          return yield* reveal(orgId, items.contacts[each.item] ?? "", {
            covered: each.covered,
            maxCredits: each.max ?? undefined,
            now
          })
        case "Deliver": {
          const bill = yield* deliver(orgId, items.properties[each.item] ?? "", { now })
          return { creditsCharged: bill.credits_charged, alreadyRevealed: false }
        }
        case "Refund":
          yield* refund(orgId, each.entry, now)
          return null
      }
    }).pipe(Effect.result)

    const entries = yield* entriesOf(orgId)
    assert.deepStrictEqual(entries.slice(0, before.length), before, "the ledger is append-only")
    if (Result.isFailure(outcome)) {
      seen.add(outcome.failure._tag)
      assert.strictEqual(entries.length, before.length, "a refusal changes nothing")
    } else if (outcome.success !== null) {
      reported += outcome.success.creditsCharged
      if (outcome.success.alreadyRevealed) assert.strictEqual(outcome.success.creditsCharged, 0)
    }
    for (const entry of entries.slice(before.length)) {
      seen.add(entry.kind)
      const touched = Bucket.literals.filter((bucket) => entry.buckets[bucket] !== 0)
      if (entry.kind === "charge" && touched.length > 1) seen.add("split")
    }
    before = entries
    assert.deepStrictEqual(yield* balanceOf(orgId, now), replay(entries, known, now))
  }
  checkChain(before)
  yield* checkBijection(items, before)
  assert.strictEqual(reported, -credits(before, "charge"), "reported is what was booked")
  const refunded = before.flatMap((entry) => entry.refund_of === null ? [] : [entry.refund_of])
  assert.strictEqual(new Set(refunded).size, refunded.length, "a charge is refunded once")
  for (const entry of before) {
    if (entry.refund_of === null) continue
    const charged = before[entry.refund_of - 1]
    assert.strictEqual(charged?.kind, "charge")
    for (const bucket of Bucket.literals) assert.strictEqual(entry.buckets[bucket] + (charged?.buckets[bucket] ?? 0), 0)
  }
  return seen
})

const inParallel = <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.forEach(effects, Effect.result, { concurrency: "unbounded" })

const tagOf = <A, E extends { readonly _tag: string }>(result: Result.Result<A, E>) =>
  Result.isFailure(result) ? result.failure._tag : "ok"

/** `layer` holds an empty store. `runs` is the number of generated sequences. */
export const ledgerContract = <E>(
  name: string,
  layer: Layer.Layer<Ledger | Organizations | Seeder, E>,
  runs = 40
): void => {
  suite(layer, { excludeTestServices: true })(`${name}: the laws of the ledger`, (it) => {
    it.effect("hold for every sequence of commands (L1 L2 L3 L4 L5 L6 L7)", () =>
      Effect.gen(function*() {
        const context = yield* Effect.context<Ledger | Organizations | Seeder>()
        const run = Effect.runPromiseWith(context)
        const seen = new Set<string>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.array(command, { minLength: 8, maxLength: 40, size: "max" }),
              (commands) =>
                run(runSequence(commands)).then((happened) => {
                  for (const each of happened) seen.add(each)
                })
            ),
            { numRuns: runs, seed: 20_260_330 }
          )
        )
        const everything = [
          "grant",
          "charge",
          "refund",
          "expiry",
          "split",
          "INSUFFICIENT_CREDITS",
          "PAYMENT_FAILED",
          "CREDITS_DORMANT",
          "COST_CONFIRMATION_REQUIRED",
          "INVALID_ARGUMENTS"
        ]
        assert.deepStrictEqual(everything.filter((each) => !seen.has(each)), [], "never generated")
      }), { timeout: 120_000 })

    it.effect("N simultaneous unlocks of one property are charged once (I1)", () =>
      Effect.gen(function*() {
        const { orgId, properties: [id = ""] } = yield* arrange(1)
        yield* grant(orgId, "a", 100)
        const results = yield* inParallel(Array.from({ length: 12 }, () => unlock(orgId, id)))
        const charged = results.filter((each) => Result.isSuccess(each) && each.success.creditsCharged === 10)
        assert.strictEqual(charged.length, 1)
        for (const each of results) {
          if (Result.isFailure(each)) assert.strictEqual(each.failure._tag, "ACTION_IN_PROGRESS")
          else if (each.success.creditsCharged === 0) assert.isTrue(each.success.alreadyRevealed)
        }
        assert.deepStrictEqual(yield* unlock(orgId, id), { alreadyRevealed: true, creditsCharged: 0 })
        assert.strictEqual(total(yield* balanceOf(orgId)), 90)
      }))

    it.effect("of K simultaneous unlocks with the money for m exactly m succeed (I7)", () =>
      Effect.gen(function*() {
        const items = yield* arrange(7)
        const { orgId, properties } = items
        yield* grant(orgId, "a", 14, { bucket: "trial" })
        yield* grant(orgId, "b", 25)
        const results = yield* inParallel(properties.map((id) => unlock(orgId, id)))
        assert.strictEqual(results.filter(Result.isSuccess).length, 3)
        for (const each of results) {
          if (Result.isSuccess(each)) continue
          assert.strictEqual(each.failure._tag, "INSUFFICIENT_CREDITS")
          if (each.failure._tag !== "INSUFFICIENT_CREDITS") continue
          assert.strictEqual(each.failure.required, 10)
          assert.isTrue(each.failure.available >= 0 && each.failure.available < 10)
        }
        assert.deepStrictEqual(yield* balanceOf(orgId), { ...none, purchased: 9 })
        const entries = yield* entriesOf(orgId)
        checkChain(entries)
        yield* checkBijection(items, entries)
      }))

    it.effect("a reveal beside the unlock of its property is never charged after it (I6)", () =>
      Effect.gen(function*() {
        for (let round = 0; round < 10; round++) {
          const { contacts: [person = ""], orgId, properties: [id = ""] } = yield* arrange(1)
          yield* grant(orgId, "a", 15)
          const results = yield* inParallel<unknown, { readonly _tag: string }, Ledger>([
            unlock(orgId, id),
            reveal(orgId, person)
          ])
          assert.deepStrictEqual(results.map(tagOf), ["ok", "ok"])
          const charges = (yield* entriesOf(orgId)).filter((entry) => entry.kind === "charge")
          const order = charges.map((entry) => entry.subject_type).join(" ")
          assert.include(["property", "contact property"], order)
        }
      }))

    it.effect("what is paid for is free for ever: without money, dormant, payment failed, coverage come and gone (I2 I10)", () =>
      Effect.gen(function*() {
        const { contacts: [person = "", other = ""], orgId, properties: [id = "", free = ""] } = yield* arrange(2)
        yield* grant(orgId, "a", 15)
        yield* reveal(orgId, person)
        yield* unlock(orgId, id)
        assert.deepStrictEqual(yield* unlock(orgId, free, { covered: true }), {
          alreadyRevealed: false,
          creditsCharged: 0
        })
        yield* change(orgId, { payment_status: "failed", credits_dormant: true })
        const already = { alreadyRevealed: true, creditsCharged: 0 }
        assert.deepStrictEqual(yield* unlock(orgId, id, { maxCredits: 0 }), already)
        assert.deepStrictEqual(yield* unlock(orgId, id, { covered: true }), already)
        assert.deepStrictEqual(yield* unlock(orgId, id), already)
        assert.deepStrictEqual(yield* reveal(orgId, person), already)
        assert.deepStrictEqual(yield* unlock(orgId, free, { covered: true }), already)
        assert.strictEqual((yield* Effect.flip(unlock(orgId, free)))._tag, "PAYMENT_FAILED")
        assert.strictEqual((yield* Effect.flip(reveal(orgId, other)))._tag, "PAYMENT_FAILED")
        yield* change(orgId, { payment_status: "ok" })
        assert.strictEqual((yield* Effect.flip(unlock(orgId, free)))._tag, "CREDITS_DORMANT")
        yield* change(orgId, { credits_dormant: false })
        yield* grant(orgId, "b", 10)
        assert.deepStrictEqual(yield* unlock(orgId, free), { alreadyRevealed: false, creditsCharged: 10 })
        const { access } = yield* look(orgId, { _tag: "Property", propertyId: free })
        assert.strictEqual(access?.source, "paid")
      }))

    it.effect("a refusal changes nothing and does not stick (I3 I4)", () =>
      Effect.gen(function*() {
        const items = yield* arrange(1)
        const { orgId, properties: [id = ""] } = items
        yield* grant(orgId, "a", 9)
        const before = yield* stateOf(items, start)
        assert.deepInclude(yield* Effect.flip(unlock(orgId, id)), {
          _tag: "INSUFFICIENT_CREDITS",
          required: 10,
          available: 9
        })
        assert.deepInclude(yield* Effect.flip(unlock(orgId, id, { maxCredits: 9 })), {
          _tag: "INSUFFICIENT_CREDITS",
          required: 10,
          available: 9
        })
        assert.deepStrictEqual(yield* stateOf(items, start), before)
        yield* grant(orgId, "b", 1)
        assert.deepInclude(yield* Effect.flip(unlock(orgId, id, { maxCredits: 9 })), {
          _tag: "COST_CONFIRMATION_REQUIRED",
          projectedCredits: 10,
          maxCredits: 9,
          balance: 10
        })
        assert.deepStrictEqual(yield* unlock(orgId, id), { alreadyRevealed: false, creditsCharged: 10 })
      }))

    it.effect("an interrupted call leaves nothing in progress (I5)", () =>
      Effect.gen(function*() {
        const items = yield* arrange(30)
        const { orgId, properties } = items
        yield* grant(orgId, "a", 1000)
        for (const [index, id] of properties.entries()) {
          const inFlight = yield* Effect.forkChild(unlock(orgId, id))
          for (let step = 0; step < index * index; step++) yield* Effect.yieldNow
          yield* Fiber.interrupt(inFlight)
          const { alreadyRevealed, creditsCharged } = yield* unlock(orgId, id)
          assert.strictEqual(creditsCharged, alreadyRevealed ? 0 : 10)
        }
        const entries = yield* entriesOf(orgId)
        assert.strictEqual(credits(entries, "charge"), -300)
        checkChain(entries)
        yield* checkBijection(items, entries)
      }))

    it.effect("an unlock opens every attached contact, also one attached later or of several properties (I8)", () =>
      Effect.gen(function*() {
        const { contacts: [person = "", shared = "", later = ""], orgId, properties: [id = ""] } = yield* arrange(2)
        yield* grant(orgId, "a", 10)
        yield* Seeder.use((seeder) => seeder.add({ relationships: [attached(id, shared)] }))
        yield* unlock(orgId, id)
        assert.deepStrictEqual(yield* reveal(orgId, person), { alreadyRevealed: false, creditsCharged: 0 })
        assert.deepStrictEqual(yield* reveal(orgId, person), { alreadyRevealed: true, creditsCharged: 0 })
        assert.deepStrictEqual(yield* reveal(orgId, shared), { alreadyRevealed: false, creditsCharged: 0 })
        assert.strictEqual((yield* Effect.flip(reveal(orgId, later)))._tag, "INSUFFICIENT_CREDITS")
        yield* Seeder.use((seeder) => seeder.add({ relationships: [attached(id, later)] }))
        assert.deepStrictEqual(yield* reveal(orgId, later), { alreadyRevealed: false, creditsCharged: 0 })
      }))

    it.effect("a tie to a property that is retired opens nobody: what was paid for is its survivor's", () =>
      Effect.gen(function*() {
        const { contacts: [person = ""], properties: [heir = ""] } = yield* arrange(1)
        const [orgId, gone, stale] = [`org_${++made}`, uuid(), uuid()]
        yield* Seeder.use((seeder) =>
          seeder.add({
            organizations: [defaults(orgId)],
            properties: [property({ id: gone, countyFips, retiredInto: heir })],
            contacts: [contact({ id: stale })],
            relationships: [attached(gone, person), attached(gone, stale)],
            accesses: [{ orgId, kind: "property", id: gone, source: "paid" }]
          })
        )
        assert.strictEqual((yield* Effect.flip(reveal(orgId, stale)))._tag, "INSUFFICIENT_CREDITS")
        assert.strictEqual((yield* Effect.flip(reveal(orgId, person)))._tag, "INSUFFICIENT_CREDITS")
        yield* grant(orgId, "a", 10)
        yield* unlock(orgId, heir)
        assert.deepStrictEqual(yield* reveal(orgId, person), { alreadyRevealed: false, creditsCharged: 0 })
        assert.strictEqual((yield* Effect.flip(reveal(orgId, stale)))._tag, "INSUFFICIENT_CREDITS")
      }))

    it.effect("a covered property opens none of the contacts for good (I10)", () =>
      Effect.gen(function*() {
        const { contacts: [person = ""], orgId, properties: [id = ""] } = yield* arrange(1)
        yield* unlock(orgId, id, { covered: true })
        yield* reveal(orgId, person, { covered: true })
        assert.deepStrictEqual(yield* reveal(orgId, person, { covered: true }), {
          alreadyRevealed: true,
          creditsCharged: 0
        })
        assert.strictEqual((yield* Effect.flip(reveal(orgId, person)))._tag, "INSUFFICIENT_CREDITS")
      }))

    it.effect("a grant counts once per reference, also when it is made at the same time (L9)", () =>
      Effect.gen(function*() {
        const { orgId } = yield* arrange(0)
        const results = yield* inParallel(Array.from({ length: 8 }, () => grant(orgId, "a", 7)))
        const outcomes = results.map((each) => Result.isSuccess(each) ? each.success.outcome : "refused")
        assert.deepStrictEqual(outcomes.sort(), ["created", ...Array.from({ length: 7 }, () => "unchanged")])
        assert.deepStrictEqual(yield* grant(orgId, "a", 500, { bucket: "trial" }), { outcome: "unchanged", entry: 1 })
        assert.deepStrictEqual(yield* balanceOf(orgId), { ...none, purchased: 7 })
        assert.strictEqual((yield* entriesOf(orgId)).length, 1)
      }))

    it.effect("a refund goes back to the same grants, once, and closes what was opened (L10)", () =>
      Effect.gen(function*() {
        const items = yield* arrange(1)
        const { orgId, properties: [id = ""] } = items
        yield* grant(orgId, "short", 6, { bucket: "included", expiresAt: start + day })
        yield* grant(orgId, "long", 6, { bucket: "included", expiresAt: start + 9 * day })
        yield* unlock(orgId, id)
        assert.strictEqual((yield* Effect.flip(refund(orgId, 1)))._tag, "INVALID_ARGUMENTS")
        assert.strictEqual((yield* Effect.flip(refund(orgId, 99)))._tag, "INVALID_ARGUMENTS")
        const late = start + 2 * day
        const results = yield* inParallel(Array.from({ length: 4 }, () => refund(orgId, 3, late)))
        const outcomes = results.map((each) => Result.isSuccess(each) ? each.success.outcome : "refused")
        assert.deepStrictEqual(outcomes.sort(), ["created", "unchanged", "unchanged", "unchanged"])
        const entries = yield* entriesOf(orgId)
        assert.deepStrictEqual(entries.map((entry) => [entry.kind, entry.ref, entry.credits]), [
          ["grant", "short", 6],
          ["grant", "long", 6],
          ["charge", null, -10],
          ["refund", null, 10],
          ["expiry", "short", -6]
        ])
        assert.strictEqual(entries[3]?.refund_of, 3)
        assert.deepStrictEqual(yield* balanceOf(orgId, late), { ...none, included: 6 })
        assert.isNull((yield* look(orgId, { _tag: "Property", propertyId: id })).access)
        checkChain(entries)
        yield* checkBijection(items, entries)
        assert.strictEqual((yield* Effect.flip(unlock(orgId, id, { now: late })))._tag, "INSUFFICIENT_CREDITS")
      }))

    it.effect("a bundle is billed while its property is paid for, and never after the refund of that", () =>
      Effect.gen(function*() {
        const { orgId, properties: [id = "", other = ""] } = yield* arrange(2)
        yield* grant(orgId, "a", 30)
        yield* unlock(orgId, id)
        yield* unlock(orgId, other, { covered: true })
        yield* deliver(orgId, id, { covered: false })
        assert.strictEqual((yield* Effect.flip(deliver(orgId, other, { covered: false })))._tag, "NOT_ENTITLED")
        yield* refund(orgId, 2)
        const before = yield* entriesOf(orgId)
        assert.strictEqual((yield* Effect.flip(deliver(orgId, id, { covered: false })))._tag, "NOT_ENTITLED")
        assert.deepStrictEqual(yield* entriesOf(orgId), before)
        const subject = { _tag: "Exports", monthStart: monthStart(start) } as const
        assert.deepInclude(yield* look(orgId, subject), { access: null, exportsUsed: 1 })
      }))

    it.effect("credits are gone at the millisecond of their expiry (L11)", () =>
      Effect.gen(function*() {
        const { orgId, properties: [id = "", other = ""] } = yield* arrange(2)
        yield* grant(orgId, "a", 20, { bucket: "trial", expiresAt: start + day })
        yield* grant(orgId, "b", 10)
        assert.strictEqual(total(yield* balanceOf(orgId, start + day - 1)), 30)
        assert.strictEqual(total(yield* balanceOf(orgId, start + day)), 10)
        yield* unlock(orgId, id, { now: start + day - 1 })
        yield* unlock(orgId, other, { now: start + day })
        assert.strictEqual(total(yield* balanceOf(orgId, start + day)), 0)
        assert.deepStrictEqual((yield* entriesOf(orgId)).map((entry) => [entry.kind, entry.buckets.trial]), [
          ["grant", 20],
          ["grant", 0],
          ["charge", -10],
          ["expiry", -10],
          ["charge", 0]
        ])
      }))

    it.effect("of n simultaneous exports exactly the free ones are free (I11)", () =>
      Effect.gen(function*() {
        const { orgId, properties: [id = ""] } = yield* arrange(1, {
          export_allowance: { max_exports_per_month: 3, max_rows_per_month: 0 }
        })
        yield* grant(orgId, "a", 2)
        const results = yield* inParallel(Array.from({ length: 7 }, () => deliver(orgId, id)))
        const bills = results.map((each) => Result.isSuccess(each) ? each.success.billed_via : each.failure._tag)
        assert.deepStrictEqual(bills.sort(), [
          "INSUFFICIENT_CREDITS",
          "INSUFFICIENT_CREDITS",
          "credit",
          "credit",
          "quota",
          "quota",
          "quota"
        ])
        const { exportsUsed } = yield* Ledger.use((ledger) => ledger.balance(orgId, start))
        assert.strictEqual(exportsUsed, 5)
        const nextMonth = monthStart(start + 5 * day)
        assert.strictEqual((yield* deliver(orgId, id, { now: nextMonth })).billed_via, "quota")
        assert.strictEqual((yield* Ledger.use((ledger) => ledger.balance(orgId, start))).exportsUsed, 5)
        assert.strictEqual((yield* Ledger.use((ledger) => ledger.balance(orgId, nextMonth))).exportsUsed, 1)
      }))

    it.effect("organizations do not touch each other, also on the same items and references (L12)", () =>
      Effect.gen(function*() {
        const one = yield* arrange(3)
        const other = { ...yield* arrange(0), properties: one.properties, contacts: one.contacts }
        yield* grant(one.orgId, "a", 30)
        yield* grant(other.orgId, "a", 10)
        const before = yield* stateOf(other, start)
        yield* Effect.all([
          inParallel(one.properties.map((id) => unlock(one.orgId, id))),
          inParallel(one.contacts.map((id) => reveal(one.orgId, id))),
          grant(one.orgId, "b", 5)
        ], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* stateOf(other, start), before)
        const results = yield* inParallel(
          one.properties.flatMap((id) => [unlock(one.orgId, id), unlock(other.orgId, id)])
        )
        assert.strictEqual(credits(yield* entriesOf(other.orgId), "charge"), -10)
        assert.isFalse(results.some((each) => tagOf(each) === "ACTION_IN_PROGRESS"))
      }))

    it.effect("grants are listed in the order in which they are spent", () =>
      Effect.gen(function*() {
        const { orgId } = yield* arrange(0)
        yield* grant(orgId, "1", 1, { bucket: "purchased", expiresAt: start + day })
        yield* grant(orgId, "2", 1, { bucket: "included" })
        yield* grant(orgId, "3", 1, { bucket: "included", expiresAt: start + 2 * day })
        yield* grant(orgId, "4", 1, { bucket: "enterprise_pool" })
        yield* grant(orgId, "5", 1, { bucket: "included", expiresAt: start + day })
        yield* grant(orgId, "6", 1, { bucket: "trial" })
        yield* grant(orgId, "7", 1, { bucket: "included" })
        const { grants, version } = yield* look(orgId, { _tag: "Exports", monthStart: monthStart(start) })
        assert.deepStrictEqual(grants.map(({ ref }) => ref), ["6", "5", "3", "2", "7", "4", "1"])
        assert.strictEqual(version, 7)
      }))

    it.effect("entries are read in pages", () =>
      Effect.gen(function*() {
        const { orgId } = yield* arrange(0)
        for (const ref of ["a", "b", "c"]) yield* grant(orgId, ref, 1)
        const ledger = yield* Ledger
        const page = yield* ledger.entries(orgId, { after: 1, limit: 1 })
        assert.deepStrictEqual(page, [{
          entry: 2,
          at: "2026-03-30T00:00:00.000Z",
          kind: "grant",
          ref: "b",
          action: null,
          subject_type: null,
          subject_id: null,
          credits: 1,
          buckets: { ...none, purchased: 1 },
          balance_after: 2,
          actor,
          request_id: null,
          refund_of: null
        }])
      }))
  })
}

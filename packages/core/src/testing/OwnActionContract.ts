/**
 * What every `Ledger` must do for the own actions of an application around the core.
 *
 * Law L5 for them: each charge that was not refunded is the charge of exactly one paid access, to that subject of that
 * action, and the other way round. The suite fails when a refusal, a repetition or a refund was never generated.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import * as fc from "fast-check"
import type { CallerFacts } from "../access/Caller.ts"
import { total } from "../credit/Bucket.ts"
import * as Credits from "../credit/Credits.ts"
import { Ledger } from "../credit/Ledger.ts"
import { decide } from "../credit/LedgerDecision.ts"
import { OwnAction } from "../credit/OwnAction.ts"
import { OwnActionBilling } from "../credit/OwnActionBilling.ts"
import { defaults } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"

const actor = { kind: "operator", id: null, name: "Sample Operator" } as const
const now = Date.UTC(2026, 2, 30)

/** Names and subjects that a careless key would take for one another. */
const actions = [new OwnAction({ name: "report", price: 3 }), new OwnAction({ name: "report_2", price: 7 })] as const
const subjects = ["1", "2 1", "Ünïcödé / %", "x".repeat(200)] as const

let made = 0

/** A new organization with credits. */
const arrange = Effect.fnUntraced(function*(credits: number) {
  const orgId = `org_own_${++made}`
  yield* Organizations.use((organizations) => organizations.save(defaults(orgId)))
  if (credits > 0) yield* grant(orgId, "first", credits)
  return orgId
})

const grant = Effect.fnUntraced(function*(orgId: string, ref: string, amount: number) {
  const credits = yield* Credits.make
  return yield* credits.grant({ orgId, ref, bucket: "purchased", amount, expiresAt: null, actor })
})

const refund = Effect.fnUntraced(function*(orgId: string, entry: number) {
  const credits = yield* Credits.make
  return yield* credits.refund({ orgId, entry, actor })
})

const charge = (orgId: string, action: OwnAction, subjectId: string, maxCredits?: number) =>
  OwnActionBilling.use((billing) => billing.charge({ orgId, action, subjectId, maxCredits, actor, requestId: "r-1" }))

/** The charge of the recorded access, as the port tells it. */
const access = (orgId: string, action: OwnAction, subjectId: string) =>
  Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject: { _tag: "Own", action: action.name, subjectId }, exclusive: false, now },
      (snapshot) => Result.succeed(decide(snapshot.access))
    )
  )

const entriesOf = (orgId: string) => Ledger.use((ledger) => ledger.entries(orgId, { after: 0, limit: 10_000 }))
const balanceOf = (orgId: string) =>
  Effect.map(Ledger.use((ledger) => ledger.balance(orgId, now)), ({ balance }) => total(balance))

/** Law L5. */
const checkBijection = Effect.fnUntraced(function*(orgId: string) {
  const entries = yield* entriesOf(orgId)
  const refunded = new Set(entries.map((entry) => entry.refund_of))
  const charges = entries.filter((entry) => entry.kind === "charge" && !refunded.has(entry.entry)).map((entry) =>
    `${entry.entry} ${entry.subject_type} ${entry.action}: ${entry.subject_id} ${-entry.credits}`
  )
  const paid: Array<string> = []
  for (const action of actions) {
    for (const subjectId of subjects) {
      const recorded = yield* access(orgId, action, subjectId)
      if (recorded === null) continue
      assert.strictEqual(recorded.source, "paid")
      paid.push(`${recorded.chargeEntry} own ${action.name}: ${subjectId} ${action.price}`)
    }
  }
  assert.sameMembers(charges, paid)
})

const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      _tag: fc.constant("Charge" as const),
      action: fc.constantFrom(...actions),
      subjectId: fc.constantFrom(...subjects),
      maxCredits: fc.constantFrom(undefined, undefined, 0, 3, 7)
    })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Grant" as const), amount: fc.constantFrom(1, 2, 3, 7, 10) }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Refund" as const), entry: fc.integer({ min: 1, max: 10 }) }) }
)
type Command = typeof command extends fc.Arbitrary<infer Generated> ? Generated : never

/** Runs one generated sequence, checks the laws on it, and answers what happened in it. */
const runSequence = Effect.fnUntraced(function*(commands: ReadonlyArray<Command>) {
  const orgId = yield* arrange(0)
  const seen = new Set<string>()
  let reported = 0
  for (const [index, each] of commands.entries()) {
    const before = yield* entriesOf(orgId)
    const outcome = yield* Effect.gen(function*() {
      switch (each._tag) {
        case "Grant":
          yield* grant(orgId, `ref ${index}`, each.amount)
          return "grant"
        case "Refund":
          yield* refund(orgId, each.entry)
          return "refund"
        case "Charge": {
          const bill = yield* charge(orgId, each.action, each.subjectId, each.maxCredits)
          reported += bill.creditsCharged
          assert.strictEqual(bill.creditsCharged, bill.alreadyPaid ? 0 : each.action.price)
          assert.strictEqual((yield* access(orgId, each.action, each.subjectId))?.chargeEntry, bill.entry)
          return bill.alreadyPaid ? "already" : "charge"
        }
      }
    }).pipe(Effect.result)
    seen.add(Result.isFailure(outcome) ? outcome.failure._tag : outcome.success)
    if (Result.isFailure(outcome)) {
      assert.deepStrictEqual(yield* entriesOf(orgId), before, "a refusal changes nothing")
    }
    yield* checkBijection(orgId)
  }
  const entries = yield* entriesOf(orgId)
  const charges = entries.filter((entry) => entry.kind === "charge")
  assert.strictEqual(reported, -charges.reduce((sum, entry) => sum + entry.credits, 0), "reported is what was booked")
  assert.strictEqual(yield* balanceOf(orgId), entries.reduce((sum, entry) => sum + entry.credits, 0))
  return seen
})

/** `layer` holds an empty store. `runs` is the number of generated sequences. */
export const ownActionContract = <E>(
  name: string,
  layer: Layer.Layer<Ledger | Organizations, E>,
  runs = 25
): void => {
  const ports = Layer.provideMerge(OwnActionBilling.layer, layer)
  suite(ports, { excludeTestServices: true })(`${name}: the laws of own actions`, (it) => {
    it.effect("hold for every sequence of charges, grants and refunds", () =>
      Effect.gen(function*() {
        const run = Effect.runPromiseWith(yield* Effect.context<Ledger | Organizations | OwnActionBilling>())
        const seen = new Set<string>()
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(fc.array(command, { minLength: 8, maxLength: 25, size: "max" }), (commands) =>
              run(runSequence(commands)).then((happened) => {
                for (const each of happened) seen.add(each)
              })),
            { numRuns: runs, seed: 20_260_330 }
          )
        )
        const everything = [
          "grant",
          "charge",
          "already",
          "refund",
          "INSUFFICIENT_CREDITS",
          "COST_CONFIRMATION_REQUIRED",
          "INVALID_ARGUMENTS"
        ]
        const missing = everything.filter((each) =>
          !seen.has(each)
        )
        assert.deepStrictEqual(missing, [], "never generated")
      }), { timeout: 120_000 })

    it.effect("N simultaneous calls about one subject are charged once", () =>
      Effect.gen(function*() {
        const [action] = actions
        const orgId = yield* arrange(100)
        const results = yield* Effect.forEach(
          Array.from({ length: 12 }, () => charge(orgId, action, "7")),
          Effect.result,
          { concurrency: "unbounded" }
        )
        const charged = results.filter((each) => Result.isSuccess(each) && each.success.creditsCharged === 3)
        assert.strictEqual(charged.length, 1)
        for (const each of results) {
          if (Result.isFailure(each)) assert.strictEqual(each.failure._tag, "ACTION_IN_PROGRESS")
        }
        assert.deepStrictEqual(yield* charge(orgId, action, "7"), { alreadyPaid: true, creditsCharged: 0, entry: 2 })
        assert.strictEqual(yield* balanceOf(orgId), 97)
      }))

    it.effect("of different subjects with the money for some exactly those are charged", () =>
      Effect.gen(function*() {
        const [action] = actions
        const orgId = yield* arrange(8)
        const results = yield* Effect.forEach(
          ["1", "2", "3", "4", "5"].map((subjectId) => charge(orgId, action, subjectId)),
          Effect.result,
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.filter(Result.isSuccess).length, 2)
        for (const each of results) {
          if (Result.isFailure(each)) {
            assert.deepInclude(each.failure, { _tag: "INSUFFICIENT_CREDITS", required: 3, available: 2 })
          }
        }
        assert.strictEqual(yield* balanceOf(orgId), 2)
      }))

    it.effect("the entry names the action, its subject and who made it", () =>
      Effect.gen(function*() {
        const [action] = actions
        const orgId = yield* arrange(3)
        yield* charge(orgId, action, "Report 1")
        assert.deepInclude((yield* entriesOf(orgId))[1], {
          entry: 2,
          kind: "charge",
          ref: null,
          action: "report",
          subject_type: "own",
          subject_id: "Report 1",
          credits: -3,
          balance_after: 0,
          actor,
          request_id: "r-1",
          refund_of: null
        })
      }))

    it.effect("what is paid for is free for ever: without money, dormant, payment failed; the rest is refused", () =>
      Effect.gen(function*() {
        const [action] = actions
        const orgId = yield* arrange(6)
        yield* charge(orgId, action, "1")
        const save = (settings: { readonly payment_status: "ok" | "failed"; readonly credits_dormant: boolean }) =>
          Organizations.use((organizations) => organizations.save({ ...defaults(orgId), ...settings }))
        yield* save({ payment_status: "failed", credits_dormant: true })
        assert.isTrue((yield* charge(orgId, action, "1", 0)).alreadyPaid)
        assert.strictEqual((yield* Effect.flip(charge(orgId, action, "2")))._tag, "PAYMENT_FAILED")
        yield* save({ payment_status: "ok", credits_dormant: true })
        assert.strictEqual((yield* Effect.flip(charge(orgId, action, "2")))._tag, "CREDITS_DORMANT")
        assert.strictEqual(yield* balanceOf(orgId), 3)
      }))

    it.effect("a refund gives the credits back and closes the subject, which is then paid for anew", () =>
      Effect.gen(function*() {
        const [action, other] = actions
        const orgId = yield* arrange(10)
        const { entry } = yield* charge(orgId, action, "1")
        yield* charge(orgId, other, "1")
        yield* refund(orgId, entry)
        assert.isNull(yield* access(orgId, action, "1"))
        assert.strictEqual((yield* access(orgId, other, "1"))?.chargeEntry, 3)
        assert.deepStrictEqual(yield* charge(orgId, action, "1"), { alreadyPaid: false, creditsCharged: 3, entry: 5 })
      }))

    it.effect("a member is held to their monthly credit limit, other callers are not", () =>
      Effect.gen(function*() {
        const [action] = actions
        const orgId = yield* arrange(20)
        const caller = {
          credentialId: "00000000-0000-4000-8000-0000000000c1",
          label: "Sample Credential",
          scopes: ["mcp"],
          organization: defaults(orgId),
          territory: null,
          requestId: "r-1"
        } as const
        const person: CallerFacts = {
          ...caller,
          kind: "person",
          clientId: "assistant",
          member: {
            memberId: "00000000-0000-4000-8000-0000000000a1",
            email: "person@people.example",
            name: "Sample Person",
            role: "member",
            seat: true,
            status: "active",
            territory: null,
            monthlyCreditLimit: 5
          }
        }
        const chargeTo = (caller: CallerFacts, subjectId: string) =>
          OwnActionBilling.use((billing) => billing.charge({ caller, action, subjectId, requestId: "r-1" }))

        const { entry } = yield* chargeTo(person, "1")
        assert.deepInclude(yield* Effect.flip(chargeTo(person, "2")), {
          _tag: "USER_CREDIT_LIMIT_EXCEEDED",
          required: 3,
          available: 2,
          limit: 5
        })
        assert.isTrue((yield* chargeTo(person, "1")).alreadyPaid)
        yield* chargeTo({ ...caller, kind: "key", keyName: "Sample Key" }, "2")
        assert.deepStrictEqual((yield* entriesOf(orgId)).map(({ actor: { kind, name } }) => [kind, name]), [
          ["operator", "Sample Operator"],
          ["member", "Sample Person"],
          ["key", "Sample Key"]
        ])
        yield* refund(orgId, entry)
        assert.isFalse((yield* chargeTo(person, "3")).alreadyPaid)
      }))

    it.effect("a subject without text, with NUL or too long is refused", () =>
      Effect.gen(function*() {
        const [action] = actions
        const orgId = yield* arrange(10)
        for (const subjectId of ["", "a\0", "x".repeat(201), "\ud800"]) {
          assert.strictEqual((yield* Effect.flip(charge(orgId, action, subjectId)))._tag, "INVALID_ARGUMENTS")
        }
        assert.strictEqual(yield* balanceOf(orgId), 10)
      }))
  })
}

/**
 * What every `Ledger` must do about a member's monthly credit limit: never passed, in any order and at once, and given
 * back by a refund to the month of its charge.
 *
 * A pure count of the charges beside the ledger foretells each answer. All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Effect, type Layer, Result } from "effect"
import * as fc from "fast-check"
import type { PersonCaller } from "../access/Caller.ts"
import { decideGrant } from "../credit/Grant.ts"
import { Ledger } from "../credit/Ledger.ts"
import { OwnAction } from "../credit/OwnAction.ts"
import { decideOwnAction } from "../credit/OwnActionDecision.ts"
import { decideRefund } from "../credit/Refund.ts"
import { ofCaller, queryOf } from "../limit/Limits.ts"
import { defaults } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"

const action = new OwnAction({ name: "report", price: 3 })
const operator = { kind: "operator", id: null, name: null } as const

/** The last two are within one second of each other, in different months. */
const moments = [
  Date.UTC(2026, 1, 3),
  Date.UTC(2026, 1, 28, 23, 59, 59, 999),
  Date.UTC(2026, 2, 1)
] as const

let made = 0
const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}`

/** A new organization with 1,000 credits. */
const arrange = Effect.gen(function*() {
  const organization = defaults(`org_spending_${++made}`)
  yield* Organizations.use((organizations) => organizations.save(organization))
  const ref = "sample"
  const ledger = yield* Ledger
  const now = moments[0]
  yield* ledger.transact(
    { orgId: organization.org_id, subject: { _tag: "Grant", ref }, exclusive: false, now },
    (snapshot) =>
      decideGrant(snapshot, {
        ref,
        bucket: "purchased",
        amount: 1000,
        expiresAt: null,
        actor: operator,
        requestId: null,
        now
      })
  )
  return organization
})

const person = (organization: PersonCaller["organization"], limit: number | null): PersonCaller => ({
  kind: "person",
  credentialId: uuid(),
  label: "Sample Person (assistant)",
  scopes: ["mcp"],
  organization,
  territory: null,
  requestId: "r-1",
  clientId: "assistant",
  member: {
    memberId: uuid(),
    email: "person@people.example",
    name: "Sample Person",
    role: "member",
    seat: true,
    status: "active",
    territory: null,
    monthlyCreditLimit: limit
  }
})

/** Charges the action for a subject of its own. */
const spend = Effect.fnUntraced(function*(caller: PersonCaller, now: number) {
  const ledger = yield* Ledger
  const limits = ofCaller(caller, now)
  const subjectId = uuid()
  return yield* ledger.transact(
    {
      orgId: caller.organization.org_id,
      subject: { _tag: "Own", action: action.name, subjectId },
      exclusive: true,
      now,
      usage: queryOf(limits)
    },
    (snapshot) =>
      decideOwnAction(snapshot, {
        action,
        subjectId,
        limits,
        actor: { kind: "member", id: caller.member.memberId, name: caller.member.name },
        requestId: null,
        now
      })
  )
})

const refund = Effect.fnUntraced(function*(orgId: string, entry: number, now: number) {
  const ledger = yield* Ledger
  yield* ledger.transact(
    { orgId, subject: { _tag: "Entry", entry }, exclusive: false, now },
    (snapshot) => decideRefund(snapshot, { reason: "sample", actor: operator, requestId: null, now })
  )
})

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ _tag: fc.constant("Spend" as const), who: fc.nat({ max: 2 }), at: fc.nat({ max: 2 }) })
  },
  {
    weight: 1,
    arbitrary: fc.record({ _tag: fc.constant("Refund" as const), which: fc.nat({ max: 20 }), at: fc.nat({ max: 2 }) })
  }
)

/** What any `Ledger` does about members' monthly credit limits. */
export const memberSpendingContract = <E>(
  name: string,
  adapters: Layer.Layer<Ledger | Organizations, E>,
  runs = 20
): void =>
  suite(adapters, { excludeTestServices: true })(`A member's monthly credit limit ${name}`, (it) => {
    it.effect("is never passed, and refuses nothing that it has room for", () =>
      Effect.gen(function*() {
        const context = yield* Effect.context<Ledger | Organizations>()
        let refusals = 0
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) =>
              Effect.runPromiseWith(context)(Effect.gen(function*() {
                const organization = yield* arrange
                const people = [person(organization, 10), person(organization, 3), person(organization, null)]
                const charges: Array<{ readonly who: number; readonly month: number; readonly entry: number }> = []
                for (const each of steps) {
                  const now = moments[each.at] ?? moments[0]
                  if (each._tag === "Refund") {
                    const [charge] = charges.splice(each.which % Math.max(1, charges.length), 1)
                    if (charge !== undefined) yield* refund(organization.org_id, charge.entry, now)
                    continue
                  }
                  const caller = people[each.who]
                  if (caller === undefined) continue
                  const month = now < moments[2] ? 1 : 2
                  const spent = action.price * charges.filter((of) =>
                    of.who === each.who && of.month === month
                  ).length
                  const limit = caller.member.monthlyCreditLimit ?? Infinity
                  const outcome = yield* Effect.result(spend(caller, now))
                  if (Result.isSuccess(outcome)) {
                    charges.push({ who: each.who, month, entry: outcome.success.entry })
                    assert.isAtMost(spent + action.price, limit)
                  } else {
                    refusals += 1
                    assert.isAbove(spent + action.price, limit)
                    assert.deepInclude(outcome.failure, {
                      _tag: "USER_CREDIT_LIMIT_EXCEEDED",
                      required: action.price,
                      available: limit - spent,
                      limit,
                      resetsAt: month === 1 ? "2026-03-01T00:00:00.000Z" : "2026-04-01T00:00:00.000Z"
                    })
                  }
                }
              }))),
            { numRuns: runs }
          )
        )
        assert.isAbove(refusals, 0)
      }))

    it.effect("is exact among calls at once", () =>
      Effect.gen(function*() {
        const organization = yield* arrange
        const caller = person(organization, 10)
        const other = person(organization, null)
        const outcomes = yield* Effect.all(
          Array.from({ length: 12 }, (_, index) => Effect.result(spend(index % 3 === 0 ? other : caller, moments[0]))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(outcomes.filter(Result.isSuccess).length, 4 + 3)
        const ledger = yield* Ledger
        const entries = yield* ledger.entries(organization.org_id, { after: 0, limit: 100 })
        const own = entries.filter(({ actor, kind }) => kind === "charge" && actor.id === caller.member.memberId)
        assert.deepStrictEqual(own.map(({ credits }) => credits), [-3, -3, -3])
        assert.deepStrictEqual(own[0]?.actor, { kind: "member", id: caller.member.memberId, name: "Sample Person" })
      }))
  })

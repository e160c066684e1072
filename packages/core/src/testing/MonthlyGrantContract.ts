/**
 * What monthly grants must do over any adapters: for any history of documents, suspensions, months and processes that
 * grant at once or are killed, a model foretells each entry and the balance.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Clock, DateTime, Effect, Fiber, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as fc from "fast-check"
import type { KeyRing } from "../access/KeyRing.ts"
import type { Allotments } from "../credit/Allotments.ts"
import * as Credits from "../credit/Credits.ts"
import { Ledger } from "../credit/Ledger.ts"
import * as MonthlyGranter from "../credit/MonthlyGranter.ts"
import { nextMonth } from "../operation/UtcTime.ts"
import { OrganizationStatus } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import * as Apply from "../provision/Apply.ts"
import * as ApplyDocument from "../provision/ApplyDocument.ts"
import { stoppedAt } from "./LedgerCommands.ts"

const orgs = ["a", "b", "c"] as const
type Org = (typeof orgs)[number]

type ValueOf<A> = A extends fc.Arbitrary<infer Value> ? Value : never

const Place = fc.constantFrom(...orgs)
const Status = fc.constantFrom(...OrganizationStatus.literals)

/** `null`: not said by the document. */
const Settings = fc.record({
  monthly_grant: fc.option(fc.boolean()),
  monthly_grant_rolls_over: fc.option(fc.boolean()),
  monthly_credit_allotment: fc.option(fc.constantFrom(0, 30, 70)),
  status: fc.option(Status)
})
type Settings = ValueOf<typeof Settings>

const Step = fc.oneof(
  { arbitrary: fc.record({ _tag: fc.constant("Apply" as const), org: Place, settings: Settings }), weight: 4 },
  fc.record({ _tag: fc.constant("Status" as const), org: Place, status: Status }),
  fc.record({ _tag: fc.constant("By hand" as const), org: Place }),
  {
    arbitrary: fc.record({
      _tag: fc.constant("Time" as const),
      to: fc.constantFrom("a day later", "the last of the month", "the next month")
    }),
    weight: 4
  },
  {
    arbitrary: fc.record({
      _tag: fc.constant("Sweep" as const),
      processes: fc.integer({ min: 1, max: 3 }),
      killed: fc.option(fc.integer({ min: 0, max: 12 }))
    }),
    weight: 4
  }
)
type Step = ValueOf<typeof Step>

interface Grant {
  readonly ref: string
  readonly amount: number
  readonly expiresAt: number | null
}

interface Modelled {
  readonly isGranted: boolean
  readonly rollsOver: boolean
  readonly allotment: number
  readonly status: OrganizationStatus
  readonly grants: ReadonlyArray<Grant>
}

const fresh: Modelled = { isGranted: false, rollsOver: false, allotment: 0, status: "active", grants: [] }

const monthly = (now: number): string => `monthly:${DateTime.formatIso(DateTime.makeUnsafe(now)).slice(0, 7)}`

/** The organization once whatever is due was granted. */
const granted = (org: Modelled, now: number): Modelled => {
  const ref = monthly(now)
  const due = org.isGranted && org.allotment > 0 && org.status === "active"
  if (!due || org.grants.some((grant) => grant.ref === ref)) return org
  const expiresAt = org.rollsOver ? null : nextMonth(now)
  return { ...org, grants: [...org.grants, { ref, amount: org.allotment, expiresAt }] }
}

const applied = (org: Modelled, settings: Settings, now: number): Modelled =>
  granted({
    ...org,
    isGranted: settings.monthly_grant ?? org.isGranted,
    rollsOver: settings.monthly_grant_rolls_over ?? org.rollsOver,
    allotment: settings.monthly_credit_allotment ?? org.allotment,
    status: settings.status ?? org.status
  }, now)

const later = (now: number, to: Extract<Step, { readonly _tag: "Time" }>["to"]): number => {
  switch (to) {
    case "a day later":
      return now + 86_400_000
    case "the last of the month":
      return nextMonth(now) - 1
    case "the next month":
      return nextMonth(now)
  }
}

const actor = { kind: "operator", id: null, name: "Sample Operator" } as const

const given = (settings: Settings): object =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null))

const apply = Effect.fnUntraced(function*(...organizations: ReadonlyArray<object>) {
  const service = yield* Apply.make
  const document = yield* Effect.fromResult(ApplyDocument.decode({ organizations }))
  return (yield* service.apply(document)).organizations
})

const grantsOf = (orgId: string) =>
  Effect.map(
    Ledger.use((ledger) => ledger.entries(orgId, { after: 0, limit: 1000 })),
    (entries) => entries.filter(({ kind }) => kind === "grant")
  )

type Ports = Organizations | KeyRing | Ledger | Allotments | SecureRandom.SecureRandom | Digest.Digest

/** `layer` holds an empty store. */
export const monthlyGrantContract = <E>(
  name: string,
  layer: Layer.Layer<Organizations | KeyRing | Ledger | Allotments, E>,
  runs: number
): void => {
  let worlds = 0

  suite(Layer.mergeAll(layer, SecureRandom.layerWebCrypto, Digest.layerWebCrypto), { excludeTestServices: true })(
    `${name}: monthly grants`,
    (it) => {
      const at = <A, E, R>(now: number, effect: Effect.Effect<A, E, R>) =>
        Effect.flatMap(Clock.Clock, (running) => Effect.provideService(effect, Clock.Clock, stoppedAt(now, running)))

      /** Granters as processes of their own, at the same moment. */
      const sweep = (processes: number) =>
        Effect.forEach(
          Array.from({ length: processes }),
          () => Effect.flatMap(MonthlyGranter.make, ({ grantDue }) => grantDue()),
          { concurrency: "unbounded" }
        )

      const killedAfter = (steps: number) =>
        Effect.gen(function*() {
          const fiber = yield* Effect.forkChild(sweep(2))
          for (let step = 0; step < steps; step++) yield* Effect.yieldNow
          yield* Fiber.interrupt(fiber)
        })

      const history = Effect.fnUntraced(function*(steps: ReadonlyArray<Step>) {
        const world = `org_monthly_${++worlds}`
        const idOf = (org: Org) => `${world}_${org}`
        let now = Date.UTC(2026, 0, 31, 12)
        const model = new Map(orgs.map((org) => [org, fresh]))
        const change = (org: Org, to: (before: Modelled) => Modelled) => model.set(org, to(model.get(org) ?? fresh))
        yield* at(now, apply(...orgs.map((org) => ({ org_id: idOf(org) }))))
        const credits = yield* Credits.make

        for (const step of steps) {
          switch (step._tag) {
            case "Apply": {
              yield* at(now, apply({ org_id: idOf(step.org), ...given(step.settings) }))
              change(step.org, (before) => applied(before, step.settings, now))
              break
            }
            case "Status": {
              yield* Organizations.use((organizations) => organizations.setStatus(idOf(step.org), step.status))
              change(step.org, (before) => ({ ...before, status: step.status }))
              break
            }
            case "By hand": {
              const hand = { ref: monthly(now), amount: 5, expiresAt: null }
              yield* at(now, credits.grant({ ...hand, orgId: idOf(step.org), bucket: "included", actor }))
              change(step.org, (before) =>
                before.grants.some(({ ref }) => ref === hand.ref)
                  ? before
                  : { ...before, grants: [...before.grants, hand] })
              break
            }
            case "Time":
              now = later(now, step.to)
              break
            case "Sweep": {
              if (step.killed !== null) yield* at(now, killedAfter(step.killed))
              yield* at(now, sweep(step.processes))
              for (const org of orgs) change(org, (before) => granted(before, now))
            }
          }
          for (const [org, { grants }] of model) {
            const entries = yield* grantsOf(idOf(org))
            assert.deepStrictEqual(
              entries.map(({ buckets, ref }) => [ref, buckets.included]),
              grants.map(({ amount, ref }) => [ref, amount])
            )
            const { balance } = yield* Ledger.use((ledger) => ledger.balance(idOf(org), now))
            const open = grants.filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
            assert.strictEqual(balance.included, open.reduce((sum, { amount }) => sum + amount, 0))
          }
        }
        // The sweeps of the histories after this one have nothing to do here.
        yield* apply(...orgs.map((org) => ({ org_id: idOf(org), status: "closed" })))
      })

      it.effect(
        "are made once a month of each organization that has them, whatever runs, stops or changes (G1 G2 G3)",
        () =>
          Effect.gen(function*() {
            const run = Effect.runPromiseWith(yield* Effect.context<Ports>())
            yield* Effect.promise(() =>
              fc.assert(
                fc.asyncProperty(fc.array(Step, { minLength: 4, maxLength: 14 }), (steps) => run(history(steps))),
                { numRuns: runs }
              )
            )
          }),
        60_000
      )

      it.effect("come at once where the switch goes on within a month, and name their month, maker and end (G4)", () =>
        Effect.gen(function*() {
          const now = Date.UTC(2026, 10, 22)
          const document = { org_id: "org_switch", monthly_credit_allotment: 500 }
          const [made] = yield* at(now, apply(document))
          assert.strictEqual(made?.outcome, "created")
          assert.deepStrictEqual(yield* grantsOf("org_switch"), [])
          const [changed] = yield* at(now, apply({ ...document, monthly_grant: true }))
          assert.strictEqual(changed?.outcome, "changed")
          const [again] = yield* at(now, apply({ ...document, monthly_grant: true }))
          assert.strictEqual(again?.outcome, "unchanged")
          const [entry, ...others] = yield* grantsOf("org_switch")
          assert.deepStrictEqual(others, [])
          assert.deepInclude(entry, {
            ref: "monthly:2026-11",
            credits: 500,
            at: "2026-11-22T00:00:00.000Z",
            actor: { kind: "system", id: null, name: "monthly grant" }
          })
          const left = (then: number) =>
            Effect.map(Ledger.use((ledger) => ledger.balance("org_switch", then)), ({ balance }) => balance.included)
          assert.strictEqual(yield* left(Date.UTC(2026, 11, 1) - 1), 500)
          assert.strictEqual(yield* left(Date.UTC(2026, 11, 1)), 0)
        }))

      it.effect("that an organization may not hold are refused with the field, and told by a sweep (G5)", () =>
        Effect.gen(function*() {
          const now = Date.UTC(2026, 10, 22)
          const document = {
            org_id: "org_full",
            grants: [{ ref: "all", bucket: "purchased", amount: 1_000_000_000 }],
            monthly_credit_allotment: 1
          }
          yield* at(now, apply(document))
          const refused = yield* Effect.flip(at(now, apply({ ...document, monthly_grant: true })))
          assert.deepInclude(refused, {
            _tag: "INVALID_ARGUMENTS",
            issues: [{
              field: "organizations.0.monthly_credit_allotment",
              message: "Expected a balance of at most 1000000000 credits"
            }]
          })
          yield* Organizations.use((organizations) =>
            Effect.flatMap(
              Effect.flatMap(organizations.find("org_full"), Effect.fromOption),
              (stored) => organizations.save({ ...stored, monthly_grant: true })
            )
          )
          const [{ refused: told } = { refused: [] }] = yield* at(now, sweep(1))
          assert.deepStrictEqual(told, ["org_full"])
        }))
    }
  )
}

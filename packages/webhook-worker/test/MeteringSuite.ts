/** What webhooks cost and how limits hold them back, over any adapter of the ports. */
import { assert, it } from "@effect/vitest"
import { total } from "@freehold/core/credit/Bucket"
import { Ledger } from "@freehold/core/credit/Ledger"
import type { LeadBundles } from "@freehold/core/lead/LeadBundles"
import { limitsOf, queryOf } from "@freehold/core/limit/Limits"
import { nextMidnight } from "@freehold/core/operation/UtcTime"
import type { Organization } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import * as SampleGrant from "@freehold/core/testing/SampleGrant"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Clock, DateTime, Duration, Effect, Layer, Option, type Scope } from "effect"
import { bundles, type Ports, receive, settled, work } from "./WorkerSuite.ts"

const orgId = "org_a"

const set = Effect.fnUntraced(function*(settings: Partial<Organization>) {
  const organizations = yield* Organizations
  yield* organizations.save({ ...Scene.organization(orgId), ...settings })
})

const live = (records: number): Partial<Organization> => ({
  plan: "enterprise",
  features: { ...Scene.organization(orgId).features, records_allowance: true },
  records_allowance: { records, initial_load: 0, period: "calendar_month", overage: null },
  daily_limits: { records_taken_per_day: { service: 1000 } }
})

const grant = (amount: number) =>
  SampleGrant.grant(orgId, amount, { bucket: "trial", actor: { kind: "operator", id: null, name: null } })

/** What the ledger says of the organization now. */
const booked = Effect.gen(function*() {
  const ledger = yield* Ledger
  const now = yield* Clock.currentTimeMillis
  const { balance, exportsUsed } = yield* ledger.balance(orgId, now)
  const { records, today, underWay } = yield* ledger.usage(
    orgId,
    queryOf(limitsOf(Scene.organization(orgId), null, now))
  )
  return {
    credits: total(balance),
    exports: exportsUsed,
    deliveries: today.lead_export.organization,
    records: records.recurring,
    underWay: underWay.exports
  }
})

const rows = WebhookEndpoints.use((endpoints) =>
  Effect.map(endpoints.deliveries(Scene.endpointId(0), 100), Option.getOrThrow)
)

/** An organization with an endpoint that answers, and so many events. */
const scene = Effect.fnUntraced(function*(
  settings: Partial<Organization>,
  events: number,
  answer: (index: number) => number = () => 200
) {
  const receiver = yield* receive((response, index) => void response.writeHead(answer(index)).end())
  yield* Scene.seed([orgId], events)
  yield* set(settings)
  yield* Scene.register(orgId, 0, { url: receiver.url })
  yield* Scene.qualifyMany(orgId, events)
  return receiver
})

const times = (count: number, state: string): ReadonlyArray<string> => Array.from({ length: count }, () => state)

/** `ports` must be fresh for each test. */
export const meteringSuite = <E>(ports: Layer.Layer<Ports, E>): void => {
  const test = <A, E2>(name: string, body: Effect.Effect<A, E2, Ports | LeadBundles | Scope.Scope>) =>
    it.live(name, () => Effect.provide(body, Layer.merge(ports, bundles)))

  test(
    "sends no more than the day's cap, however many are due at once; the rest waits until shortly after midnight",
    Effect.gen(function*() {
      const receiver = yield* scene({ daily_limits: { lead_export: { service: 9, organization: 2 } } }, 6)
      const before = nextMidnight(yield* Clock.currentTimeMillis)
      yield* work()
      yield* settled(0, [...times(2, "delivered 1"), ...times(4, "postponed_daily_limit 0")])
      const after = nextMidnight(yield* Clock.currentTimeMillis)
      assert.strictEqual(receiver.received.length, 2)
      assert.deepStrictEqual(yield* booked, { credits: 0, exports: 2, deliveries: 2, records: 0, underWay: 0 })
      for (const { lastError, nextAttemptAt, state } of yield* rows) {
        if (state !== "postponed_daily_limit") continue
        assert.strictEqual(lastError, "DAILY_CAP_EXCEEDED")
        const due = Date.parse(nextAttemptAt ?? "")
        assert.isTrue(due >= before && due <= after + 60_000, nextAttemptAt ?? "never")
      }
    })
  )

  test(
    "two workers together do not pass the cap either",
    Effect.gen(function*() {
      const receiver = yield* scene({ daily_limits: { lead_export: { organization: 5 } } }, 20)
      yield* work({ concurrency: 8 })
      yield* work({ concurrency: 8 })
      yield* settled(0, [...times(5, "delivered 1"), ...times(15, "postponed_daily_limit 0")])
      assert.strictEqual(receiver.received.length, 5)
    })
  )

  test(
    "looks again at what waits when the cap is raised",
    Effect.gen(function*() {
      yield* scene({ daily_limits: { lead_export: { organization: 1 } } }, 3)
      yield* work({ reconsider: Duration.millis(50) })
      yield* settled(0, ["delivered 1", ...times(2, "postponed_daily_limit 0")])
      yield* set({ daily_limits: { lead_export: { organization: 3 } } })
      yield* settled(0, times(3, "delivered 1"))
      assert.strictEqual((yield* booked).deliveries, 3)
    })
  )

  test(
    "is free within the month's exports, then costs a credit each, and without one is refused for good",
    Effect.gen(function*() {
      const receiver = yield* scene({ export_allowance: { max_exports_per_month: 1, max_rows_per_month: 0 } }, 5)
      yield* grant(2)
      yield* work()
      yield* settled(0, [...times(3, "delivered 1"), ...times(2, "refused_no_credit 0")])
      assert.strictEqual(receiver.received.length, 3)
      assert.deepStrictEqual(yield* booked, { credits: 0, exports: 3, deliveries: 3, records: 0, underWay: 0 })
      const entries = yield* Ledger.use((ledger) => ledger.entries(orgId, { after: 0, limit: 100 }))
      assert.deepStrictEqual(entries.map(({ credits, kind }) => [kind, credits]), [["grant", 2], ["charge", -1], [
        "charge",
        -1
      ]])
      assert.isTrue(
        entries.slice(1).every((entry) => entry.action === "lead_delivery" && entry.subject_type === "lead")
      )
      const endpoints = yield* WebhookEndpoints
      assert.strictEqual((yield* endpoints.list(orgId))[0]?.consecutiveFailures, 0)
    })
  )

  test(
    "counts an event once, however often it was tried, and what never arrived not at all",
    Effect.gen(function*() {
      yield* scene({ daily_limits: { lead_export: { organization: 1 } } }, 1, (index) => index < 3 ? 500 : 200)
      yield* work()
      yield* settled(0, ["delivered 4"])
      assert.deepInclude(yield* booked, { exports: 1, deliveries: 1, underWay: 0 })
    })
  )

  const resendAll = Effect.gen(function*() {
    const endpoints = yield* WebhookEndpoints
    yield* Effect.forEach(yield* rows, ({ deliveryId }) => endpoints.resend(deliveryId))
  })

  test(
    "what is resent after it arrived is not counted again, and no limit holds it back",
    Effect.gen(function*() {
      const receiver = yield* scene({ daily_limits: { lead_export: { organization: 1 } } }, 1)
      yield* work()
      yield* settled(0, ["delivered 1"])
      yield* resendAll
      yield* settled(0, ["delivered 2"])
      assert.deepStrictEqual(yield* booked, { credits: 0, exports: 1, deliveries: 1, records: 0, underWay: 0 })
      const bodies = receiver.received.map(({ body }) => body.toString("utf8"))
      const [first, second] = bodies.map((body) => body.replace(/"created_at":"[^"]*"/, ""))
      assert.strictEqual(first, second)
    })
  )

  test(
    "what is resent after it failed is counted when it arrives, once",
    Effect.gen(function*() {
      yield* scene({ daily_limits: { lead_export: { organization: 1 } } }, 1, (index) => index < 5 ? 500 : 200)
      yield* work()
      yield* settled(0, ["failed 5"])
      assert.deepInclude(yield* booked, { exports: 0, deliveries: 0 })
      yield* resendAll
      yield* settled(0, ["delivered 6"])
      yield* resendAll
      yield* settled(0, ["delivered 7"])
      assert.deepStrictEqual(yield* booked, { credits: 0, exports: 1, deliveries: 1, records: 0, underWay: 0 })
    })
  )

  test(
    "what failed and cannot be paid when it is resent is refused",
    Effect.gen(function*() {
      const receiver = yield* scene(
        { export_allowance: { max_exports_per_month: 1, max_rows_per_month: 0 } },
        1,
        (index) => index < 5 ? 500 : 200
      )
      yield* work()
      yield* settled(0, ["failed 5"])
      yield* set({ export_allowance: { max_exports_per_month: 0, max_rows_per_month: 0 } })
      yield* resendAll
      yield* settled(0, ["refused_no_credit 5"])
      assert.strictEqual(receiver.received.length, 5)
    })
  )

  test(
    "what fails leaves its place to the next",
    Effect.gen(function*() {
      yield* scene({ daily_limits: { lead_export: { organization: 1 } } }, 2, () => 500)
      yield* work()
      yield* settled(0, times(2, "failed 5"))
      assert.deepStrictEqual(yield* booked, { credits: 0, exports: 0, deliveries: 0, records: 0, underWay: 0 })
    })
  )

  test(
    "draws the records allowance instead of credits, and waits for the period's end when it is used up",
    Effect.gen(function*() {
      yield* scene({ ...live(3), export_allowance: { max_exports_per_month: 0, max_rows_per_month: 0 } }, 5)
      yield* grant(9)
      yield* work()
      yield* settled(0, [...times(3, "delivered 1"), ...times(2, "postponed_daily_limit 0")])
      assert.deepStrictEqual(yield* booked, { credits: 9, exports: 3, deliveries: 3, records: 3, underWay: 0 })
      const end = DateTime.add(DateTime.startOf(yield* DateTime.now, "month"), { months: 1 })
      for (const { lastError, nextAttemptAt, state } of yield* rows) {
        if (state !== "postponed_daily_limit") continue
        assert.strictEqual(lastError, "RECORDS_ALLOWANCE_EXCEEDED")
        const late = Date.parse(nextAttemptAt ?? "") - DateTime.toEpochMillis(end)
        assert.isTrue(late >= 0 && late <= 60_000, nextAttemptAt ?? "never")
      }
    })
  )

  test(
    "a partial bundle takes no record and is sent when the allowance is used up",
    Effect.gen(function*() {
      const receiver = yield* receive((response) => void response.writeHead(200).end())
      yield* Scene.seed([orgId], 1)
      yield* set(live(0))
      yield* Scene.register(orgId, 0, { url: receiver.url })
      yield* Scene.qualify(orgId, 0, { partial: true })
      yield* work()
      yield* settled(0, ["delivered 1"])
      assert.deepInclude(yield* booked, { exports: 1, records: 0 })
    })
  )
}

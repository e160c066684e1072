/** The 429 answers of levels 2 and 3 on every route that is metered, and what a taking tells. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { bearer, ids, layer as host, type Received, type Tenant, TestHost } from "../TestHost.ts"

/** The whole shape of a daily refusal. */
const assertDaily = (answer: Received, code: string, limit: object) => {
  assert.strictEqual(answer.status, 429)
  const { body, headers } = answer
  assert.isFalse(body.success)
  assert.deepStrictEqual([body.code, body.meta.code], [code, code])
  assert.strictEqual(headers.get("retry-after"), String(body.meta.retryAfterSeconds))
  assert.isTrue(body.meta.retryAfterSeconds >= 1 && body.meta.retryAfterSeconds <= 86_400)
  assert.match(body.meta.resetsAt, /^\d{4}-\d{2}-\d{2}T00:00:00\.000Z$/)
  assert.deepInclude(body.meta.limit, { level: 2, resets_at: body.meta.resetsAt, ...limit })
  assert.strictEqual(body.meta.cap, body.meta.limit.value)
  assert.strictEqual(body.meta.usedToday, body.meta.limit.used)
  assert.strictEqual(body.meta.remainingToday, Math.max(0, body.meta.cap - body.meta.usedToday))
  assert.strictEqual(headers.get("cache-control"), "no-store")
}

const assertExhausted = ({ body, headers, status }: Received) => {
  assert.strictEqual(status, 429)
  assert.deepStrictEqual([body.code, body.meta.code], ["RECORDS_ALLOWANCE_EXCEEDED", "RECORDS_ALLOWANCE_EXCEEDED"])
  assert.strictEqual(headers.get("retry-after"), String(body.meta.retryAfterSeconds))
  assert.deepInclude(body.meta.limit, {
    name: "records_allowance",
    level: 3,
    value: 0,
    used: 0,
    remaining: 0,
    overage_enabled: false,
    overage_price_per_record_usd: null
  })
  assert.match(body.meta.limit.period_ends_at, /-01T00:00:00\.000Z$/)
}

const ask = (tenant: Tenant, method: string, path: string) =>
  TestHost.use(({ call }) => call(method, `/v1${path}`, { headers: bearer(tenant) }))

layer(host, { excludeTestServices: true })("limits", (it) => {
  it.effect("GET /properties/{id}/detail opens what the day has room for and is never 429 for people (D7)", () =>
    Effect.gen(function*() {
      const first = yield* ask("capped", "GET", `/properties/${ids.staffed}/detail`)
      assert.strictEqual(first.status, 200)
      const [open, closed] = first.body.data.contacts
      assert.deepInclude(open, { revealed: true, revealCapExceeded: false, email: "four@people.example" })
      assert.deepInclude(closed, { id: ids.secondCovered, revealed: false, revealCapExceeded: true })
      assert.deepInclude(closed, { fullName: null, email: null, phone: null, linkedinUrl: null })
      // Counted once a day: the same again, and by itself.
      const again = yield* ask("capped", "GET", `/properties/${ids.staffed}/detail`)
      assert.deepStrictEqual(again.body, first.body)
      assert.strictEqual((yield* ask("capped", "GET", `/contacts/${ids.coveredContact}`)).status, 200)
    }))

  it.effect("GET /contacts/{id} and POST /contacts/{id}/reveal: 429 when the day's reveals are used up", () =>
    Effect.gen(function*() {
      yield* ask("capped", "GET", `/properties/${ids.staffed}/detail`)
      for (const [method, path] of [["GET", ""], ["POST", "/reveal"]] as const) {
        const refused = yield* ask("capped", method, `/contacts/${ids.secondCovered}${path}`)
        assertDaily(refused, "DAILY_CAP_EXCEEDED", { name: "contact_reveal", layer: "organization", value: 1, used: 1 })
        assert.notProperty(refused.body.meta.limit, "derived")
        assert.notProperty(refused.body.meta.limit, "layers")
      }
      const paid = yield* ask("capped", "POST", `/contacts/${ids.contact}/reveal`)
      assertDaily(paid, "DAILY_CAP_EXCEEDED", { name: "contact_reveal", layer: "organization" })
    }))

  it.effect("a paused key is refused with its own code (D4)", () =>
    Effect.gen(function*() {
      const layer = { layer: "key", value: 0, used: 0 }
      const contact = yield* ask("paused", "GET", `/contacts/${ids.coveredContact}`)
      assertDaily(contact, "CREDENTIAL_DAILY_CAP_EXCEEDED", { name: "contact_reveal", ...layer })
      const lead = yield* ask("paused", "GET", `/leads/${ids.covered}`)
      assertDaily(lead, "CREDENTIAL_DAILY_CAP_EXCEEDED", { name: "lead_export", ...layer })
      const unlock = yield* ask("paused", "POST", `/properties/${ids.locked}/unlock`)
      assertDaily(unlock, "CREDENTIAL_DAILY_CAP_EXCEEDED", { name: "paid_property_unlock", ...layer })
      // What is covered is not a paid unlock.
      assert.strictEqual((yield* ask("paused", "POST", `/properties/${ids.covered}/unlock`)).status, 200)
    }))

  it.effect("POST /properties/{id}/unlock: 429 when the organization's paid unlocks are used up (D4)", () =>
    Effect.gen(function*() {
      const refused = yield* ask("capped", "POST", `/properties/${ids.locked}/unlock`)
      assertDaily(refused, "DAILY_CAP_EXCEEDED", { name: "paid_property_unlock", layer: "organization", value: 0 })
    }))

  it.effect("GET /leads/{id}: 429 when the service's maximum of the day is used", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* ask("capped", "GET", `/leads/${ids.covered}`)).status, 200)
      const refused = yield* ask("capped", "GET", `/leads/${ids.covered}`)
      assertDaily(refused, "ACCOUNT_DAILY_CAP_EXCEEDED", {
        name: "lead_export",
        layer: "greenfinch_admin",
        value: 1,
        used: 1
      })
    }))

  it.effect("429 RECORDS_ALLOWANCE_EXCEEDED wherever a record would be delivered, and nowhere else (A6)", () =>
    Effect.gen(function*() {
      for (
        const [method, path] of [
          ["GET", `/properties/${ids.covered}`],
          ["GET", `/properties/${ids.staffed}/detail`],
          ["GET", `/contacts/${ids.coveredContact}`],
          ["POST", `/contacts/${ids.coveredContact}/reveal`],
          ["GET", `/leads/${ids.covered}`]
        ] as const
      ) {
        assertExhausted(yield* ask("exhausted", method, path))
      }
      for (
        const [method, path] of [
          ["GET", `/properties/${ids.locked}`],
          ["GET", `/properties/${ids.locked}/detail`],
          ["GET", `/contacts/${ids.contact}`],
          ["POST", `/properties/${ids.covered}/unlock`],
          ["GET", "/leads"],
          ["GET", "/allowance"]
        ] as const
      ) {
        assert.strictEqual((yield* ask("exhausted", method, path)).status, 200, `${method} ${path}`)
      }
    }))

  it.effect("a successful taking tells what it took, each record once; a bundle is paid by the allowance (A10)", () =>
    Effect.gen(function*() {
      const overage = { overage_accrued_records: 0, overage_accrued_usd: 0 }
      const detail = yield* ask("taking", "GET", `/properties/${ids.staffed}/detail`)
      assert.deepStrictEqual(detail.body.meta, { records: { taken: 3, remaining: 49, ...overage } })
      const contact = yield* ask("taking", "GET", `/contacts/${ids.coveredContact}`)
      assert.deepStrictEqual(contact.body.meta, { records: { taken: 0, remaining: 49, ...overage } })
      const lead = yield* ask("taking", "GET", `/leads/${ids.staffed}`)
      assert.deepStrictEqual(lead.body.meta, {
        billed_via: "quota",
        credits_charged: 0,
        records: { taken: 0, remaining: 49, ...overage }
      })
      const { body } = yield* ask("taking", "GET", `/leads/${ids.covered}`)
      assert.deepStrictEqual(body.meta.records, { taken: 1, remaining: 48, ...overage })
      const account = yield* ask("taking", "GET", "/account")
      assert.deepInclude(account.body.data.egress_quota, { billed_via: "quota", used_this_period: 2 })
    }))

  it.effect("GET /allowance: the allowance, and every limit in force with what is left (A10)", () =>
    Effect.gen(function*() {
      yield* ask("reading", "GET", `/properties/${ids.staffed}/detail`)
      yield* ask("reading", "GET", `/leads/${ids.covered}`)
      const { body, status } = yield* ask("reading", "GET", "/allowance")
      assert.strictEqual(status, 200)
      assert.isUndefined(body.meta)
      const { daily_limits, period, rate_limits, ...rest } = body.data
      assert.deepStrictEqual(rest, {
        plan: "enterprise",
        rollout: "live",
        records_allowance: {
          value: 40,
          used: 2,
          remaining: 38,
          by_kind: { property: 2, organization: 0, contact: 2 }
        },
        initial_load: { value: 2, used: 2, remaining: 0, expires_at: null },
        overage: { enabled: true, price_per_record_usd: 0.05, ceiling_records: 10, accrued_records: 0, accrued_usd: 0 }
      })
      const start = DateTime.startOf(yield* DateTime.now, "month")
      assert.deepStrictEqual(period, {
        start: DateTime.formatIso(start),
        end: DateTime.formatIso(DateTime.add(start, { months: 1 })),
        basis: "calendar_month"
      })
      const days = Math.round((Date.parse(period.end) - Date.parse(period.start)) / 86_400_000)
      const derived = Math.ceil(120 / days)
      const resets_at = daily_limits[0].resets_at
      assert.deepStrictEqual(daily_limits, [
        { name: "contact_reveal", level: 2, layer: "organization", value: 9, used: 2, resets_at, remaining: 7 },
        {
          name: "agent_pipeline_change",
          level: 2,
          layer: "organization",
          value: 25,
          used: 0,
          resets_at,
          remaining: 25
        },
        {
          name: "records_taken_per_day",
          level: 2,
          layer: "greenfinch_admin",
          layers: ["greenfinch_admin", "key"],
          derived: true,
          value: derived,
          used: 4,
          resets_at,
          remaining: derived - 4
        }
      ])
      assert.deepStrictEqual(rate_limits.map((each: { name: string; value: number }) => [each.name, each.value]), [
        ["requests_per_minute", 100_000],
        ["requests_per_day", 50_000]
      ])
      assert.isAbove(rate_limits[0].used, 0)
    }))

  it.effect("GET /allowance: before the rollout there is no allowance, and the daily limits are told all the same", () =>
    Effect.gen(function*() {
      const { body, status } = yield* ask("capped", "GET", "/allowance")
      assert.strictEqual(status, 200)
      assert.deepInclude(body.data, { rollout: "not_started", records_allowance: null, initial_load: null })
      assert.deepStrictEqual(body.data.daily_limits.map((each: { name: string }) => each.name), [
        "contact_reveal",
        "lead_export",
        "agent_pipeline_change",
        "paid_property_unlock"
      ])
    }))

  it.effect("GET /allowance: 403 on the team plan, any Enterprise key is enough", () =>
    Effect.gen(function*() {
      const { body, status } = yield* ask("team", "GET", "/allowance")
      assert.strictEqual(status, 403)
      assert.deepInclude(body, { code: "UPGRADE_REQUIRED", feature: "recordsAllowance", minimumTier: "enterprise" })
      const bare = yield* TestHost.use(({ call }) => call("GET", "/v1/allowance", { headers: bearer("bare") }))
      assert.strictEqual(bare.status, 200)
    }))
})

/** What is pushed to CRMs, against made-up ones on loopback that are as strict as their documentation. */
import { assert, describe, it } from "@effect/vitest"
import type { LeadBundle } from "@freehold/core/lead/LeadOperations"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { leadOf } from "@freehold/core/webhook/CrmLead"
import { CrmPusher, type CrmTarget } from "@freehold/core/webhook/CrmPusher"
import type { HubSpotSettings, SalesforceSettings } from "@freehold/core/webhook/CrmSettings"
import { sampleOf } from "@freehold/core/webhook/SampleEvents"
import { Clock, Effect, Redacted, type Scope } from "effect"
import * as CrmPushers from "../src/CrmPushers.ts"
import { at, type Json } from "./CrmServer.ts"
import * as HubSpotServer from "./HubSpotServer.ts"
import * as SalesforceServer from "./SalesforceServer.ts"

const { data } = sampleOf("lead.qualified", {
  organization: Scene.organization("org_a"),
  appUrl: "https://app.example",
  now: Scene.at
})
if (!("contacts" in data)) throw new Error("a lead is a bundle")
const [sam = assert.fail("a contact")] = data.contacts

const person = (number: number, given: Partial<LeadBundle["contacts"][number]>) => ({
  ...sam,
  service_contact_id: Scene.uuid(4, number),
  full_name: `Person ${number}`,
  last_name: null,
  ...given
})

const lead = leadOf({
  ...data,
  notes_digest: "2026-01-02 Ana: roof is old",
  contacts: [
    sam,
    person(1, { email: "O'Neil\\@owner.example" }),
    person(2, { email: "SAM@owner.example" }),
    person(3, { do_not_contact: { email: true, phone: true } })
  ]
})

const stages = { qualified: "appointmentscheduled", won: "closedwon" }
const hubSpot: HubSpotSettings = { kind: "hubspot", pipeline: "default", stages }
const salesforce: SalesforceSettings = {
  kind: "salesforce",
  close_after_days: 30,
  stages: { qualified: "Prospecting", won: "Closed Won" }
}

const push = (target: CrmTarget) => CrmPusher.use((pusher) => pusher.push(target, lead))
const check = (target: CrmTarget) => CrmPusher.use((pusher) => pusher.check(target))

const test = <A, E>(name: string, body: Effect.Effect<A, E, CrmPusher | Scope.Scope>) =>
  it.live(name, () => Effect.provide(body, CrmPushers.layer({ policy: "any", timeout: "10 seconds" })))

it("a lead leaves out who must not be written to, and names an address once", () => {
  assert.deepStrictEqual(lead.contacts.map(({ email, phone }) => [email, phone !== null]), [
    ["sam@owner.example", true],
    ["o'neil\\@owner.example", true],
    [null, true],
    [null, false]
  ])
})

describe("HubSpot", () => {
  const scene = Effect.map(HubSpotServer.make, (server) => ({
    server,
    target: {
      endpointId: "e",
      url: server.url,
      settings: hubSpot,
      credentials: Redacted.make(HubSpotServer.token)
    } satisfies CrmTarget
  }))

  const named = (records: ReadonlyArray<Json>, name: string) => records.map((each) => each[name] ?? null)

  test(
    "has the company, the people and the deal of a lead once, however often it is pushed (W9)",
    Effect.gen(function*() {
      const { server, target } = yield* scene
      for (const _ of [1, 2]) {
        assert.deepInclude(yield* push(target), { _tag: "Delivered", status: 200 })
        assert.deepStrictEqual(server.kept("companies"), [{
          service_property_id: lead.propertyId,
          name: "1 Sample Street",
          domain: "owner.example",
          website: "https://owner.example",
          phone: "+15550101",
          address: "1 Sample Street",
          city: "Sampleton",
          state: "TX",
          zip: "00000"
        }])
        assert.deepStrictEqual(named(server.kept("contacts"), "email"), [
          "sam@owner.example",
          "o'neil\\@owner.example",
          null,
          null
        ])
        assert.deepStrictEqual(named(server.kept("contacts"), "service_contact_id"), lead.contacts.map(({ id }) => id))
        assert.deepStrictEqual(server.kept("deals"), [{
          service_property_id: lead.propertyId,
          dealname: "1 Sample Street",
          amount: "25000",
          pipeline: "default",
          dealstage: "appointmentscheduled",
          description: lead.deal.description
        }])
        assert.include(lead.deal.description, "roof is old")
        assert.strictEqual(server.associations.size, 4 + 1 + 4)
      }
    })
  )

  test(
    "tells what the records are called in a text that can be kept, whatever that is",
    Effect.gen(function*() {
      const { server, target } = yield* scene
      const called = (id: string) => ({ status: 200, body: { status: "COMPLETE", results: [{ id }] } })
      server.fail(at("/crm/v3/objects/deals", called(`7\u0000${"8".repeat(1000)}`)))
      server.fail(at("/crm/v4/associations/deals", called("1")), at("/crm/v4/associations/deals", called("1")))
      const outcome = yield* push(target)
      if (outcome._tag !== "Delivered") return assert.fail(outcome._tag)
      assert.match(outcome.answer ?? "", /^company \d+, deal 7 8+$/)
      assert.isAtMost(outcome.answer?.length ?? Infinity, 300)
    })
  )

  test(
    "takes who is there with the address for the same person, and keeps who is there by our id with another",
    Effect.gen(function*() {
      const { server, target } = yield* scene
      server.had("contacts", { email: "Sam@Owner.example", firstname: "Samuel" })
      server.had("contacts", { email: "new@owner.example", service_contact_id: lead.contacts[1]?.id })
      assert.strictEqual((yield* push(target))._tag, "Delivered")
      assert.deepStrictEqual(named(server.kept("contacts"), "service_contact_id"), lead.contacts.map(({ id }) => id))
      assert.strictEqual(server.kept("contacts")[1]?.email, "new@owner.example")
    })
  )

  for (
    const [what, policy, headers, seconds] of [
      ["Retry-After", "TEN_SECONDLY_ROLLING", {
        "Retry-After": "7",
        "X-HubSpot-RateLimit-Interval-Milliseconds": "10000"
      }, 7],
      ["the window of its limit", "TEN_SECONDLY_ROLLING", { "X-HubSpot-RateLimit-Interval-Milliseconds": "10000" }, 10],
      ["that the day is over", "DAILY", {}, 3600]
    ] as const
  ) {
    test(
      `is left alone for as long as ${what} says`,
      Effect.gen(function*() {
        const { server, target } = yield* scene
        server.fail(at("/crm/v3/objects/deals", HubSpotServer.tooMany(policy, headers)))
        const before = yield* Clock.currentTimeMillis
        const outcome = yield* push(target)
        const after = yield* Clock.currentTimeMillis
        if (outcome._tag !== "Postponed") return assert.fail(outcome._tag)
        assert.isTrue(outcome.until >= before + seconds * 1000 && outcome.until <= after + seconds * 1000)
        const asked = server.asked.length
        assert.deepStrictEqual(yield* push(target), outcome)
        assert.strictEqual(server.asked.length, asked)
      })
    )
  }

  const partial = {
    status: 207,
    body: { status: "COMPLETE", results: [], errors: [{ category: "VALIDATION_ERROR" }], numErrors: 1 }
  }
  for (
    const [what, path, answer, status] of [
      ["a token that is no more valid", "/crm", HubSpotServer.refusal(401, "EXPIRED_AUTHENTICATION", "expired"), 401],
      ["a conflict", "/crm/v3/objects/deals", HubSpotServer.refusal(409, "CONFLICT", "exists"), 409],
      ["trouble of its own", "/crm/v3/objects/contacts", { status: 502, body: "<html>" }, 502],
      ["a batch that is done in part", "/crm/v4/associations", partial, 207],
      ["a redirect", "/crm", { status: 302, headers: { Location: "http://127.0.0.1/" }, body: "" }, 302],
      ["no answer", "/crm", "reset", null]
    ] as const
  ) {
    test(
      `fails with ${what}, and has all of it after the next attempt`,
      Effect.gen(function*() {
        const { server, target } = yield* scene
        server.fail(at(path, answer))
        const outcome = yield* push(target)
        if (outcome._tag !== "Failed") return assert.fail(outcome._tag)
        assert.strictEqual(outcome.status, status)
        assert.notInclude(JSON.stringify(outcome), HubSpotServer.token)
        assert.strictEqual((yield* push(target))._tag, "Delivered")
        assert.deepStrictEqual(
          [server.kept("companies").length, server.kept("contacts").length, server.kept("deals").length],
          [1, 4, 1]
        )
      })
    )
  }

  test(
    "is checked without writing: the token, our properties, the stages",
    Effect.gen(function*() {
      const { server, target } = yield* scene
      assert.deepStrictEqual(yield* check(target), { _tag: "Delivered", status: 200 })
      const settings = { ...hubSpot, stages: { ...stages, lost: "closedlost" } }
      const outcome = yield* check({ ...target, settings })
      assert.deepInclude(outcome, { _tag: "Failed", reason: "the pipeline default has no stage closedlost" })
      assert.deepInclude(yield* check({ ...target, credentials: Redacted.make("other") }), { status: 401 })
      assert.isTrue(server.asked.every(({ method }) => method === "GET"))
    })
  )
})

describe("Salesforce", () => {
  const scene = Effect.map(SalesforceServer.make, (server) => ({
    server,
    target: {
      endpointId: "e",
      url: server.url,
      settings: salesforce,
      credentials: Redacted.make(JSON.stringify(SalesforceServer.credentials))
    } satisfies CrmTarget
  }))

  const counts = (server: Effect.Success<typeof SalesforceServer.make>) => [
    server.kept("Account").length,
    server.kept("Contact").length,
    server.kept("Opportunity").length
  ]

  test(
    "has the account, the people and the opportunity of a lead once, however often it is pushed (W9)",
    Effect.gen(function*() {
      const { server, target } = yield* scene
      for (const _ of [1, 2]) {
        assert.deepInclude(yield* push(target), { _tag: "Delivered", status: 200 })
        assert.deepStrictEqual(counts(server), [1, 4, 1])
        const [opportunity] = server.kept("Opportunity")
        assert.deepInclude(opportunity, {
          service_property_id__c: lead.propertyId,
          Name: "1 Sample Street",
          StageName: "Prospecting",
          CloseDate: "2026-01-31",
          Amount: 25_000
        })
        assert.deepStrictEqual(server.kept("Contact").map(({ LastName }) => LastName), [
          sam.last_name ?? sam.full_name,
          "Person 1",
          "Person 2",
          "Person 3"
        ])
        assert.isTrue(server.kept("Contact").every(({ AccountId }) => AccountId === opportunity.AccountId))
      }
      assert.lengthOf(server.asked.filter(({ path }) => path.startsWith("/services/oauth2")), 1)
    })
  )

  test(
    "gives who is there with the address our id, and nobody twice",
    Effect.gen(function*() {
      const { server, target } = yield* scene
      server.had("Contact", { Email: "O'Neil\\@owner.example", LastName: "O'Neil" })
      for (const _ of [1, 2]) {
        assert.strictEqual((yield* push(target))._tag, "Delivered")
        assert.deepStrictEqual(counts(server), [1, 4, 1])
      }
      assert.strictEqual(server.kept("Contact")[0]?.service_contact_id__c, lead.contacts[1]?.id)
    })
  )

  test(
    "is shown a new token when the one before has expired, by either flow",
    Effect.gen(function*() {
      const { server, target } = yield* scene
      const credentials = JSON.stringify({
        ...SalesforceServer.credentials,
        refresh_token: SalesforceServer.refreshToken
      })
      for (const each of [target, { ...target, credentials: Redacted.make(credentials) }]) {
        assert.strictEqual((yield* push(each))._tag, "Delivered")
        server.expireTokens()
        assert.strictEqual((yield* push(each))._tag, "Delivered")
      }
      assert.deepStrictEqual(counts(server), [1, 4, 1])
      const wrong = { ...SalesforceServer.credentials, client_secret: "other" }
      const refused = yield* push({ ...target, credentials: Redacted.make(JSON.stringify(wrong)) })
      assert.deepInclude(refused, { _tag: "Failed", status: 400 })
    })
  )

  test(
    "is left alone when its limit of requests is reached",
    Effect.gen(function*() {
      const { server, target } = yield* scene
      const limit = SalesforceServer.refusal(403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.")
      server.fail(at("/services/data", { ...limit, headers: { "Sforce-Limit-Info": "api-usage=100/100" } }))
      const before = yield* Clock.currentTimeMillis
      const outcome = yield* push(target)
      if (outcome._tag !== "Postponed") return assert.fail(outcome._tag)
      assert.isAtLeast(outcome.until, before + 900_000)
      assert.include(outcome.reason, "REQUEST_LIMIT_EXCEEDED")
    })
  )

  const duplicate = {
    status: 200,
    body: [{ success: false, errors: [{ statusCode: "DUPLICATES_DETECTED", message: "Use one of these records?" }] }]
  }
  const opportunities = "/services/data/v62.0/composite/sobjects/Opportunity"
  for (
    const [what, path, answer, said] of [
      ["a duplicate that a rule blocks", opportunities, duplicate, "DUPLICATES_DETECTED"],
      [
        "trouble of its own",
        opportunities,
        SalesforceServer.refusal(503, "SERVER_UNAVAILABLE", "away"),
        "503 SERVER_UNAVAILABLE"
      ],
      ["no answer", "/services/data", "reset", "cannot be reached"]
    ] as const
  ) {
    test(
      `fails with ${what}, and has all of it after the next attempt`,
      Effect.gen(function*() {
        const { server, target } = yield* scene
        server.fail(at(path, answer))
        const outcome = yield* push(target)
        if (outcome._tag !== "Failed") return assert.fail(outcome._tag)
        assert.include(outcome.reason, said)
        assert.strictEqual((yield* push(target))._tag, "Delivered")
        assert.deepStrictEqual(counts(server), [1, 4, 1])
      })
    )
  }

  test(
    "is checked without writing: the app, our fields, the stages",
    Effect.gen(function*() {
      const { server, target } = yield* scene
      assert.deepStrictEqual(yield* check(target), { _tag: "Delivered", status: 200 })
      const settings = { ...salesforce, stages: { qualified: "Other" } }
      assert.deepInclude(yield* check({ ...target, settings }), { reason: "Salesforce has no active stage Other" })
      assert.deepStrictEqual(counts(server), [0, 0, 0])
    })
  )
})

describe("any CRM", () => {
  it.live("is not asked at an address that is not public", () =>
    Effect.gen(function*() {
      const server = yield* HubSpotServer.make
      const target = { endpointId: "e", url: server.url, settings: hubSpot, credentials: Redacted.make("t") }
      assert.strictEqual((yield* push(target))._tag, "Blocked")
      assert.isEmpty(server.asked)
    }).pipe(Effect.provide(CrmPushers.layer({ policy: "public", timeout: "10 seconds" }))))
})

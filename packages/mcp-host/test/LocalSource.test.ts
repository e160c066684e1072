import { assert, describe, it } from "@effect/vitest"
import { OrgSuspended, OrgSuspensionUnavailable, Unauthenticated } from "@freehold/core/access/AccessRefusals"
import { Admission, type AdmissionRefusal } from "@freehold/core/access/Admission"
import type { CallerFacts } from "@freehold/core/access/Caller"
import { RateLimited } from "@freehold/core/rate/RateRefusals"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as LocalSource from "../src/LocalSource.ts"
import { tools } from "../src/Tools.ts"
import * as StubCatalogue from "./StubCatalogue.ts"

const key = Redacted.make("made-up-key")

/** One outcome a request, in order; the last one stays. */
const admissions = (...outcomes: ReadonlyArray<CallerFacts | AdmissionRefusal>) => {
  const requests: Array<string> = []
  const admission = Layer.mock(Admission, {
    admit: ({ authorization, requestId }) => {
      assert.strictEqual(authorization, "Bearer made-up-key")
      const outcome = outcomes[Math.min(requests.length, outcomes.length - 1)] ?? new Unauthenticated()
      requests.push(requestId)
      return "_tag" in outcome
        ? Effect.fail(outcome)
        : Effect.succeed({ caller: outcome, minute: { admitted: true, limit: 300, used: 1, resetsAt: 60_000 } })
    }
  })
  return {
    requests,
    layer: Layer.mergeAll(
      admission,
      SecureRandom.layerWebCrypto,
      StubCatalogue.answers
    )
  }
}

const limited = RateLimited.fromCount(
  "requests_per_minute",
  { admitted: false, limit: 300, used: 300, resetsAt: 60_000 },
  1_000
)

const balance = { name: "service_get_credit_balance", arguments: {} }

const names = (listed: object) =>
  "tools" in listed && Array.isArray(listed.tools)
    ? listed.tools.map(({ name }: { readonly name: string }) => name)
    : []

describe("LocalSource", () => {
  it.effect("admits every request by itself, each with a request id of its own", () => {
    const { layer, requests } = admissions(StubCatalogue.caller)
    return Effect.gen(function*() {
      const { ask } = yield* LocalSource.make(key)
      assert.deepStrictEqual(names(yield* ask("tools/list", {})), StubCatalogue.toolNames)
      assert.deepNestedInclude(yield* ask("tools/call", balance), { structuredContent: StubCatalogue.balance })
      yield* ask("tools/call", balance)
      assert.lengthOf(new Set(requests), 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("answers what admission refuses as a tool error with admission's code, and recovers", () =>
    Effect.gen(function*() {
      const { ask } = yield* LocalSource.make(key)
      assert.deepInclude(yield* ask("tools/call", balance), {
        content: [{ type: "text", text: "This organization is suspended. The operator of this service can help." }],
        isError: true,
        structuredContent: {
          code: "ORG_SUSPENDED",
          error: "This organization is suspended.",
          next: { ask: "operator" }
        }
      })
      assert.deepNestedInclude(yield* ask("tools/call", balance), { structuredContent: StubCatalogue.balance })
    }).pipe(Effect.provide(admissions(new OrgSuspended(), StubCatalogue.caller).layer)))

  it.effect("lists every tool before it is let in, so that the assistant stays and its calls are answered", () =>
    Effect.gen(function*() {
      const { ask } = yield* LocalSource.make(key)
      assert.lengthOf(names(yield* ask("tools/list", {})), tools.length)
      assert.deepNestedInclude(yield* ask("tools/call", balance), { "structuredContent.code": "rate_limited" })
      assert.deepNestedInclude(yield* ask("tools/call", balance), { structuredContent: StubCatalogue.balance })
    }).pipe(Effect.provide(admissions(limited, limited, StubCatalogue.caller).layer)))

  it.effect("says what to do next, in the words of a program that has its key from the environment", () =>
    Effect.gen(function*() {
      const refusedWith = (outcome: AdmissionRefusal) =>
        LocalSource.make(key).pipe(
          Effect.flatMap(({ ask }) => ask("tools/call", balance)),
          Effect.provide(admissions(outcome).layer, { local: true })
        )
      const unknown = yield* refusedWith(new Unauthenticated())
      assert.deepNestedInclude(unknown, { "structuredContent.next": { ask: "admin" } })
      assert.include(JSON.stringify(unknown), "FREEHOLD_API_KEY")
      assert.notInclude(JSON.stringify(unknown), "Authorization")
      assert.deepNestedInclude(yield* refusedWith(limited), {
        "structuredContent.next": { retry_after_seconds: 59 },
        "content[0].text": limited.message
      })
      assert.deepNestedInclude(yield* refusedWith(new OrgSuspensionUnavailable({ retryAfterSeconds: 5 })), {
        "structuredContent.next": { retry_after_seconds: 5 }
      })
    }))

  it.effect("refuses the calls of a key that is not known, lacks the scope, or is on a plan without assistants", () =>
    Effect.gen(function*() {
      for (
        const [outcome, code] of [
          [new Unauthenticated(), "UNAUTHENTICATED"],
          [{ ...StubCatalogue.caller, scopes: ["data:read" as const] }, "SCOPE_NOT_GRANTED"],
          [
            { ...StubCatalogue.caller, organization: { ...StubCatalogue.organization, plan: "team" as const } },
            "UPGRADE_REQUIRED"
          ]
        ] as const
      ) {
        const refused = yield* LocalSource.make(key).pipe(
          Effect.flatMap(({ ask }) => ask("tools/call", balance)),
          Effect.provide(admissions(outcome).layer, { local: true })
        )
        assert.deepNestedInclude(refused, { "structuredContent.code": code })
      }
    }))
})

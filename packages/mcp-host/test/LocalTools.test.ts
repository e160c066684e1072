import { assert, describe, it } from "@effect/vitest"
import { OrgSuspended, Unauthenticated } from "@freehold/core/access/AccessRefusals"
import { Admission, type AdmissionRefusal } from "@freehold/core/access/Admission"
import type { CallerFacts } from "@freehold/core/access/Caller"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as LocalTools from "../src/LocalTools.ts"
import { Toolbox } from "../src/Toolbox.ts"
import * as StubCatalogue from "./StubCatalogue.ts"

const key = Redacted.make("made-up-key")

/** One outcome a request, in order; the last one stays. */
const admissions = (...outcomes: ReadonlyArray<CallerFacts | AdmissionRefusal>) => {
  const requests: Array<string> = []
  const admission = Layer.succeed(
    Admission,
    Admission.of({
      admit: ({ authorization, requestId }) => {
        assert.strictEqual(authorization, "Bearer made-up-key")
        const outcome = outcomes[Math.min(requests.length, outcomes.length - 1)] ?? new Unauthenticated()
        requests.push(requestId)
        return "_tag" in outcome
          ? Effect.fail(outcome)
          : Effect.succeed({ caller: outcome, minute: { admitted: true, limit: 300, used: 1, resetsAt: 60_000 } })
      }
    })
  )
  return {
    requests,
    layer: Layer.mergeAll(
      admission,
      SecureRandom.layerWebCrypto,
      Toolbox.layer.pipe(Layer.provide(StubCatalogue.layer))
    )
  }
}

describe("LocalTools", () => {
  it.effect("admits every call by itself, each with a request id of its own", () => {
    const { layer, requests } = admissions(StubCatalogue.caller)
    return Effect.gen(function*() {
      const { call } = yield* LocalTools.make(key)
      assert.deepNestedInclude(yield* call("service_get_credit_balance", {}), {
        structuredContent: StubCatalogue.balance
      })
      yield* call("service_get_credit_balance", {})
      assert.lengthOf(new Set(requests), 3)
    }).pipe(Effect.provide(layer))
  })

  it.effect("answers what admission refuses as a tool error with admission's code, and recovers", () =>
    Effect.gen(function*() {
      const { call } = yield* LocalTools.make(key)
      assert.deepInclude(yield* call("service_get_credit_balance", {}), {
        isError: true,
        structuredContent: { code: "ORG_SUSPENDED", error: "This organization is suspended." }
      })
      assert.deepNestedInclude(yield* call("service_get_credit_balance", {}), {
        structuredContent: StubCatalogue.balance
      })
    }).pipe(
      Effect.provide(admissions(StubCatalogue.caller, new OrgSuspended(), StubCatalogue.caller).layer)
    ))

  it.effect("does not start with a key that is not let in", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* Effect.flip(LocalTools.make(key)))._tag, "UNAUTHENTICATED")
    }).pipe(Effect.provide(admissions(new Unauthenticated()).layer)))

  it.effect("does not start with a key that lacks the scope, or on a plan without assistants", () =>
    Effect.gen(function*() {
      for (
        const [facts, code] of [
          [{ ...StubCatalogue.caller, scopes: ["data:read" as const] }, "SCOPE_NOT_GRANTED"],
          [
            { ...StubCatalogue.caller, organization: { ...StubCatalogue.organization, plan: "team" as const } },
            "UPGRADE_REQUIRED"
          ]
        ] as const
      ) {
        const refused = yield* Effect.flip(LocalTools.make(key)).pipe(
          Effect.provide(admissions(facts).layer, { local: true })
        )
        assert.strictEqual(refused._tag, code)
      }
    }))
})

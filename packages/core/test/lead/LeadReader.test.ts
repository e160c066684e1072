/** What a lead's bundle answers while nobody can say who asked not to be listed. */
import { assert, describe, it } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { Ledger } from "@freehold/core/credit/Ledger"
import { BundleSource } from "@freehold/core/lead/BundleSource"
import { LeadFeed } from "@freehold/core/lead/LeadFeed"
import * as LeadReader from "@freehold/core/lead/LeadReader"
import { ServiceSettings } from "@freehold/core/operation/ServiceSettings"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { defaults } from "@freehold/core/organization/Organization"
import { Properties } from "@freehold/core/property/Properties"
import { keyOf } from "@freehold/core/testing/SampleCaller"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

const caller = keyOf(defaults("org_sample"))

/** The ledger is a mock that fails the test when it is asked for anything. */
const ports = Layer.mergeAll(
  Layer.mock(BundleSource, { read: () => Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 7 })) }),
  Layer.mock(LeadFeed, {}),
  Layer.mock(Ledger, {}),
  Layer.mock(Properties, {}),
  Layer.succeed(ServiceSettings, { appUrl: "https://app.example", feedDelayMillis: 0, webhookTargets: "public" }),
  SecureRandom.layerWebCrypto
)

describe("LeadReader", () => {
  it.effect("COMPLIANCE_CHECK_UNAVAILABLE: nothing is given out and nothing billed", () =>
    Effect.gen(function*() {
      const { bundle } = yield* LeadReader.make
      const refusal = yield* Effect.flip(bundle({ property_id: "00000000-0000-4000-8000-000000000001" }))
      assert.deepInclude(refusal, { _tag: "COMPLIANCE_CHECK_UNAVAILABLE", retryAfterSeconds: 7 })
    }).pipe(Effect.provide(ports), Effect.provideService(Caller, caller)))
})

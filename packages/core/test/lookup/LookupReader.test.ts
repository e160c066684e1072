/** What is said of a state of which nothing is recorded, and which counties come first. */
import { assert, it } from "@effect/vitest"
import { Caller, type KeyCaller } from "@freehold/core/access/Caller"
import type { CountyCount } from "@freehold/core/coverage/CountyCensus"
import * as LookupReader from "@freehold/core/lookup/LookupReader"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OperatorRequestsMemory from "@freehold/core/memory/request/OperatorRequestsMemory"
import { defaults } from "@freehold/core/organization/Organization"
import { member } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"

const caller: KeyCaller = {
  kind: "key",
  credentialId: "key_wide",
  keyName: "sample",
  label: "sample",
  scopes: [],
  organization: {
    ...defaults("org_wide"),
    serviceable_area: { whole_state_abbrs: ["WY"], county_fips: [] }
  },
  territory: null,
  requestId: "request"
}

const tess = member({
  memberId: "10000000-0000-4000-8000-000000000001",
  name: "Tess",
  email: "tess@people.example",
  territory: { county_fips: ["56045"] }
})

const noteOf = (state: string) =>
  Effect.gen(function*() {
    const { coverage, lookup } = yield* LookupReader.make(Effect.succeed([]))
    const { note } = yield* coverage({ state })
    assert.strictEqual((yield* lookup({ kind: "counties", state })).note, note)
    return note
  }).pipe(
    Effect.provideService(Caller, caller),
    Effect.provide(OperatorRequestsMemory.layer.pipe(Layer.provide(MemoryState.layer)))
  )

it.effect("of a state without records, counties are to be asked for only where the organization has not all of them", () =>
  Effect.gen(function*() {
    assert.strictEqual(
      yield* noteOf("TX"),
      "Nothing is recorded of TX yet. service_request_coverage asks for counties of it."
    )
    assert.strictEqual(yield* noteOf("WY"), "Nothing is recorded of WY yet.")
    assert.strictEqual(yield* noteOf("ZZ"), "No state has the abbreviation ZZ.")
  }))

/** A county with one property. */
const counted = (countyFips: string): CountyCount => ({
  countyFips,
  name: null,
  properties: 1,
  lastRefresh: null,
  sources: []
})

it.effect("the member's counties come before the organization's, those before all others", () =>
  Effect.gen(function*() {
    const { coverage } = yield* LookupReader.make(Effect.succeed(["48453", "56001", "56003", "56045"].map(counted)))
    const { counties } = yield* coverage({})
    assert.deepStrictEqual(counties.map(({ fips }) => fips), ["56045", "56001", "56003", "48453"])
  }).pipe(
    Effect.provideService(Caller, {
      ...caller,
      kind: "person",
      clientId: "sample",
      member: tess,
      territory: tess.territory
    }),
    Effect.provide(OperatorRequestsMemory.layer.pipe(Layer.provide(MemoryState.layer)))
  ))

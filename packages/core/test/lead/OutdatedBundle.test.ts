/** When a bundle that was built before is built anew. All data is made up. */
import { assert, layer } from "@effect/vitest"
import type { Contact } from "@freehold/core/contact/Contact"
import { BundleSource } from "@freehold/core/lead/BundleSource"
import { bundleOf } from "@freehold/core/lead/LeadBundles"
import { namesMore } from "@freehold/core/lead/OutdatedBundle"
import { defaults } from "@freehold/core/organization/Organization"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { contact, property, startOver, tie } from "@freehold/core/testing/Seed"
import { Effect, Option } from "effect"

const [place, jo] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"] as const
const organization = defaults("org_sample")

/** The bundle of a property of somebody who asked for that. */
const bundleWith = Effect.fnUntraced(function*(doNotContact: Contact["doNotContact"]) {
  yield* startOver({
    organizations: [organization],
    properties: [property({ id: place, countyFips: "53903" })],
    contacts: [contact({ id: jo, email: "jo@sample.example", doNotContact })],
    relationships: [tie(place, jo)]
  })
  const source = yield* BundleSource
  const facts = Option.getOrThrow(yield* source.read({ _tag: "Id", id: place }, organization.org_id))
  return bundleOf(facts, { organization, partial: false, appUrl: null, now: 0 })
})

layer(MemoryPorts.layer, { excludeTestServices: true })("a bundle that waits", (it) => {
  it.effect("is built anew when somebody of it asked meanwhile not to be mailed or called", () =>
    Effect.gen(function*() {
      const open = yield* bundleWith({ email: false, phone: false })
      const notMailed = yield* bundleWith({ email: true, phone: false })
      const notCalled = yield* bundleWith({ email: false, phone: true })
      for (
        const [before, now, isBuiltAnew] of [
          [open, open, false],
          [open, notMailed, true],
          [open, notCalled, true],
          [notMailed, notMailed, false],
          [notMailed, notCalled, true],
          [notMailed, open, false]
        ] as const
      ) assert.strictEqual(namesMore(JSON.stringify(before), now), isBuiltAnew)
    }))
})

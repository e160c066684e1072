/** A reading that a merge overtakes is told of the merge, and takes and pays for nothing. */
import { assert, describe, it } from "@effect/vitest"
import { Caller, type KeyCaller } from "@freehold/core/access/Caller"
import { Ledger } from "@freehold/core/credit/Ledger"
import { BundleSource } from "@freehold/core/lead/BundleSource"
import * as LeadReader from "@freehold/core/lead/LeadReader"
import { ofCaller, queryOf } from "@freehold/core/limit/Limits"
import * as PropertyMergesMemory from "@freehold/core/memory/property/PropertyMergesMemory"
import { lookAgain } from "@freehold/core/operation/TemporarilyUnavailable"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import { Properties } from "@freehold/core/property/Properties"
import { PropertyMerges } from "@freehold/core/property/PropertyMerges"
import * as PropertyReader from "@freehold/core/property/PropertyReader"
import type { PropertyRef } from "@freehold/core/property/PropertyRef"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { keyOf } from "@freehold/core/testing/SampleCaller"
import { property, startOver } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const [covered, open] = ["53903", "53905"]
const of = { covered: id(1), paid: id(2) } as const
const heir = id(3)

/** As many exports and records as the test says. */
const organization = (records: number): Organization => ({
  ...defaults("org_sample"),
  plan: "enterprise",
  serviceable_area: { whole_state_abbrs: [], county_fips: [covered, open] },
  entitlement: { nationwide: false, state_abbrs: [], county_fips: [covered] },
  export_allowance: { max_exports_per_month: 100, max_rows_per_month: 100 },
  daily_limits: { records_taken_per_day: { service: records } }
})

const research = {
  beneficialOwner: "Sample Family",
  beneficialOwnerType: "family_trust" as const,
  managementCompany: null,
  aiRationale: null,
  researchedAt: "2026-01-02T00:00:00.000Z",
  tier: "Standard" as const
}

const seeded = (records: number) =>
  startOver({
    organizations: [organization(records)],
    properties: [
      property({ id: of.covered, countyFips: covered, research }),
      property({ id: of.paid, countyFips: open, research }),
      property({ id: heir, countyFips: open })
    ],
    accesses: [{ orgId: "org_sample", kind: "property", id: of.paid, source: "paid" }]
  })

/** The ports, where each property that is read is merged as soon as it was. */
const ports = Layer.unwrap(Effect.gen(function*() {
  const { merge } = yield* PropertyMerges
  const source = yield* BundleSource
  const properties = yield* Properties
  const merged = (from: string) => Effect.orDie(merge({ from, into: heir, dryRun: false }))
  const after = <A, E>(read: Effect.Effect<A, E>, ref: PropertyRef) =>
    Effect.tap(read, () => ref._tag === "Id" ? merged(ref.id) : Effect.void)
  return Layer.mergeAll(
    Layer.succeed(BundleSource, { read: (ref, orgId) => after(source.read(ref, orgId), ref) }),
    Layer.succeed(Properties, {
      ...properties,
      read: (ref, orgId) => after(properties.read(ref, orgId), ref),
      readWithContacts: (ref, orgId) => after(properties.readWithContacts(ref, orgId), ref)
    })
  )
})).pipe(Layer.provideMerge(PropertyMergesMemory.layer), Layer.provideMerge(MemoryPorts.layer))

type Reading = (
  propertyId: string
) => Effect.Effect<
  void,
  { readonly _tag: string; readonly successorPropertyId?: string },
  Caller | Layer.Success<typeof ports>
>

const readings: Readonly<Record<string, Reading>> = {
  bundle: (propertyId) =>
    Effect.asVoid(Effect.flatMap(LeadReader.make, ({ bundle }) => bundle({ property_id: propertyId }))),
  record: (propertyId) =>
    Effect.asVoid(Effect.flatMap(PropertyReader.make, ({ readRecord }) => readRecord({ id: propertyId }))),
  page: (propertyId) =>
    Effect.asVoid(Effect.flatMap(PropertyReader.make, ({ readDetail }) => readDetail({ id: propertyId })))
}

const used = (caller: KeyCaller) =>
  Effect.map(
    Ledger.use((ledger) => ledger.usage("org_sample", queryOf(ofCaller(caller, 0)))),
    ({ byKind, today }) => ({ records: byKind.property, exports: today.lead_export.organization })
  )

describe("a property that is merged while it is read", () => {
  for (const [how, propertyId] of Object.entries(of)) {
    for (const [what, reading] of Object.entries(readings)) {
      // Where the day has no room left, the refusal of the limit is none of it.
      for (const records of [5, 0]) {
        it.effect(`${what}, ${how}, ${records} records a day: is told where it has gone`, () =>
          Effect.gen(function*() {
            const caller = keyOf(organization(records))
            yield* seeded(records)
            const refusal = yield* Effect.flip(
              Effect.provideService(lookAgain(reading(propertyId)), Caller, caller)
            )
            assert.deepInclude(refusal, { _tag: "PROPERTY_RETIRED", successorPropertyId: heir })
            assert.deepStrictEqual(yield* used(caller), { records: 0, exports: 0 })
          }).pipe(Effect.provide(ports)))
      }
    }
  }
})

/** What of a bundle that was delivered is told again: whoever is still listed, and nothing that was not in it. */
import { assert, describe, it } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { BundleSource } from "@freehold/core/lead/BundleSource"
import { bundleOf } from "@freehold/core/lead/LeadBundles"
import * as RepeatedBundle from "@freehold/core/lead/RepeatedBundle"
import * as PropertyMergesMemory from "@freehold/core/memory/property/PropertyMergesMemory"
import * as SuppressionsMemory from "@freehold/core/memory/suppression/SuppressionsMemory"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { defaults } from "@freehold/core/organization/Organization"
import { PropertyMerges } from "@freehold/core/property/PropertyMerges"
import { Suppressions, type SuppressionSubject } from "@freehold/core/suppression/Suppressions"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { keyOf } from "@freehold/core/testing/SampleCaller"
import { contact, firm, property, Seeder, startOver, tie } from "@freehold/core/testing/Seed"
import { Effect, Layer, Option } from "effect"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const [place, heir] = [id(1), id(2)]
const [jo, max, late] = [id(11), id(12), id(13)]
const organization = defaults("org_sample")

const seeded = startOver({
  organizations: [organization],
  properties: [
    property({
      id: place,
      countyFips: "53903",
      recordOwner: "Acme Holdings LLC",
      research: {
        beneficialOwner: "Sample Family",
        beneficialOwnerType: "family_trust",
        managementCompany: "Sample Management",
        aiRationale: "Acme Holdings LLC is of the family.",
        researchedAt: "2026-01-02T00:00:00.000Z",
        tier: "Standard"
      }
    }),
    property({ id: heir, countyFips: "53903", recordOwner: "Acme Holdings LLC" })
  ],
  firms: [firm({ id: id(21), name: "Acme Holdings LLC" }), firm({ id: id(22), name: "Sample Management" })],
  propertyFirms: [
    { propertyId: place, firmId: id(21), role: "owner", attributionType: "county_record" },
    { propertyId: place, firmId: id(22), role: "property_manager", attributionType: "management_research" }
  ],
  contacts: [jo, max, late].map((each) => contact({ id: each })),
  relationships: [jo, max].map((contactId) => tie(place, contactId))
})

const told = (kept: unknown) => Effect.provideService(RepeatedBundle.told(kept), Caller, keyOf(organization))

/** What was delivered, as it is kept. */
const delivered = Effect.gen(function*() {
  yield* seeded
  const facts = yield* BundleSource.use((source) => source.read({ _tag: "Id", id: place }, organization.org_id))
  return { bundle: bundleOf(Option.getOrThrow(facts), { organization, partial: false, appUrl: null, now: 0 }) }
})

const suppress = (subject: SuppressionSubject) => Suppressions.use((suppressions) => suppressions.suppress(subject))

const ports = Layer.mergeAll(PropertyMergesMemory.layer, SuppressionsMemory.layer).pipe(
  Layer.provideMerge(MemoryPorts.layer)
)

describe("a bundle that is told again", () => {
  it.effect("is the first one while all of them are listed, whoever has come meanwhile", () =>
    Effect.gen(function*() {
      const kept = yield* delivered
      yield* Seeder.use((seeder) => seeder.add({ relationships: [tie(place, late)] }))
      assert.deepStrictEqual(yield* told(kept), kept)
    }).pipe(Effect.provide(ports)))

  it.effect("leaves out a person who is not listed any more", () =>
    Effect.gen(function*() {
      const { bundle } = yield* delivered
      yield* suppress({ _tag: "Contact", named: jo })
      const contacts = bundle.contacts.filter(({ service_contact_id }) => service_contact_id === max)
      assert.lengthOf(contacts, 1)
      assert.deepStrictEqual(yield* told({ bundle }), { bundle: { ...bundle, contacts } })
    }).pipe(Effect.provide(ports)))

  it.effect("says who asked meanwhile not to be mailed or called", () =>
    Effect.gen(function*() {
      const kept = yield* delivered
      const wish = { email: true, phone: false }
      yield* Seeder.use((seeder) => seeder.add({ contacts: [contact({ id: jo, doNotContact: wish })] }))
      const contacts = kept.bundle.contacts.map((each) =>
        each.service_contact_id === jo ? { ...each, do_not_contact: wish } : each
      )
      assert.deepStrictEqual(yield* told(kept), { bundle: { ...kept.bundle, contacts } })
    }).pipe(Effect.provide(ports)))

  for (
    const [whose, subject, left] of [
      ["by name", { _tag: "Owner", name: "ACME Holdings, LLC" }, { beneficial_owner: "Sample Family" }],
      ["by property", { _tag: "Property", named: place }, { beneficial_owner: null }]
    ] as const
  ) {
    it.effect(`leaves out an owner who is not listed any more, ${whose}`, () =>
      Effect.gen(function*() {
        const { bundle } = yield* delivered
        yield* suppress(subject)
        const owner = { record_owner: null, ai_rationale: null, owner_withheld: true as const, ...left }
        assert.deepStrictEqual(yield* told({ bundle }), {
          bundle: {
            ...bundle,
            property: { ...bundle.property, ...owner },
            organizations: bundle.organizations.filter(({ role }) => role !== "owner")
          }
        })
      }).pipe(Effect.provide(ports)))
  }

  it.effect("goes by the survivor once its record was merged", () =>
    Effect.gen(function*() {
      const kept = yield* delivered
      yield* PropertyMerges.use(({ merge }) => merge({ from: place, into: heir, dryRun: false }))
      assert.deepStrictEqual(yield* told(kept), kept)
      yield* suppress({ _tag: "Contact", named: max })
      const contacts = kept.bundle.contacts.filter(({ service_contact_id }) => service_contact_id === jo)
      assert.deepStrictEqual(yield* told(kept), { bundle: { ...kept.bundle, contacts } })
    }).pipe(Effect.provide(ports)))

  it.effect("may be one that another version of the program has kept", () =>
    Effect.gen(function*() {
      const { bundle: { notes: _, ...bundle } } = yield* delivered
      const kept = { bundle: { ...bundle, more: 1, contacts: bundle.contacts.map((each) => ({ ...each, more: 2 })) } }
      assert.deepStrictEqual<unknown>(yield* told(kept), kept)
    }).pipe(Effect.provide(ports)))

  it.effect("COMPLIANCE_CHECK_UNAVAILABLE: while nobody can say who is listed, nothing is told", () =>
    Effect.gen(function*() {
      const kept = yield* delivered
      const away = BundleSource.of({ read: () => Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 7 })) })
      const refusal = yield* Effect.flip(Effect.provideService(told(kept), BundleSource, away))
      assert.deepInclude(refusal, { _tag: "COMPLIANCE_CHECK_UNAVAILABLE", retryAfterSeconds: 7 })
    }).pipe(Effect.provide(ports)))
})

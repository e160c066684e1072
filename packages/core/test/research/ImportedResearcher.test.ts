/** What is found in what was imported, and what an organization is told of it. */
import { assert, layer as suite } from "@effect/vitest"
import * as ContactsMemory from "@freehold/core/memory/contact/ContactsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PropertiesMemory from "@freehold/core/memory/property/PropertiesMemory"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import * as ImportedResearcher from "@freehold/core/research/ImportedResearcher"
import { Researcher } from "@freehold/core/research/Researcher"
import { type ResearchAction, Strategy } from "@freehold/core/research/ResearchRun"
import { contact, property, Seeder } from "@freehold/core/testing/Seed"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Effect, Layer, Schema } from "effect"

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const area = { whole_state_abbrs: [], county_fips: ["48113"] }

const organizations = {
  covered: {
    ...defaults("org_covered"),
    serviceable_area: area,
    entitlement: { nationwide: true, state_abbrs: [], county_fips: [] }
  },
  other: { ...defaults("org_other"), serviceable_area: area }
} satisfies Record<string, Organization>

/** As long as an import takes it. */
const long = "Sample ".repeat(71).trim()

const seed = Seeder.use((seeder) =>
  seeder.add({
    organizations: Object.values(organizations),
    properties: [
      property({
        id: id(1),
        countyFips: "48113",
        address: "1 Sample Street",
        city: "Quillgate",
        assetCategory: "Office",
        buildingSqft: 12_500,
        numFloors: 1,
        yearBuilt: 1984,
        research: {
          beneficialOwner: "Sample Holdings",
          beneficialOwnerType: null,
          managementCompany: "Sample Management",
          aiRationale: "A made-up rationale.",
          researchedAt: "2026-01-01T00:00:00.000Z",
          tier: "Standard"
        }
      }),
      property({ id: id(2), countyFips: "48113" }),
      property({ id: id(5), countyFips: "48113", address: "5 Sample Street", city: "Quillgate" }),
      property({
        id: id(7),
        countyFips: "48113",
        address: long,
        city: "Quillgate",
        research: {
          beneficialOwner: null,
          beneficialOwnerType: null,
          managementCompany: long,
          aiRationale: null,
          researchedAt: "2026-01-01T00:00:00.000Z",
          tier: "Standard"
        }
      })
    ],
    contacts: [
      contact({
        id: id(3),
        fullName: "Jo Sample",
        title: "Building Manager",
        roleType: "property_manager",
        employerName: "Sample Management",
        email: "jo@people.example",
        doNotContact: { email: true, phone: false }
      }),
      contact({ id: id(4) }),
      contact({ id: id(6), email: "gone@people.example", emailValidationStatus: "invalid" }),
      contact({ id: id(8), fullName: long, title: long, employerName: long })
    ],
    relationships: ([[1, 3], [5, 3], [1, 4], [7, 8]] as const).map(([place, n]) => ({
      propertyId: id(place),
      contactId: id(n),
      role: null,
      relationshipStatus: "current" as const,
      attributionType: "county_record"
    }))
  })
)

const ports = ImportedResearcher.layer.pipe(
  Layer.provide(Layer.merge(PropertiesMemory.layer, ContactsMemory.layer)),
  Layer.merge(Layer.effectDiscard(seed)),
  Layer.provide(SeederMemory.layer),
  Layer.provide(MemoryState.layer)
)

const research = (
  action: ResearchAction,
  subjectId: string,
  organization: Organization = organizations.covered,
  opened = true,
  propertyId = id(1)
) =>
  Researcher.use((researcher) =>
    researcher.research({
      jobId: id(9),
      runId: id(9),
      organization,
      action,
      actor: { kind: "key", id: null, name: null },
      subjectId,
      subjectKey: subjectId,
      property: { id: propertyId, key: propertyId },
      opened,
      wish: null,
      claim: 1,
      attempts: 0,
      overdue: false
    })
  )

suite(ports)("the imported researcher", (it) => {
  it.effect("finds the research of a property, and the email of a contact, where there is one", () =>
    Effect.gen(function*() {
      for (
        const [action, subject, expected] of [
          ["research_property", 1, "Nothing"],
          ["research_property", 2, "Nothing"],
          ["research_property", 9, "Nothing"],
          ["find_email", 3, "Found"],
          ["find_email", 4, "Nothing"],
          ["find_email", 6, "Nothing"],
          ["research_contact", 3, "Nothing"],
          ["research_organization", 5, "Nothing"],
          ["deep_research_contact", 4, "Nothing"]
        ] as const
      ) {
        assert.strictEqual((yield* research(action, id(subject)))._tag, expected, `${action} ${subject}`)
      }
    }))

  it.effect("finds the research of a property for whom the charge opened it, and nothing new for others", () =>
    Effect.gen(function*() {
      const first = (organization: Organization, opened: boolean) =>
        Effect.map(research("research_property", id(1), organization, opened), ({ _tag }) => _tag)
      assert.strictEqual(yield* first(organizations.other, true), "Found")
      assert.strictEqual(yield* first(organizations.other, false), "Nothing")
      assert.strictEqual(yield* first(organizations.covered, true), "Nothing")
    }))

  it.effect("works out a strategy from the facts, for an organization that may read them", () =>
    Effect.gen(function*() {
      const found = yield* research("deep_research_contact", id(3))
      assert(found._tag === "Found" && found.result?._tag === "Strategy")
      assert.deepStrictEqual(found.result.strategy, {
        summary: "Jo Sample, Building Manager at Sample Management, is a contact for 1 Sample Street, Quillgate.",
        approach: "Runs the building day to day. Be concrete about the building, and offer something small such as a " +
          "walk-through.",
        points: [
          "Office property, 12,500 sq ft, 1 floor, built in 1984.",
          "Managed by Sample Management.",
          "A made-up rationale.",
          "Asked not to be emailed."
        ]
      })
      assert.strictEqual((yield* research("deep_research_contact", id(3), organizations.other))._tag, "Nothing")
    }))

  it.effect("works out a strategy that can be kept, however long the facts are", () =>
    Effect.gen(function*() {
      const found = yield* research("deep_research_contact", id(8), organizations.covered, true, id(7))
      assert(found._tag === "Found" && found.result?._tag === "Strategy")
      assert.isTrue(Schema.is(Strategy)(found.result.strategy))
      assert.match(found.result.strategy.points.join(), /^Managed by Sample .*…$/)
    }))

  it.effect("works out a strategy about the property of the run, and no other one of the contact's", () =>
    Effect.gen(function*() {
      const about = (propertyId: string) =>
        research("deep_research_contact", id(3), organizations.covered, true, propertyId)
      const found = yield* about(id(5))
      assert(found._tag === "Found" && found.result?._tag === "Strategy")
      assert.include(found.result.strategy.summary, "5 Sample Street")
      assert.deepStrictEqual(found.result.strategy.points, ["Asked not to be emailed."])
      assert.strictEqual((yield* about(id(2)))._tag, "Nothing")
    }))
})

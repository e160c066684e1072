/** What every `PropertyMerges` must do to what the other ports answer. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option, Result } from "effect"
import * as Credits from "../credit/Credits.ts"
import { decideExport } from "../credit/ExportDecision.ts"
import { Ledger } from "../credit/Ledger.ts"
import { decide } from "../credit/LedgerDecision.ts"
import { CustomerAccounts } from "../customer/CustomerAccounts.ts"
import { BundleSource } from "../lead/BundleSource.ts"
import { limitsOf, queryOf } from "../limit/Limits.ts"
import { decideReading } from "../limit/Metering.ts"
import { Notes } from "../note/Notes.ts"
import { overtaken } from "../operation/TemporarilyUnavailable.ts"
import { monthStart } from "../operation/UtcTime.ts"
import { defaults } from "../organization/Organization.ts"
import type { Organizations } from "../organization/Organizations.ts"
import { Pipeline } from "../pipeline/Pipeline.ts"
import { Properties } from "../property/Properties.ts"
import { nothingMoved, PropertyMerges } from "../property/PropertyMerges.ts"
import { decideUnlock } from "../property/UnlockDecision.ts"
import { contact, firm, freshLead, member, property, type Seeder, startOver, tie } from "./Seed.ts"

type Ports =
  | BundleSource
  | CustomerAccounts
  | Ledger
  | Notes
  | Organizations
  | Pipeline
  | Properties
  | PropertyMerges
  | Seeder

const county = "53903"
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const [old, kept, last] = [id(1), id(2), id(3)]
const orgs = { alone: "org_alone", both: "org_both", covered: "org_covered", none: "org_none" }

const lead = (orgId: string, propertyId: string, status: "qualified" | "won", statusChangedAt: string) => ({
  orgId,
  propertyId,
  status,
  dealValue: 5,
  qualifiedAt: "2026-01-01T00:00:00.000Z",
  qualifiedBy: { kind: "member" as const, id: null, name: "Sample Member" },
  statusChangedAt,
  version: 1
})
const access = (orgId: string, propertyId: string, source: "paid" | "covered") => ({
  orgId,
  kind: "property" as const,
  id: propertyId,
  source
})
const note = (orgId: string, n: number, propertyId: string) => ({
  orgId,
  propertyId,
  id: id(n),
  content: `Note ${n}`,
  author: "Sample Member",
  createdAt: "2026-01-01T00:00:00.000Z"
})

const ample = { max_exports_per_month: 100, max_rows_per_month: 100 }

const author = { memberId: id(501), name: "Sample Member" }

const seed = {
  organizations: Object.values(orgs).map(defaults),
  members: [{ orgId: orgs.none, ...member({ memberId: author.memberId }) }],
  properties: [
    property({
      id: old,
      key: "old",
      countyFips: county,
      research: {
        beneficialOwner: "Sample Family",
        beneficialOwnerType: "family_trust",
        managementCompany: null,
        aiRationale: null,
        researchedAt: "2026-01-02T00:00:00.000Z",
        tier: "Standard"
      }
    }),
    property({ id: kept, key: "kept", countyFips: county }),
    property({ id: last, key: "last", countyFips: county })
  ],
  firms: [firm({ id: id(101) })],
  propertyFirms: [{ propertyId: old, firmId: id(101), role: "owner" as const, attributionType: "county_record" }],
  contacts: [contact({ id: id(201) }), contact({ id: id(202) })],
  relationships: [tie(old, id(201)), tie(old, id(202)), tie(kept, id(202))],
  accesses: [
    access(orgs.alone, old, "paid"),
    access(orgs.both, old, "paid"),
    access(orgs.both, kept, "paid"),
    access(orgs.covered, old, "paid"),
    access(orgs.covered, kept, "covered")
  ],
  leads: [
    lead(orgs.alone, old, "qualified", "2026-01-01T00:00:00.000Z"),
    lead(orgs.both, old, "won", "2026-03-01T00:00:00.000Z"),
    lead(orgs.both, kept, "qualified", "2026-02-01T00:00:00.000Z"),
    lead(orgs.covered, old, "won", "2026-01-01T00:00:00.000Z"),
    lead(orgs.covered, kept, "qualified", "2026-02-01T00:00:00.000Z")
  ],
  notes: [note(orgs.alone, 301, old), note(orgs.alone, 302, kept)],
  customers: [
    { orgId: orgs.alone, propertyId: old, status: "active" as const },
    { orgId: orgs.both, propertyId: old, status: "active" as const },
    { orgId: orgs.both, propertyId: kept, status: "churned" as const }
  ],
  lists: [
    { orgId: orgs.alone, id: id(401), propertyIds: [old] },
    { orgId: orgs.both, id: id(402), propertyIds: [old, kept] }
  ]
}

const merge = (from: string, into: string, dryRun = false) =>
  PropertyMerges.use((merges) => merges.merge({ from, into, dryRun }))

/** `layer` is a store of its own. */
export const propertyMergesContract = <E>(name: string, layer: Layer.Layer<Ports, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`PropertyMerges: ${name}`, (it) => {
    const seeded = Effect.gen(function*() {
      yield* startOver(seed)
    })
    const bundle = (propertyId: string, orgId: string) =>
      BundleSource.use((source) => source.read({ _tag: "Id", id: propertyId }, orgId)).pipe(
        Effect.map(Option.getOrThrow)
      )
    const standing = (propertyId: string, orgId: string) =>
      Properties.use((properties) => properties.standing({ _tag: "Id", id: propertyId }, orgId)).pipe(
        Effect.map(Option.getOrThrow)
      )

    it.effect("everything that is kept about the record moves to the survivor", () =>
      Effect.gen(function*() {
        yield* seeded
        const { moved, ...told } = yield* merge("old", kept)
        assert.deepStrictEqual(told, {
          outcome: "merged",
          from: { id: old, key: "old" },
          into: { id: kept, key: "kept" }
        })
        assert.deepStrictEqual(moved, {
          ...nothingMoved,
          contacts: 1,
          firms: 1,
          research: 1,
          accesses: 3,
          paid_twice: 1,
          list_items: 1,
          leads: 2,
          leads_resting: 2,
          notes: 1,
          customer_accounts: 2
        })
        assert.deepInclude(yield* standing(old, orgs.none), { retiredInto: kept, access: null })
        for (const org of [orgs.alone, orgs.both, orgs.covered]) {
          assert.strictEqual((yield* standing(kept, org)).access, "paid", org)
        }
        assert.isNull((yield* standing(kept, orgs.none)).access)

        const alone = yield* bundle(kept, orgs.alone)
        assert.deepStrictEqual(alone.contacts.map((each) => each.id), [id(201), id(202)])
        assert.strictEqual(alone.property.contactCounts.contacts, 2)
        assert.strictEqual(alone.property.research?.beneficialOwner, "Sample Family")
        assert.strictEqual(alone.property.enrichmentStatus, "complete")
        // By which searches know that there is research.
        assert.strictEqual(alone.property.lastEnrichedAt, "2026-01-02T00:00:00.000Z")
        assert.deepStrictEqual(alone.firms.map((each) => each.id), [id(101)])
        assert.deepStrictEqual(alone.notes.map((each) => each.id).toSorted(), [id(301), id(302)])
        assert.deepInclude(alone.lead, { propertyId: kept, status: "qualified" })
        assert.strictEqual(alone.customerAccountStatus, "active")
        const both = yield* bundle(kept, orgs.both)
        assert.deepInclude(both.lead, { propertyId: kept, status: "won" })
        assert.strictEqual(both.customerAccountStatus, "active")
        assert.deepInclude((yield* bundle(kept, orgs.covered)).lead, { status: "qualified" })
        assert.isNull((yield* bundle(old, orgs.alone)).lead)
      }))

    it.effect("after two merges the successor is the last survivor; merging again changes nothing", () =>
      Effect.gen(function*() {
        yield* seeded
        yield* merge(old, kept)
        yield* merge("kept", "last")
        assert.strictEqual((yield* standing(old, orgs.none)).retiredInto, last)
        assert.strictEqual((yield* standing(kept, orgs.none)).retiredInto, last)
        assert.strictEqual((yield* standing(last, orgs.both)).access, "paid")
        assert.deepInclude(yield* merge(old, last), { outcome: "unchanged", moved: nothingMoved })
        assert.deepInclude(yield* merge(old, kept), { outcome: "unchanged", into: { id: last, key: "last" } })
      }))

    it.effect("of two charges for one property, the access stands until both are refunded, in either order", () =>
      Effect.gen(function*() {
        const refund = Effect.fnUntraced(function*(propertyId: string) {
          const entries = yield* Ledger.use((ledger) => ledger.entries(orgs.both, { after: 0, limit: 10 }))
          const charge = entries.find((each) => each.kind === "charge" && each.subject_id === propertyId)
          const credits = yield* Credits.make
          yield* credits.refund({
            orgId: orgs.both,
            entry: charge?.entry ?? 0,
            actor: { kind: "operator", id: null, name: null }
          })
        })
        for (const [first, second] of [[kept, old], [old, kept]] as const) {
          yield* seeded
          yield* merge(old, kept)
          yield* merge(kept, last)
          yield* refund(first)
          assert.strictEqual((yield* standing(last, orgs.both)).access, "paid", first)
          yield* refund(second)
          assert.isNull((yield* standing(last, orgs.both)).access, first)
        }
      }))

    it.effect("nothing new is kept about a retired record: who looked at it before is told to look again", () =>
      Effect.gen(function*() {
        yield* seeded
        yield* merge(old, kept)
        const now = Date.parse("2026-04-01T00:00:00.000Z")
        const actor = { kind: "member", id: author.memberId, name: author.name } as const
        const orgId = orgs.none
        const limits = limitsOf(
          { ...defaults(orgId), daily_limits: { records_taken_per_day: { service: 5 } } },
          null,
          now
        )
        const taken = { covered: [], whole: true, records: [{ kind: "property" as const, id: old }] }
        const usage = queryOf(limits, { records: taken.records })
        const late = {
          reading: Ledger.use((ledger) =>
            ledger.transact(
              { orgId, subject: { _tag: "Property", propertyId: old }, exclusive: false, now, usage },
              (snapshot) =>
                Result.map(
                  decideReading(limits, snapshot.usage, taken),
                  (reading) => decide(reading, { counted: reading.counted })
                )
            )
          ),
          bundle: Ledger.use((ledger) =>
            ledger.transact(
              {
                orgId,
                subject: { _tag: "Exports", monthStart: monthStart(now), propertyId: old },
                exclusive: false,
                now,
                usage
              },
              (snapshot) =>
                decideExport(
                  { ...snapshot, organization: { ...snapshot.organization, export_allowance: ample } },
                  { propertyId: old, covered: true, records: taken.records, limits, actor, requestId: null, now }
                )
            )
          ),
          unlock: Ledger.use((ledger) =>
            ledger.transact(
              { orgId, subject: { _tag: "Property", propertyId: old }, exclusive: true, now },
              (snapshot) =>
                decideUnlock(snapshot, {
                  propertyId: old,
                  covered: true,
                  researched: true,
                  price: 10,
                  actor,
                  requestId: null,
                  now
                })
            )
          ),
          note: Notes.use((notes) =>
            notes.add({
              orgId,
              id: id(502),
              propertyId: old,
              content: "Late.",
              author,
              most: 1000,
              now
            })
          ),
          customer: CustomerAccounts.use((customers) =>
            customers.sync(orgId, [{ propertyId: old, status: "active", eventId: id(503) }], { byAgent: false, now })
          ),
          lead: Pipeline.use((pipeline) =>
            pipeline.change({
              orgId,
              propertyId: old,
              expected: 0,
              move: { from: null, to: { status: "qualified", dealValue: 5, ...freshLead }, note: null },
              customerStatus: null,
              actor,
              owner: null,
              eventId: id(504),
              partial: true,
              now
            })
          )
        }
        for (const [what, write] of Object.entries(late)) {
          assert.deepStrictEqual(yield* Effect.flip<unknown, unknown, Ports>(write), overtaken, what)
        }
        assert.deepInclude(yield* standing(kept, orgId), { access: null })
        const used = yield* Ledger.use((ledger) => ledger.usage(orgId, usage))
        assert.deepInclude(used, { freshRecords: taken.records, byKind: { property: 0, organization: 0, contact: 0 } })
        assert.strictEqual(used.today.lead_export.organization, 0)
        const untouched = yield* bundle(kept, orgId)
        assert.deepInclude(untouched, { lead: null, notes: [], customerAccountStatus: null })
      }))

    it.effect("a dry run tells what would be moved, and moves nothing", () =>
      Effect.gen(function*() {
        yield* seeded
        const told = yield* merge(old, kept, true)
        assert.isNull((yield* standing(old, orgs.alone)).retiredInto)
        assert.deepInclude((yield* bundle(old, orgs.alone)).lead, { propertyId: old })
        assert.deepStrictEqual(yield* merge(old, kept), told)
      }))

    it.effect("what is not there, is itself, or went elsewhere is refused", () =>
      Effect.gen(function*() {
        yield* seeded
        const refused = (from: string, into: string) =>
          Effect.map(
            Effect.flip(merge(from, into)),
            (error) => error._tag === "MergeRefused" ? error.reason : error._tag
          )
        assert.strictEqual(yield* refused("nowhere", kept), "unknown_from")
        assert.strictEqual(yield* refused(old, "nowhere"), "unknown_into")
        assert.strictEqual(yield* refused(old, "old"), "same")
        yield* merge(old, kept)
        assert.strictEqual(yield* refused(kept, old), "same")
        assert.strictEqual(yield* refused(old, last), "merged_elsewhere")
      }))
  })
}

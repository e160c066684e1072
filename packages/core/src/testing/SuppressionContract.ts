/** What every `Suppressions` must do to what the other ports answer. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { Contacts } from "../contact/Contacts.ts"
import type { Viewer } from "../coverage/Viewer.ts"
import { BundleSource } from "../lead/BundleSource.ts"
import { listBounds } from "../list/List.ts"
import { Lists } from "../list/Lists.ts"
import { defaults } from "../organization/Organization.ts"
import { Properties } from "../property/Properties.ts"
import { PropertyMerges } from "../property/PropertyMerges.ts"
import { type Condition, PropertySearch, type Sort } from "../property/PropertySearch.ts"
import { type Suppression, Suppressions, type SuppressionSubject } from "../suppression/Suppressions.ts"
import { contact, firm, property, type Seeder, startOver } from "./Seed.ts"

type Ports = BundleSource | Contacts | Lists | Properties | PropertyMerges | PropertySearch | Seeder | Suppressions

const orgId = "org_suppression"
const county = "53903"
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const person = id(201)

const owned = (n: number, recordOwner: string | null, more: Partial<Parameters<typeof property>[0]> = {}) =>
  property({ id: id(n), key: `sample ${n}`, countyFips: county, address: `${n} Elm`, recordOwner, ...more })

const seed = {
  organizations: [defaults(orgId)],
  properties: [
    owned(1, "ACME HOLDINGS, L.L.C.", {
      ownerName: "Somebody Else",
      ownerNameRaw: "SOMEBODY ELSE",
      ownerName2: "A Second",
      ownerMailingAddress: { line1: "PO Box 1", city: null, state: "TX", zip: null }
    }),
    owned(2, "Acme"),
    owned(3, null, { ownerName2: "acme  holdings llc" }),
    owned(4, "Zebra", {
      research: {
        beneficialOwner: "Acme Holdings LLC",
        beneficialOwnerType: "private_company",
        managementCompany: "Sample Managers",
        aiRationale: "Because.",
        researchedAt: "2026-01-01T00:00:00.000Z",
        tier: "Standard"
      }
    })
  ],
  firms: [firm({ id: id(101), name: "Acme Holdings LLC" }), firm({ id: id(102), name: "Sample Managers" })],
  propertyFirms: [
    { propertyId: id(1), firmId: id(101), role: "owner", attributionType: "county_record" },
    { propertyId: id(1), firmId: id(102), role: "property_manager", attributionType: "management_research" }
  ],
  contacts: [
    contact({ id: person, fullName: "Ada Sample", email: "ada@sample.example", phone: "+15550100", firmId: id(102) }),
    contact({ id: id(202), fullName: "Bob Sample", email: "bob@sample.example" })
  ],
  relationships: [1, 2].flatMap((n) =>
    [person, id(202)].map((contactId) => ({
      propertyId: id(n),
      contactId,
      role: "executive" as const,
      relationshipStatus: "current" as const,
      attributionType: "web"
    }))
  ),
  accesses: [{ orgId, kind: "contact", id: person, source: "paid" }]
} as const

const everywhere = { nationwide: true, stateFips: [], countyFips: [] }
const viewer: Viewer = { orgId, visible: everywhere, covered: everywhere }
const inCounty: Condition = { _tag: "Counties", countyFips: [county] }
const byContacts: Sort = { column: "contactCount", direction: "desc" }

const owner = (name: string): SuppressionSubject => ({ _tag: "Owner", name })
const contactSubject: SuppressionSubject = { _tag: "Contact", named: person }
const propertySubject: SuppressionSubject = { _tag: "Property", named: "sample 2" }

const numbersOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map((row) => Number(row.id.slice(-3)))

/** `layer` is a store of its own. */
export const suppressionContract = <E>(name: string, layer: Layer.Layer<Ports, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`Suppressions: ${name}`, (it) => {
    const seeded = Effect.gen(function*() {
      yield* startOver(seed)
      return yield* Suppressions
    })
    const read = (n: number) =>
      Properties.use((properties) => properties.readWithContacts({ _tag: "Id", id: id(n) }, orgId)).pipe(
        Effect.map(Option.getOrThrow)
      )
    const bundle = (n: number) =>
      BundleSource.use((source) => source.read({ _tag: "Id", id: id(n) }, orgId)).pipe(Effect.map(Option.getOrThrow))
    const search = (conditions: ReadonlyArray<Condition>, sort = byContacts) =>
      PropertySearch.use((port) =>
        port.byLocation({
          viewer,
          conditions: [inCounty, ...conditions],
          sort,
          after: null,
          offset: 0,
          limit: 10,
          full: true
        })
      )
    const say = (words: ReadonlyArray<string>) =>
      PropertySearch.use((port) =>
        port.byText({
          viewer,
          words,
          spellings: [],
          withNames: true,
          sort: byContacts,
          after: null,
          limit: 10,
          full: true
        })
      )

    it.effect("a suppressed person is attached to nothing and counted nowhere, though paid for", () =>
      Effect.gen(function*() {
        const suppressions = yield* seeded
        const before = yield* read(1)
        assert.strictEqual(before.contacts.length, 2)
        const done = Option.getOrThrow(yield* suppressions.suppress(contactSubject))
        assert.deepStrictEqual([done.outcome, done.properties, done.suppression.id], ["created", 2, person])

        const { contacts, property: shown } = yield* read(1)
        assert.deepStrictEqual(numbersOf(contacts), [202])
        assert.deepStrictEqual(shown.contactCounts, {
          contacts: 1,
          withEmail: 1,
          withPhone: 0,
          withLinkedin: 0,
          roleTypes: []
        })
        assert.deepStrictEqual(numbersOf((yield* bundle(1)).contacts), [202])
        const standing = yield* Contacts.use((port) => port.read(person, orgId))
        assert.deepStrictEqual(Option.map(standing, ({ relationships }) => relationships), Option.some([]))
        const phones = yield* search([{ _tag: "HasContact", which: "phone", value: true }])
        assert.deepStrictEqual([phones.total, phones.rows.length], [0, 0])
        const counted = yield* search([{ _tag: "Range", field: "contactCount", min: 2, max: null, orUnknown: false }])
        assert.strictEqual(counted.total, 0)

        assert.strictEqual(Option.getOrThrow(yield* suppressions.suppress(contactSubject)).outcome, "unchanged")
        assert.strictEqual(Option.getOrThrow(yield* suppressions.lift(contactSubject)).outcome, "lifted")
        assert.deepStrictEqual(yield* read(1), before)
      }))

    it.effect("a suppressed person is on no list, in its items as in its count, until it is lifted", () =>
      Effect.gen(function*() {
        const suppressions = yield* seeded
        const lists = yield* Lists
        const listId = id(901)
        yield* lists.create({
          orgId,
          id: listId,
          name: "People",
          type: "contacts",
          visibility: "team",
          sharedWith: [],
          owner: { memberId: null, name: "sample key" },
          onClash: "allow",
          bounds: listBounds,
          now: 1_780_000_000_000
        })
        const of = { orgId, reader: null, listId, visible: everywhere }
        yield* lists.add({ ...of, itemIds: [person, id(202)], bounds: listBounds, now: 1_780_000_000_000 })
        const told = Effect.gen(function*() {
          const { items, total } = Option.getOrThrow(
            yield* lists.items({ ...of, after: null, limit: 9, offset: 0 })
          )
          const counts = yield* lists.counts({ orgId, listIds: [listId], visible: everywhere })
          return { items: numbersOf(items), total, count: counts.get(listId) }
        })
        assert.deepStrictEqual(yield* told, { items: [201, 202], total: 2, count: 2 })
        yield* suppressions.suppress(contactSubject)
        assert.deepStrictEqual(yield* told, { items: [202], total: 1, count: 1 })
        yield* suppressions.lift(contactSubject)
        assert.deepStrictEqual(yield* told, { items: [201, 202], total: 2, count: 2 })
      }))

    it.effect("a suppressed owner stands in no field, free text, filter, sort or bundle; other names stay", () =>
      Effect.gen(function*() {
        const suppressions = yield* seeded
        const before = yield* Effect.forEach([1, 2, 3, 4], read)
        const done = Option.getOrThrow(yield* suppressions.suppress(owner("acme holdings llc")))
        assert.deepStrictEqual(
          [done.outcome, done.properties, done.suppression.name],
          ["created", 3, "acme holdings llc"]
        )

        const first = (yield* read(1)).property
        assert.deepStrictEqual(
          [
            first.recordOwner,
            first.ownerName,
            first.ownerNameRaw,
            first.ownerName2,
            first.ownerMailingAddress,
            first.primaryOrganizationId,
            first.ownerWithheld
          ],
          [null, null, null, null, null, null, true]
        )
        assert.strictEqual((yield* read(2)).property.recordOwner, "Acme")
        assert.isFalse((yield* read(2)).property.ownerWithheld)
        assert.isTrue((yield* read(3)).property.ownerWithheld)
        const fourth = (yield* read(4)).property
        assert.deepStrictEqual(
          [fourth.recordOwner, fourth.ownerWithheld, fourth.beneficialOwnerWithheld, fourth.hasBeneficialOwner],
          ["Zebra", false, true, false]
        )
        assert.isNull(fourth.research?.beneficialOwner)
        assert.deepStrictEqual((yield* bundle(1)).firms.map(({ id }) => id), [id(102)])

        assert.deepStrictEqual(numbersOf((yield* say(["acme"])).rows), [2])
        assert.deepStrictEqual(numbersOf((yield* say(["somebody"])).rows), [])
        const named = yield* search([{ _tag: "Contains", field: "ownerName", text: "some", orUnknown: false }])
        assert.strictEqual(named.total, 0)
        const firms = yield* search([{ _tag: "Firm", firmId: id(101), role: null }])
        assert.strictEqual(firms.total, 0)
        const sorted = yield* search([], { column: "recordOwner", direction: "asc" })
        assert.deepStrictEqual(numbersOf(sorted.rows), [2, 4, 1, 3])

        assert.strictEqual(Option.getOrThrow(yield* suppressions.lift(owner("ACME Holdings L.L.C."))).properties, 3)
        assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3, 4], read), before)
      }))

    it.effect("the owner of one property is withheld there alone", () =>
      Effect.gen(function*() {
        const suppressions = yield* seeded
        const done = Option.getOrThrow(yield* suppressions.suppress(propertySubject))
        assert.deepStrictEqual([done.suppression.key, done.properties], ["sample 2", 1])
        assert.deepStrictEqual(
          [(yield* read(2)).property.recordOwner, (yield* read(2)).property.ownerWithheld],
          [null, true]
        )
        assert.strictEqual((yield* read(1)).property.recordOwner, "ACME HOLDINGS, L.L.C.")
        yield* suppressions.lift(propertySubject)
        assert.strictEqual((yield* read(2)).property.recordOwner, "Acme")
      }))

    const merge = (from: number, into: number) =>
      PropertyMerges.use((merges) => merges.merge({ from: id(from), into: id(into), dryRun: false }))

    it.effect("what is merged into such a property tells of no owner either", () =>
      Effect.gen(function*() {
        const suppressions = yield* seeded
        yield* suppressions.suppress(propertySubject)
        yield* merge(4, 2)
        assert.isNull((yield* read(2)).property.research?.beneficialOwner)
        assert.strictEqual((yield* read(2)).property.research?.managementCompany, "Sample Managers")
        yield* suppressions.lift(propertySubject)
        assert.strictEqual((yield* read(2)).property.research?.beneficialOwner, "Acme Holdings LLC")
      }))

    it.effect("a record that was merged stands for its survivor, suppressed and lifted", () =>
      Effect.gen(function*() {
        const suppressions = yield* seeded
        yield* merge(4, 2)
        const retired: SuppressionSubject = { _tag: "Property", named: "sample 4" }
        const done = Option.getOrThrow(yield* suppressions.suppress(retired))
        assert.deepStrictEqual([done.outcome, done.suppression.key], ["created", "sample 2"])
        assert.isNull((yield* read(2)).property.recordOwner)
        assert.strictEqual(Option.getOrThrow(yield* suppressions.suppress(propertySubject)).outcome, "unchanged")
        yield* suppressions.lift(retired)
        assert.strictEqual((yield* read(2)).property.recordOwner, "Acme")
        assert.isEmpty(yield* suppressions.list)
      }))

    it.effect("who was suppressed before a merge is lifted after it by either name", () =>
      Effect.gen(function*() {
        const suppressions = yield* seeded
        const first: SuppressionSubject = { _tag: "Property", named: "sample 1" }
        yield* suppressions.suppress(first)
        yield* merge(1, 2)
        assert.isNull((yield* read(2)).property.recordOwner)
        yield* suppressions.lift(first)
        assert.isEmpty(yield* suppressions.list)
        assert.strictEqual((yield* read(2)).property.recordOwner, "Acme")
      }))

    it.effect("what research says is not told while it names somebody suppressed, and is gone with who is erased", () =>
      Effect.gen(function*() {
        const research = {
          beneficialOwner: null,
          beneficialOwnerType: null,
          managementCompany: "Sample Managers",
          researchedAt: "2026-01-01T00:00:00.000Z",
          tier: "Standard" as const
        }
        const suppressions = yield* seeded
        yield* startOver({
          ...seed,
          properties: ["Ada B. Sample's word.", "Bob Sample's word.", "By the Elm Trust, of old.", null].map((
            aiRationale,
            n
          ) => owned(n + 1, "Zebra", { research: { ...research, aiRationale } }))
        })
        const told = Effect.map(
          Effect.forEach([1, 2, 3, 4], (n) => Effect.zip(read(n), bundle(n))),
          (all) =>
            all.flatMap(([{ property }, facts]) => {
              assert.deepStrictEqual(facts.property.research, property.research)
              return [property.research?.aiRationale ?? null]
            })
        )
        const before = yield* told
        yield* suppressions.suppress(contactSubject)
        yield* suppressions.suppress(owner("ELM TRUST"))
        assert.deepStrictEqual(yield* told, [null, "Bob Sample's word.", null, null])
        yield* suppressions.lift(contactSubject)
        yield* suppressions.lift(owner("elm trust"))
        assert.deepStrictEqual(yield* told, before)

        yield* suppressions.erase(person)
        yield* suppressions.erase(person)
        assert.deepStrictEqual(yield* told, [null, ...before.slice(1)])
      }))

    it.effect("who is erased stays suppressed, and is not found again by what they were called", () =>
      Effect.gen(function*() {
        const suppressions = yield* seeded
        assert.deepStrictEqual(yield* suppressions.erase("ADA@sample.example"), [person])
        assert.deepStrictEqual((yield* suppressions.list).map(({ id }) => id), [person])
        const contacts = yield* Contacts
        assert.isFalse(
          Option.exists(yield* contacts.read(person, orgId), ({ contact }) => contact.fullName !== "(erased)")
        )
        assert.deepStrictEqual(yield* suppressions.erase("ada@sample.example"), [])
        assert.deepStrictEqual(yield* suppressions.erase("nobody@sample.example"), [])
        // By the id, it may be asked for again.
        assert.deepStrictEqual(yield* suppressions.erase(person), [person])
      }))

    it.effect("suppressions are listed; what is unknown is neither suppressed nor lifted", () =>
      Effect.gen(function*() {
        const suppressions = yield* seeded
        yield* suppressions.suppress(owner("Zebra"))
        yield* suppressions.suppress(contactSubject)
        yield* suppressions.suppress(propertySubject)
        const told = ({ id, kind, name }: Suppression) => [kind, id, name]
        const listed = (yield* suppressions.list).map(told)
        assert.sameDeepMembers(listed, [
          ["owner", null, "Zebra"],
          ["contact", person, null],
          ["property", id(2), null]
        ])
        const nobody: SuppressionSubject = { _tag: "Contact", named: id(999) }
        assert.isTrue(Option.isNone(yield* suppressions.suppress(nobody)))
        assert.isTrue(Option.isNone(yield* suppressions.lift(owner("Nobody"))))
      }))
  })
}

/**
 * What every `FindingGround` must do: tell what is known, and nothing of those who asked not to be listed.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { FindingGround, type FoundPerson } from "../research/FindingGround.ts"
import { Suppressions } from "../suppression/Suppressions.ts"
import { contact, firm, property, Seeder } from "./Seed.ts"

const county = "48990"

let made = 0
const uuid = () => `00000000-0000-4000-a000-${String(++made).padStart(12, "0")}`

/** A property with an owner, a manager and a tenant, and a person of the manager. */
const arrange = Effect.gen(function*() {
  const ids = { place: uuid(), other: uuid(), owner: uuid(), manager: uuid(), tenant: uuid(), person: uuid() }
  const domain = `birch${made}.example`
  const person = {
    id: ids.person,
    fullName: `Ann Quill ${made}`,
    title: "Engineer",
    firmId: ids.manager,
    email: `ann@${domain}`,
    doNotContact: { email: false, phone: true }
  }
  yield* Seeder.use((seeder) =>
    seeder.add({
      properties: [
        property({
          id: ids.place,
          countyFips: county,
          address: "12 Nonesuch Lane",
          commonName: "Sample Tower",
          recordOwner: `Sample Owner ${made}`,
          ownerName2: "Second Sample",
          research: {
            beneficialOwner: "Oak Sample",
            beneficialOwnerType: null,
            managementCompany: "Birch Sample",
            aiRationale: null,
            researchedAt: "2026-01-01T00:00:00.000Z",
            tier: "Standard"
          }
        }),
        property({ id: ids.other, countyFips: county })
      ],
      firms: [
        firm({ id: ids.tenant }),
        firm({ id: ids.manager, name: "Birch Sample", domain, websiteUrl: `https://${domain}`, phone: "509-555-0100" }),
        firm({ id: ids.owner })
      ],
      propertyFirms: [
        { propertyId: ids.place, firmId: ids.tenant, role: "tenant", attributionType: "county_record" },
        { propertyId: ids.place, firmId: ids.manager, role: "property_manager", attributionType: "county_record" },
        { propertyId: ids.place, firmId: ids.owner, role: "owner", attributionType: "county_record" },
        { propertyId: ids.other, firmId: ids.manager, role: "operator", attributionType: "county_record" }
      ],
      contacts: [contact(person)],
      relationships: [{
        propertyId: ids.place,
        contactId: ids.person,
        role: "chief_engineer",
        relationshipStatus: "current",
        attributionType: "web"
      }]
    })
  )
  return { ids, domain, person }
})

const groundOf = (action: "research_property" | "research_contact" | "research_organization", subjectId: string) =>
  FindingGround.use((grounds) => grounds.of({ action, subjectId }))

/** How each is known, in a word: the id of a record, `New` or `Barred`. */
const knownFor = (personId: string | null, people: ReadonlyArray<FoundPerson>) =>
  Effect.map(
    FindingGround.use((grounds) => grounds.acquaintances(people, personId)),
    (found) => found.map((each) => each._tag === "Known" ? each.id : each._tag)
  )

const known = (...people: ReadonlyArray<FoundPerson>) => knownFor(null, people)

/** The suite for an adapter of `FindingGround`. */
export const findingGroundContract = <E>(
  name: string,
  adapters: Layer.Layer<FindingGround | Suppressions | Seeder, E>
): void =>
  suite(adapters, { excludeTestServices: true })(`FindingGround ${name}`, (it) => {
    it.effect("tells of a property what is known, and the firms that own and manage it, in that order", () =>
      Effect.gen(function*() {
        const { domain, ids } = yield* arrange
        const { firms, person, places, property: found } = Option.getOrThrow(
          yield* groundOf("research_property", ids.place)
        )
        assert.deepInclude(found, {
          id: ids.place,
          address: "12 Nonesuch Lane",
          commonName: "Sample Tower",
          owners: [`Sample Owner ${made}`, "Second Sample"],
          managementCompany: "Birch Sample",
          beneficialOwner: "Oak Sample"
        })
        assert.deepStrictEqual(firms.map(({ id }) => id), [ids.owner, ids.manager])
        assert.deepInclude(firms[1], {
          name: "Birch Sample",
          domain,
          websiteUrl: `https://${domain}`,
          phone: "509-555-0100",
          register: null
        })
        assert.deepStrictEqual([person, places], [null, [found?.key]])
        assert.isTrue(Option.isNone(yield* groundOf("research_property", uuid())))
      }))

    it.effect("tells of a firm its properties, and of a person the firm", () =>
      Effect.gen(function*() {
        const { ids, person } = yield* arrange
        const firm = Option.getOrThrow(yield* groundOf("research_organization", ids.manager))
        assert.deepStrictEqual([firm.property, firm.firms.map(({ id }) => id)], [null, [ids.manager]])
        assert.deepStrictEqual(firm.places, [`${county}-${ids.place}`, `${county}-${ids.other}`])
        const ground = Option.getOrThrow(yield* groundOf("research_contact", ids.person))
        assert.deepStrictEqual(ground.person, {
          id: ids.person,
          fullName: person.fullName,
          doNotContact: person.doNotContact
        })
        assert.deepStrictEqual([ground.firms.map(({ id }) => id), ground.places], [[ids.manager], []])
      }))

    it.effect("knows people by key, by name and firm, domain or email, and by nothing less", () =>
      Effect.gen(function*() {
        const { domain, ids, person } = yield* arrange
        const nobody = { firmId: uuid(), domain: null, name: "Bo Quill", email: null, key: uuid() }
        const named = { ...nobody, name: person.fullName.toUpperCase() }
        assert.deepStrictEqual(
          yield* known(
            { ...nobody, key: ids.person },
            { ...named, firmId: ids.manager },
            { ...named, email: person.email.toUpperCase() },
            named,
            { ...nobody, firmId: ids.manager, domain, email: person.email },
            nobody
          ),
          [ids.person, ids.person, ids.person, "New", "New", "New"]
        )
        const [found] = yield* FindingGround.use((grounds) =>
          grounds.acquaintances([{ ...named, firmId: ids.manager }], null)
        )
        assert.deepInclude(found, {
          _tag: "Known",
          title: "Engineer",
          email: person.email,
          emailValidationStatus: "unvalidated",
          phone: null,
          doNotContact: { email: false, phone: true },
          ties: [{
            propertyKey: `${county}-${ids.place}`,
            role: "chief_engineer",
            relationshipStatus: "current",
            attributionType: "web"
          }]
        })
        assert.deepStrictEqual(yield* known(), [])
      }))

    it.effect("knows of two records of one person the one that the job is about", () =>
      Effect.gen(function*() {
        const { ids, person: { fullName } } = yield* arrange
        const second = uuid()
        yield* Seeder.use((seeder) =>
          seeder.add({ contacts: [contact({ id: second, fullName, firmId: ids.manager })] })
        )
        const found = { firmId: ids.manager, domain: null, name: fullName, email: null, key: uuid() }
        const people = [found, { ...found, key: ids.person }]
        assert.deepStrictEqual(yield* knownFor(null, people), [ids.person, ids.person])
        assert.deepStrictEqual(yield* knownFor(uuid(), people), [ids.person, ids.person])
        assert.deepStrictEqual(yield* knownFor(second, people), [second, second])
      }))

    it.effect("bars whoever asked not to be listed, by the email alone too, and withholds owners", () =>
      Effect.gen(function*() {
        const { ids, person } = yield* arrange
        const suppressions = yield* Suppressions
        yield* suppressions.suppress({ _tag: "Contact", named: ids.person })
        const nobody = { firmId: uuid(), domain: null, name: "Bo Quill", email: null, key: uuid() }
        assert.deepStrictEqual(
          yield* known(
            { ...nobody, name: person.fullName, firmId: ids.manager },
            { ...nobody, email: person.email },
            { ...nobody, name: person.fullName }
          ),
          ["Barred", "Barred", "New"]
        )
        assert.isTrue(Option.isNone(yield* groundOf("research_contact", ids.person)))
        yield* suppressions.suppress({ _tag: "Property", named: ids.place })
        const { firms, property: found } = Option.getOrThrow(yield* groundOf("research_property", ids.place))
        assert.deepStrictEqual([found?.owners, firms.map(({ id }) => id)], [[], [ids.manager]])
      }))
  })

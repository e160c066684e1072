/** What a finder delivers of what stands on pages, over ports that a test plays. All is made up. */
import { assert, describe, it } from "@effect/vitest"
import * as ContactsMemory from "@freehold/core/memory/contact/ContactsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PropertiesMemory from "@freehold/core/memory/property/PropertiesMemory"
import { defaults } from "@freehold/core/organization/Organization"
import { type Acquaintance, FindingGround, type Ground, type GroundFirm } from "@freehold/core/research/FindingGround"
import * as FindingResearcher from "@freehold/core/research/FindingResearcher"
import { MailDomains, type TakesMail } from "@freehold/core/research/MailDomains"
import { Proposer, ProposerFailed } from "@freehold/core/research/Proposer"
import { Researcher } from "@freehold/core/research/Researcher"
import type { ResearchAction, ResearchJob } from "@freehold/core/research/ResearchRun"
import { SiteReader } from "@freehold/core/research/SiteReader"
import { Effect, Layer } from "effect"

const birch: GroundFirm = {
  id: "firm-birch",
  key: "birch",
  name: "Birch Sample",
  domain: "birch.example",
  websiteUrl: null,
  phone: null,
  register: null
}

const ann: Extract<Acquaintance, { readonly _tag: "Known" }> = {
  _tag: "Known",
  id: "ann",
  key: "key-ann",
  title: "Property Manager",
  email: null,
  emailValidationStatus: "unvalidated",
  phone: null,
  doNotContact: { email: false, phone: false },
  ties: []
}

const quote = "Ann Quill, Property Manager, ann@birch.example"

const proposal = {
  kind: "person",
  page: 1,
  quote,
  name: "Ann Quill",
  title: "Property Manager",
  role: "property_manager",
  email: "ann@birch.example"
}

interface Scene {
  readonly action: ResearchAction
  readonly ground?: Partial<Ground>
  readonly acquaintance?: Acquaintance
  readonly takesMail?: TakesMail
  /** What stands on the page beside the quote. */
  readonly text?: string
  readonly proposals?: ReadonlyArray<unknown> | ProposerFailed
  /** Why the site cannot be read. */
  readonly trouble?: string
}

const job = (action: ResearchAction): ResearchJob => ({
  jobId: "job",
  runId: "run",
  organization: defaults("org_finder"),
  action,
  actor: { kind: "key", id: "key_sample", name: "sample" },
  subjectId: "ann",
  subjectKey: "key-ann",
  property: null,
  opened: false,
  wish: null,
  claim: 1,
  attempts: 0,
  overdue: false
})

/** What comes of a job, with the sites that were read and how often somebody was asked to propose. */
const found = Effect.fnUntraced(function*(scene: Scene) {
  const sites: Array<string> = []
  let asked = 0
  const person = { id: "ann", fullName: "Ann Quill", doNotContact: { email: false, phone: false } }
  const ground: Ground = { property: null, person, firms: [birch], places: [], ...scene.ground }
  const ports = Layer.mergeAll(
    Layer.succeed(FindingGround, {
      of: () => Effect.succeedSome(ground),
      // Of two records of one person, that which is asked for.
      acquaintances: (people, personId) =>
        Effect.succeed(people.map(() => scene.acquaintance ?? { ...ann, id: personId ?? "other" }))
    }),
    Layer.succeed(SiteReader, {
      read: (site) => {
        sites.push(site)
        const page = {
          address: `${site}/team`,
          readAt: "2026-11-22T00:00:00.000Z",
          text: `${quote} and 12 Nonesuch Lane. ${scene.text ?? ""}`
        }
        return Effect.succeed({ pages: scene.trouble === undefined ? [page] : [], trouble: scene.trouble ?? null })
      }
    }),
    Layer.succeed(Proposer, {
      propose: () => {
        asked += 1
        const said = scene.proposals ?? [proposal]
        return said instanceof ProposerFailed ? Effect.fail(said) : Effect.succeed(said)
      }
    }),
    Layer.succeed(MailDomains, { takesMail: () => Effect.succeed(scene.takesMail ?? "yes") }),
    PropertiesMemory.layer,
    ContactsMemory.layer
  ).pipe(Layer.provide(MemoryState.layer))
  const finding = yield* Researcher.use((researcher) => researcher.research(job(scene.action))).pipe(
    Effect.provide(FindingResearcher.layer((_, key) => `id of ${key}`).pipe(Layer.provide(ports)), { local: true })
  )
  return { finding, sites, asked }
})

/** The values of the one contact row that was found; null: nothing was. */
const contactOf = (scene: Scene) =>
  Effect.map(found(scene), ({ finding }) => {
    const [batch] = finding._tag === "Found" ? finding.rows : []
    return batch?.kind === "contacts" ? Object.fromEntries(batch.rows[0]?.values ?? []) : null
  })

describe("FindingResearcher", () => {
  it.effect("says of an email what was checked, and no more", () =>
    Effect.gen(function*() {
      const email = { email: "ann@birch.example" }
      assert.deepInclude(yield* contactOf({ action: "find_email" }), { ...email, emailValidationStatus: "unvalidated" })
      assert.deepInclude(yield* contactOf({ action: "find_email", takesMail: "unknown" }), {
        ...email,
        emailValidationStatus: "unknown"
      })
      assert.isNull(yield* contactOf({ action: "find_email", takesMail: "no" }))
    }))

  it.effect("gives back what is no news, and what is about somebody else", () =>
    Effect.gen(function*() {
      const known = { ...ann, email: "other@birch.example" }
      for (const action of ["find_email", "research_contact"] as const) {
        assert.isNull(yield* contactOf({ action, acquaintance: known }), action)
        assert.isNull(yield* contactOf({ action, acquaintance: { ...ann, id: "bo" } }), action)
        assert.isNull(yield* contactOf({ action, acquaintance: { _tag: "New" } }), action)
        assert.isNull(yield* contactOf({ action, proposals: [{ ...proposal, name: "Bo Quill" }] }), action)
      }
      const bounced = { ...ann, email: "Ann@birch.example", emailValidationStatus: "invalid" as const }
      for (const title of ["Property Manager", "Engineer", null]) {
        assert.isNull(yield* contactOf({ action: "find_email", acquaintance: { ...bounced, title } }), `${title}`)
      }
      const renamed = yield* contactOf({ action: "research_contact", acquaintance: { ...known, title: "Engineer" } })
      assert.deepInclude(renamed, { title: "Property Manager", roleType: "property_manager" })
      assert.notProperty(renamed, "email")
    }))

  it.effect("tells nothing of who asked not to be listed, nor a way to reach who asked not to be reached so (S4)", () =>
    Effect.gen(function*() {
      assert.isNull(yield* contactOf({ action: "research_organization", acquaintance: { _tag: "Barred" } }))
      const refusing = { ...ann, title: null, doNotContact: { email: true, phone: false } }
      assert.isNull(yield* contactOf({ action: "research_contact", acquaintance: refusing }))
      const person = { id: "ann", fullName: "Ann Quill", doNotContact: refusing.doNotContact }
      const { asked, finding } = yield* found({ action: "find_email", ground: { person } })
      assert.deepStrictEqual([finding, asked], [{ _tag: "Nothing" }, 0])
    }))

  it.effect("quotes no way to reach who asked not to be reached so, claimed or not", () =>
    Effect.gen(function*() {
      const called = "Ann Quill, Property Manager, 555–010–0123"
      const told = (email: boolean, phone: boolean, words: string) =>
        contactOf({
          action: "research_contact",
          acquaintance: { ...ann, title: null, doNotContact: { email, phone } },
          text: called,
          proposals: [{ ...proposal, quote: words, email: null }]
        })
      assert.isNull(yield* told(true, false, quote))
      assert.isNull(yield* told(false, true, called))
      assert.isNotNull(yield* told(false, true, quote))
      assert.isNotNull(yield* told(true, false, called))
    }))

  it.effect("tells with a new manager the words about the owner that was known, and nothing of what is no news", () =>
    Effect.gen(function*() {
      const words = { manager: "12 Nonesuch Lane: Oak Sample", owner: "12 Nonesuch Lane belongs to Elm Sample Fund" }
      const rowOf = (managementCompany: string) =>
        Effect.map(
          found({
            action: "research_property",
            ground: {
              person: null,
              property: {
                id: "place",
                key: "53903-PLACE",
                address: "12 Nonesuch Lane",
                commonName: null,
                owners: [],
                managementCompany,
                beneficialOwner: "Elm Sample Fund"
              }
            },
            text: `${words.manager}. ${words.owner}.`,
            proposals: [
              { kind: "manager", page: 1, quote: words.manager, name: "Oak Sample" },
              { kind: "owner", page: 1, quote: words.owner, name: "Elm Sample Fund", owner_type: "fund" }
            ]
          }),
          ({ finding }) =>
            finding._tag === "Found" && finding.rows[0]?.kind === "research" ? finding.rows[0].rows[0]?.values : null
        )
      const row = yield* rowOf("Pine Sample")
      assert.strictEqual(row?.get("managementCompany"), "Oak Sample")
      assert.isFalse(row?.has("beneficialOwner"))
      const rationale = `${row?.get("aiRationale")}`
      assert.include(rationale, `Managed by Oak Sample: “${words.manager}”`)
      assert.include(rationale, `Owned by Elm Sample Fund: “${words.owner}”`)
      assert.isNull(yield* rowOf("Oak Sample"))
    }))

  it.effect("ties somebody new to the property beside the ties that are known, with the evidence", () =>
    Effect.gen(function*() {
      const property = {
        id: "place",
        key: "53903-PLACE",
        address: "12 Nonesuch Lane",
        commonName: null,
        owners: [],
        managementCompany: null,
        beneficialOwner: null
      }
      const ground = { property, person: null, places: [property.key] }
      const fresh = yield* found({ action: "research_property", ground, acquaintance: { _tag: "New" } })
      const key = "found:firm-birch:ann-quill"
      assert(fresh.finding._tag === "Found")
      const [contacts, research] = fresh.finding.rows
      assert(contacts?.kind === "contacts" && research?.kind === "research")
      assert.deepInclude(contacts.rows[0], { key, firmKey: "birch" })
      assert.deepStrictEqual(research.rows[0]?.values.has("aiRationale"), false)
      assert.deepStrictEqual(fresh.finding.result, {
        _tag: "Claims",
        claims: [{
          about: "contact",
          id: `id of ${key}`,
          values: ["Ann Quill", "Property Manager", "ann@birch.example"],
          address: "https://birch.example/team",
          readAt: "2026-11-22T00:00:00.000Z",
          quote
        }]
      })
      const tie = { propertyKey: "other", role: null, relationshipStatus: "current", attributionType: "web" }
      const tied = yield* found({ action: "research_property", ground, acquaintance: { ...ann, ties: [tie] } })
      assert(tied.finding._tag === "Found" && tied.finding.rows[0]?.kind === "contacts")
      assert.deepStrictEqual(
        tied.finding.rows[0].rows[0]?.properties?.map(({ propertyKey }) => propertyKey),
        ["other", "53903-PLACE"]
      )
    }))

  it.effect("is tried again after trouble, and asks nobody where there is nothing to read (S4)", () =>
    Effect.gen(function*() {
      const failed = new ProposerFailed({ reason: "no answer" })
      const { finding } = yield* found({ action: "find_email", proposals: failed })
      assert.deepStrictEqual(finding, { _tag: "Unreachable", reason: "no answer" })
      const unread = yield* found({ action: "find_email", trouble: "answered 503" })
      assert.deepStrictEqual([unread.finding, unread.asked], [{ _tag: "Unreachable", reason: "answered 503" }, 0])
      const homeless = yield* found({ action: "find_email", ground: { firms: [{ ...birch, domain: null }] } })
      assert.deepStrictEqual(homeless, { finding: { _tag: "Nothing" }, sites: [], asked: 0 })
      const { asked, sites } = yield* found({
        action: "research_organization",
        ground: { firms: [1, 2, 3].map((n) => ({ ...birch, id: `firm-${n}`, websiteUrl: `http://${n}.example` })) }
      })
      assert.deepStrictEqual([sites, asked], [["http://1.example", "http://2.example"], 1])
    }))

  it.effect("leaves to others what it does not find out", () =>
    Effect.gen(function*() {
      const { asked, finding, sites } = yield* found({ action: "deep_research_contact" })
      assert.deepStrictEqual([finding, sites, asked], [{ _tag: "Nothing" }, [], 0])
    }))
})

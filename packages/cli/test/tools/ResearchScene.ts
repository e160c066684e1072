/** Customers, properties and people for the tests of research, and a researcher that does what a test says. */
import { it } from "@effect/vitest"
import * as ApiKey from "@freehold/core/access/ApiKey"
import type { PersonCaller } from "@freehold/core/access/Caller"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { Ledger } from "@freehold/core/credit/Ledger"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import type { Member } from "@freehold/core/organization/Organizations"
import { Drafter, DraftFailed } from "@freehold/core/research/Drafter"
import { Researcher } from "@freehold/core/research/Researcher"
import * as ResearchRunner from "@freehold/core/research/ResearchRunner"
import * as SampleGrant from "@freehold/core/testing/SampleGrant"
import { contact, firm, member, property, Seeder } from "@freehold/core/testing/Seed"
import { Clock, Deferred, Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { HttpServer } from "effect/http"
import * as MemoryServer from "../MemoryServer.ts"
import * as ToolHost from "./ToolHost.ts"

const open = "48201"
export const licensed = "48157"
const outside = "48439"

const id = (n: number): string => `00000000-0000-4000-a000-${String(n).padStart(12, "0")}`

export const research = {
  beneficialOwner: "Sample Holdings (made up)",
  beneficialOwnerType: "private_company" as const,
  managementCompany: "Sample Management (made up)",
  aiRationale: "Made-up rationale.",
  researchedAt: "2026-01-01T00:00:00.000Z",
  tier: "Standard" as const
}

/** People are `p`, places are named by what is known of them. */
export const ids = {
  plain: id(1),
  researched: id(2),
  bare: id(3),
  outside: id(4),
  retired: id(5),
  covered: id(6),
  slow: id(7),
  spare: id(8),
  coveredToo: id(9),
  researchedToo: id(10),
  /** Of the licensed county, merged into `plain`, which lies in the other one. */
  moved: id(11),
  nowhere: id(99),
  /** Of `covered`, with an email that is known to be invalid. */
  pStale: id(26),
  /** Of `covered`, with an email; of `covered`, without one; of `researched`; of `bare`; outside. */
  pKnown: id(21),
  pHidden: id(22),
  pLocked: id(23),
  pBare: id(24),
  pOutside: id(25),
  /** Of `covered` and of `coveredToo`; of `covered`, who asked not to be emailed. */
  pTwo: id(27),
  pNoEmail: id(28),
  /** Of both, too. */
  pThree: id(29),
  /** Of `researched` and of `researchedToo`. */
  pLockedTwice: id(30),
  /** Of `researchedToo`, who asked not to be emailed or called. */
  pSilent: id(33),
  /** Of `plain`; of `outside`. */
  firm: id(31),
  farFirm: id(32)
} as const

const organization = (org_id: string, more: Partial<Organization> = {}): Organization => ({
  ...defaults(org_id),
  name: "Acme Roofing (made up)",
  plan: "enterprise",
  requests_per_minute: 100_000,
  serviceable_area: { whole_state_abbrs: [], county_fips: [open, licensed] },
  entitlement: { nationwide: false, state_abbrs: [], county_fips: [licensed] },
  ...more
})

export const organizations = {
  rich: organization("org_research_rich"),
  other: organization("org_research_other"),
  poor: organization("org_research_poor"),
  fresh: organization("org_research_fresh"),
  unpaid: organization("org_research_unpaid", { payment_status: "failed" }),
  dormant: organization("org_research_dormant", { credits_dormant: true }),
  capped: organization("org_research_capped", { daily_limits: { paid_property_unlock: { organization: 1 } } }),
  sparing: organization("org_research_sparing", {
    daily_limits: { records_taken_per_day: { service: 3 }, contact_reveal: { organization: 1 } }
  }),
  counted: organization("org_research_counted", { daily_limits: { records_taken_per_day: { service: 2 } } }),
  gated: organization("org_research_gated", {
    features: { ...defaults("org_research_gated").features, enrichments: false }
  })
}

export type Tenant = keyof typeof organizations

const secretOf = (tenant: Tenant) => `fhk_research${tenant}${"0".repeat(43)}`.slice(0, 47)

/** A member of the tenant behind an assistant. */
export const person = (tenant: Tenant, name: string, more: Partial<Member> = {}): PersonCaller => {
  const { territory, ...rest } = { ...member({ memberId: ids.nowhere, name }), ...more }
  return {
    kind: "person",
    credentialId: `connection_${tenant}_${name}`,
    label: `${name} assistant`,
    clientId: "assistant",
    scopes: ["mcp"],
    organization: organizations[tenant],
    territory: territory ?? null,
    requestId: "request",
    member: { ...rest, territory }
  }
}

const credits: Readonly<Partial<Record<Tenant, number>>> = {
  rich: 10_000,
  other: 10_000,
  poor: 4,
  unpaid: 100,
  dormant: 100,
  capped: 100,
  counted: 100,
  sparing: 100
}

const place = (propertyId: string, countyFips: string, more: object = {}) =>
  property({ id: propertyId, countyFips, address: "1 Sample Street", city: "Quillgate", state: "TX", ...more })

const seed = Effect.gen(function*() {
  const now = yield* Clock.currentTimeMillis
  yield* Seeder.use((seeder) =>
    seeder.add({
      organizations: Object.values(organizations),
      properties: [
        place(ids.plain, open),
        place(ids.researched, open, { research }),
        place(ids.bare, open),
        place(ids.outside, outside),
        place(ids.retired, open, { retiredInto: ids.plain }),
        place(ids.moved, licensed, { retiredInto: ids.plain }),
        place(ids.covered, licensed, { research, assetCategory: "Office", yearBuilt: 1984 }),
        place(ids.slow, open),
        place(ids.spare, open),
        place(ids.coveredToo, licensed, { research }),
        place(ids.researchedToo, open, { research })
      ],
      firms: [firm({ id: ids.firm }), firm({ id: ids.farFirm })],
      propertyFirms: [[ids.plain, ids.firm], [ids.outside, ids.farFirm]].map(([propertyId = "", firmId = ""]) => ({
        propertyId,
        firmId,
        role: "owner" as const,
        attributionType: "county_record"
      })),
      contacts: [
        contact({
          id: ids.pKnown,
          fullName: "Jo Sample",
          title: "Property Manager",
          roleType: "property_manager",
          email: "jo@people.example"
        }),
        contact({ id: ids.pStale, email: "gone@people.example", emailValidationStatus: "invalid" }),
        contact({ id: ids.pHidden, fullName: "Max Sample", title: "Owner", roleType: "owner_principal" }),
        contact({ id: ids.pLocked }),
        contact({ id: ids.pBare }),
        contact({ id: ids.pOutside }),
        contact({ id: ids.pTwo, title: "Property Manager", roleType: "property_manager" }),
        contact({ id: ids.pThree, title: "Property Manager", roleType: "property_manager" }),
        contact({ id: ids.pLockedTwice, title: "Property Manager", roleType: "property_manager" }),
        contact({ id: ids.pNoEmail, doNotContact: { email: true, phone: false } }),
        contact({ id: ids.pSilent, doNotContact: { email: true, phone: true } })
      ],
      relationships: [
        [ids.covered, ids.pKnown],
        [ids.covered, ids.pStale],
        [ids.covered, ids.pHidden],
        [ids.researched, ids.pLocked],
        [ids.researched, ids.pLockedTwice],
        [ids.researchedToo, ids.pLockedTwice],
        [ids.researchedToo, ids.pSilent],
        [ids.bare, ids.pBare],
        [ids.outside, ids.pOutside],
        [ids.covered, ids.pTwo],
        [ids.coveredToo, ids.pTwo],
        [ids.covered, ids.pNoEmail],
        [ids.covered, ids.pThree],
        [ids.coveredToo, ids.pThree]
      ].map(([propertyId = "", contactId = ""]) => ({
        propertyId,
        contactId,
        role: null,
        relationshipStatus: "current" as const,
        attributionType: "county_record"
      }))
    })
  )
  for (const [tenant, amount] of Object.entries(credits)) {
    yield* SampleGrant.grant(`org_research_${tenant}`, amount, { ref: "made-up", now })
  }
  for (
    const tenant of [
      "rich",
      "other",
      "poor",
      "fresh",
      "unpaid",
      "dormant",
      "capped",
      "counted",
      "sparing",
      "gated"
    ] as const
  ) {
    const secret = Redacted.make(secretOf(tenant))
    yield* KeyRing.use(({ create }) =>
      Effect.flatMap(ApiKey.hash(secret), (secretHash) =>
        create({
          credentialId: `key_research_${tenant}`,
          orgId: `org_research_${tenant}`,
          name: `${tenant} key`,
          label: ApiKey.label(tenant, secret),
          secretHash,
          scopes: ["mcp", "data:read", "data:unlock"],
          dailyLimits: {}
        }))
    )
  }
})

/** Open when the slow researcher may answer. */
const gate = Effect.runSync(Deferred.make<void>())

export const release = Deferred.succeed(gate, undefined)

/**
 * Finds everything but for people without a known email; `slow` is found once it is released.
 */
const researcher = Layer.succeed(
  Researcher,
  Researcher.of({
    research: Effect.fn("Researcher.research")(function*(job) {
      if (job.subjectId === ids.slow) yield* Deferred.await(gate)
      if (job.subjectId === ids.bare || job.action === "find_email") return { _tag: "Nothing" as const }
      return {
        _tag: "Found" as const,
        partial: false,
        rows: job.action === "research_property"
          ? [{
            kind: "research" as const,
            rows: [{ propertyKey: job.subjectKey, values: new Map([["beneficialOwner" as const, "Found Holdings"]]) }]
          }]
          : [],
        result: job.action === "deep_research_contact"
          ? { _tag: "Strategy" as const, strategy: { summary: "Made up.", approach: "Ask.", points: [] } }
          : null
      }
    })
  })
)

export const worker = ResearchRunner.layer(ResearchRunner.settingsOf({ poll: Duration.millis(20) })).pipe(
  Layer.provide(researcher)
)

/** A server with the tools, and a worker beside it. */
export const layer = Layer.mergeAll(worker, Layer.effectDiscard(seed)).pipe(Layer.provideMerge(ToolHost.layer))

/** The same, with another drafter. */
const drafting = (draft: Drafter["Service"]["draft"]) =>
  Layer.mergeAll(worker, Layer.effectDiscard(seed)).pipe(
    Layer.provideMerge(ToolHost.layerWith(Layer.succeed(Drafter, { draft })))
  )

/** Where no draft ever comes of anything. */
export const wordless = drafting(() => Effect.fail(new DraftFailed({ reason: "nothing comes to mind" })))

/** Where the subject of a draft is two lines. */
export const overLines = drafting(() => Effect.succeed({ subject: "Roofs\nBcc: all", body: "Hello." }))

/** Where there is nothing in the subject of a draft. */
export const blank = drafting(() => Effect.succeed({ subject: "", body: "Hello." }))

/** The server alone: what is launched stays queued. */
export const idle = Layer.effectDiscard(seed).pipe(Layer.provideMerge(ToolHost.layer))

/** Tests that have a host and customers each, so that none finds what another has paid for. */
export const over = <R, E>(host: Layer.Layer<R, E>) => (name: string, test: () => Effect.Effect<void, unknown, R>) =>
  it.live(name, () => Effect.provide(test(), host))

const called = (tenant: Tenant, name: string, input: object) =>
  Effect.gen(function*() {
    const { address } = yield* HttpServer.HttpServer
    const port = "port" in address ? address.port : 0
    return yield* Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${secretOf(tenant)}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } })
      })
      // Of any shape: what it has is what is asserted.
      const body: ReturnType<typeof JSON.parse> = await response.json()
      return body.result
    })
  })

/** What REST answers. */
export const restOf = (path: string, tenant: Tenant = "rich") =>
  Effect.map(MemoryServer.send(secretOf(tenant), path, { method: "GET" }), ({ body }) => body)

/** What a tool answers or refuses with. */
export const tool = (name: string, input: object = {}, tenant: Tenant = "rich") =>
  Effect.map(called(tenant, `service_${name}`, input), ({ structuredContent }) => structuredContent)

/** The text of the same. */
export const textOf = (name: string, input: object = {}, tenant: Tenant = "rich") =>
  Effect.map(called(tenant, `service_${name}`, input), ({ content: [{ text }] }): string => text)

export const balance = (tenant: Tenant = "rich") =>
  Effect.map(tool("get_credit_balance", {}, tenant), ({ total }): number => total)

/** How the run ended; a caller asks until it has. */
export const ended = (runId: string, tenant: Tenant = "rich") =>
  tool("get_research_status", { run_id: runId }, tenant).pipe(
    Effect.repeat({
      schedule: Schedule.spaced("10 millis"),
      until: ({ finished_at: finishedAt }) => finishedAt !== null
    }),
    Effect.timeout("3 minutes")
  )

/** The ledger of the tenant. */
export const entries = (tenant: Tenant = "rich") =>
  Ledger.use((ledger) => ledger.entries(`org_research_${tenant}`, { after: 0, limit: 1000 }))

/** The tools over the ports in memory, on loopback: a server with REST beside MCP, with made-up data, and its client. */
import * as ApiKey from "@freehold/core/access/ApiKey"
import { Caller, type CallerFacts } from "@freehold/core/access/Caller"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { Scope } from "@freehold/core/operation/Scope"
import { defaults } from "@freehold/core/organization/Organization"
import type { Member } from "@freehold/core/organization/Organizations"
import type { Drafter } from "@freehold/core/research/Drafter"
import * as TemplateDrafter from "@freehold/core/research/TemplateDrafter"
import { contact, member, property, Seeder } from "@freehold/core/testing/Seed"
import { Toolbox } from "@freehold/mcp-host/Toolbox"
import { Effect, type Layer, Record, Redacted } from "effect"
import * as MemoryServer from "../MemoryServer.ts"

/** Switched on, switched on, outside. */
export const counties = { open: "48113", licensed: "48085", outside: "48439" } as const

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

export const ids = {
  first: id(1),
  second: id(2),
  third: id(3),
  outside: id(4),
  merged: id(5),
  nowhere: id(9),
  contact: id(21),
  outsideContact: id(22),
  ana: id(31),
  ben: id(32)
} as const

const people = {
  ana: member({ memberId: ids.ana, name: "Ana" }),
  ben: member({ memberId: ids.ben, name: "Ben" })
}

/** In the open county, for tests that move leads: each test takes its own. */
export const places = Array.from({ length: 12 }, (_, index) => id(41 + index))

const area = {
  plan: "enterprise" as const,
  requests_per_minute: 100_000,
  serviceable_area: { whole_state_abbrs: [], county_fips: [counties.open, counties.licensed] },
  entitlement: { nationwide: false, state_abbrs: [], county_fips: [counties.licensed] }
}

export const organizations = {
  one: { ...defaults("org_one"), ...area },
  two: { ...defaults("org_two"), ...area },
  gated: {
    ...defaults("org_gated"),
    ...area,
    features: { ...defaults("org_gated").features, lists: false, pipeline: false }
  },
  mover: {
    ...defaults("org_mover"),
    ...area,
    loss_reasons: [{ code: "org_roof_replaced", label: "The roof was replaced", requires_note: true }]
  },
  external: { ...defaults("org_external"), ...area, crm_mode: "external" as const },
  switchedOff: { ...defaults("org_switched_off"), ...area, agent_pipeline_changes: false },
  serviceCapped: {
    ...defaults("org_service_capped"),
    ...area,
    daily_limits: { agent_pipeline_change: { service: 1 } }
  },
  capped: { ...defaults("org_capped"), ...area, daily_limits: { agent_pipeline_change: { organization: 1 } } },
  dayUsed: { ...defaults("org_day_used"), ...area, daily_limits: { agent_pipeline_change: { organization: 1 } } },
  closedExports: {
    ...defaults("org_closed_exports"),
    ...area,
    export_allowance: { max_exports_per_month: 100, max_rows_per_month: 0 },
    daily_limits: { lead_export: { organization: 0 } }
  },
  nowhere: {
    ...defaults("org_nowhere"),
    ...area,
    serviceable_area: { whole_state_abbrs: [], county_fips: [] }
  },
  /** Changes are recorded for it. */
  watching: { ...defaults("org_watching"), ...area, features: { ...defaults("org_watching").features, signals: true } },
  /** Its plan has no lists, and assistants move no lead. */
  bare: {
    ...defaults("org_bare"),
    ...area,
    features: { ...defaults("org_bare").features, lists: false },
    agent_pipeline_changes: false
  },
  keyCapped: { ...defaults("org_key_capped"), ...area },
  /** Its key may do everything; its bundles are free. */
  twins: {
    ...defaults("org_twins"),
    ...area,
    export_allowance: { max_exports_per_month: 100, max_rows_per_month: 0 }
  }
}

export type Tenant = keyof typeof organizations

const secretOf = (tenant: Tenant) => `fhk_${tenant}${"0".repeat(43)}`.slice(0, 47)

const place = (propertyId: string, countyFips: string, address: string, retiredInto: string | null = null) =>
  property({ id: propertyId, countyFips, address, city: "Quillgate", state: "TX", zip: "75001", retiredInto })

const scopes = [
  "mcp",
  "data:read",
  "lists:read",
  "lists:write",
  "notes:read",
  "leads:read_single",
  "pipeline:write",
  "events:read",
  "accounts:sync"
] as const

/** What one tool needs besides. */
const full = "pipeline:transitions_full" as const

const scopesOf = (tenant: Tenant): ReadonlyArray<Scope> =>
  tenant === "twins" ? Scope.literals : tenant === "mover" || tenant === "external" ? [...scopes, full] : scopes

const seed = Effect.gen(function*() {
  const keyRing = yield* KeyRing
  const seeder = yield* Seeder
  yield* seeder.add({
    organizations: Object.values(organizations),
    members: Object.values(people).map((each) => ({ orgId: "org_one", ...each })),
    properties: [
      { ...place(ids.first, counties.open, "1 Sample Street"), county: "Quillgate (demo)" },
      place(ids.second, counties.open, "2 Sample Street"),
      place(ids.third, counties.licensed, "3 Sample Street"),
      place(ids.outside, counties.outside, "4 Sample Street"),
      // One name in two states.
      ...(["TX", "OK"] as const).map((state, index) => ({
        ...place(id(61 + index), counties.licensed, `${61 + index} Sample Street`),
        city: "Twinford",
        state,
        zip: "75003"
      })),
      place(ids.merged, counties.open, "5 Sample Street", ids.first),
      ...places.map((each, index) => ({ ...place(each, counties.open, `${41 + index} Sample Street`), zip: "75002" }))
    ],
    contacts: [contact({ id: ids.contact, title: "Facilities Manager" }), contact({ id: ids.outsideContact })],
    relationships: [[ids.first, ids.contact] as const, [ids.outside, ids.outsideContact] as const].map((
      [propertyId, contactId]
    ) => ({
      propertyId,
      contactId,
      role: "facilities_manager" as const,
      relationshipStatus: "current" as const,
      attributionType: "county_record"
    }))
  })
  for (const [tenant, { org_id: orgId }] of Record.toEntries(organizations)) {
    const secret = Redacted.make(secretOf(tenant))
    yield* keyRing.create({
      credentialId: `key_${tenant}`,
      orgId,
      name: `${tenant} key`,
      label: ApiKey.label(tenant, secret),
      secretHash: yield* ApiKey.hash(secret),
      scopes: scopesOf(tenant),
      dailyLimits: tenant === "keyCapped" ? { agent_pipeline_change: 1 } : {}
    })
  }
})

export const layerWith = (drafter: Layer.Layer<Drafter>) => MemoryServer.layer(seed, drafter)

export const layer = layerWith(TemplateDrafter.layer)

/** A REST call; `body` makes it a POST. */
export const rest = (path: string, body?: object, tenant: Tenant = "one") =>
  MemoryServer.send(
    secretOf(tenant),
    path,
    body === undefined ? { method: "GET" } : { method: "POST", body: JSON.stringify(body) }
  )

/** What a method of the protocol answers a key with: its result, or its error. */
export const ask = (method: string, params: object = {}, tenant: Tenant = "one") =>
  Effect.map(MemoryServer.rpc(secretOf(tenant), method, params), ({ body }) => body.result ?? body.error)

const result = (method: string, params: object, tenant: Tenant) =>
  Effect.map(MemoryServer.rpc(secretOf(tenant), method, params), ({ body }) => body.result)

/** Ana, or Ben, behind an assistant, as sign-in would have admitted them. */
const connection = (
  person: keyof typeof people,
  role: Member["role"],
  within: ReadonlyArray<string> | null
): CallerFacts => ({
  kind: "person",
  credentialId: `connection_${person}`,
  label: `${person} assistant`,
  clientId: "assistant",
  scopes: ["mcp"],
  organization: organizations.one,
  territory: within === null ? null : { county_fips: within },
  requestId: "request",
  member: { ...people[person], role }
})

/** What a tool answers or refuses a person with, whose territory may be narrower than the area. */
export const toolAs = (
  person: keyof typeof people,
  name: string,
  input: object = {},
  role: Member["role"] = "member",
  within: ReadonlyArray<string> | null = null
) =>
  Toolbox.use((tools) => tools.call(name, input)).pipe(
    Effect.provideService(Caller, connection(person, role, within)),
    // Of any shape: what it has is what is asserted.
    Effect.map(({ structuredContent }): ReturnType<typeof JSON.parse> => structuredContent)
  )

/** What a tool answers or refuses a key with: its structured content. */
export const tool = (name: string, input: object = {}, tenant: Tenant = "one") =>
  Effect.map(result("tools/call", { name, arguments: input }, tenant), ({ structuredContent }) => structuredContent)

/** The names of the tools that the tenant's key is offered. */
export const offered = (tenant: Tenant) =>
  Effect.map(
    result("tools/list", {}, tenant),
    ({ tools }): ReadonlyArray<string> => tools.map((each: { readonly name: string }) => each.name)
  )

/**
 * A running server on loopback over the ports in memory, with made-up data, and a client that shares nothing with it.
 *
 * One operation can be made to answer anything for the length of a test (`answering`), for what data alone cannot bring
 * about.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Admission } from "@freehold/core/access/Admission"
import * as ApiKey from "@freehold/core/access/ApiKey"
import type { KeyDailyLimits } from "@freehold/core/access/KeyDailyLimits"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { Catalogue } from "@freehold/core/catalogue/Catalogue"
import { Workload } from "@freehold/core/load/Workload"
import * as SuppressionsMemory from "@freehold/core/memory/suppression/SuppressionsMemory"
import { Scope } from "@freehold/core/operation/Scope"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import { AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import * as TemplateDrafter from "@freehold/core/research/TemplateDrafter"
import { Suppressions, type SuppressionSubject } from "@freehold/core/suppression/Suppressions"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import * as SampleGrant from "@freehold/core/testing/SampleGrant"
import { contact, firm, property, Seeder } from "@freehold/core/testing/Seed"
import {
  Clock,
  Context,
  DateTime,
  Deferred,
  Effect,
  Layer,
  Logger,
  Redacted,
  References,
  type Scope as EffectScope
} from "effect"
import { HttpServer, type HttpServerError } from "effect/http"
import type { IncomingMessage } from "node:http"
import * as NodeServer from "../src/NodeServer.ts"
import * as RestHost from "../src/RestHost.ts"

/** Made-up places: switched on, switched on and licensed (two), outside. */
const open = "48113"
const licensed = "48085"
const staffed = "48121"
const outside = "48439"

export const ids = {
  locked: "00000000-0000-4000-8000-000000000001",
  unlocked: "00000000-0000-4000-8000-000000000002",
  covered: "00000000-0000-4000-8000-000000000003",
  unresearched: "00000000-0000-4000-8000-000000000004",
  outside: "00000000-0000-4000-8000-000000000005",
  retired: "00000000-0000-4000-8000-000000000006",
  spare: "00000000-0000-4000-8000-000000000007",
  staffed: "00000000-0000-4000-8000-000000000008",
  nowhere: "00000000-0000-4000-8000-0000000000ff",
  contact: "00000000-0000-4000-9000-000000000001",
  openContact: "00000000-0000-4000-9000-000000000002",
  spareContact: "00000000-0000-4000-9000-000000000003",
  coveredContact: "00000000-0000-4000-9000-000000000004",
  secondCovered: "00000000-0000-4000-9000-000000000005",
  owner: "00000000-0000-4000-a000-000000000001",
  manager: "00000000-0000-4000-a000-000000000002",
  hiddenFirm: "00000000-0000-4000-a000-000000000003",
  /** Newer ones last but the one outside and the one of long ago. */
  changes: [
    "00000000-0000-4000-a000-000000000001",
    "00000000-0000-4000-a000-000000000002",
    "00000000-0000-4000-a000-000000000003",
    "00000000-0000-4000-a000-000000000004",
    "00000000-0000-4000-a000-000000000005"
  ]
} as const

export const keys = {
  locked: "made-up:TX 0001/A",
  unlocked: `${open}-0002`
} as const

const research = {
  beneficialOwner: "Sample Holdings",
  beneficialOwnerType: "private_company" as const,
  managementCompany: null,
  aiRationale: "Made-up rationale",
  researchedAt: "2026-01-01T00:00:00.000Z",
  tier: "Standard" as const
}

const area = {
  requests_per_minute: 100_000,
  serviceable_area: { whole_state_abbrs: [], county_fips: [open, licensed, staffed] },
  entitlement: { nationwide: false, state_abbrs: [], county_fips: [licensed, staffed] }
}

const organization = (org_id: string, more: Partial<Organization> = {}): Organization => ({
  ...defaults(org_id),
  plan: "enterprise",
  ...area,
  ...more
})

const allowance: Partial<Organization> = {
  features: { ...defaults("org_sample").features, records_allowance: true },
  records_allowance: {
    records: 40,
    initial_load: 2,
    period: "calendar_month",
    overage: { price_per_record_usd: "0.05", ceiling_records: 10 }
  },
  daily_limits: { contact_reveal: { organization: 9 } }
}

const organizations = {
  rich: organization("org_rich"),
  poor: organization("org_poor"),
  unpaid: organization("org_unpaid", { payment_status: "failed" }),
  dormant: organization("org_dormant", { credits_dormant: true }),
  placeless: organization("org_placeless", { serviceable_area: { whole_state_abbrs: [], county_fips: [] } }),
  team: organization("org_team", { plan: "team" }),
  slow: organization("org_slow", { requests_per_minute: 2 }),
  daily: organization("org_daily", { requests_per_day: 1 }),
  signalled: organization("org_signalled", {
    features: { ...defaults("org_signalled").features, signals: true }
  }),
  gated: organization("org_gated", {
    features: { ...defaults("org_gated").features, lists: false, pipeline: false }
  }),
  suspended: organization("org_suspended", { status: "suspended" }),
  closed: organization("org_closed", { status: "closed" }),
  capped: organization("org_capped", {
    daily_limits: {
      contact_reveal: { service: 5, organization: 1 },
      lead_export: { service: 1 },
      paid_property_unlock: { organization: 0 }
    },
    export_allowance: { max_exports_per_month: 100, max_rows_per_month: 0 }
  }),
  paused: organization("org_paused"),
  external: organization("org_external", { crm_mode: "external" }),
  taking: organization("org_taking", allowance),
  reading: organization("org_reading", allowance),
  signals: organization("org_signals", { features: { ...defaults("org_signals").features, signals: true } }),
  exhausted: organization("org_exhausted", {
    features: { ...defaults("org_exhausted").features, records_allowance: true },
    records_allowance: { records: 0, initial_load: 0, period: "calendar_month", overage: null },
    daily_limits: { records_taken_per_day: { service: 9 } }
  })
}

export type Tenant = keyof typeof organizations

/** Of the keys that have their own. */
const dailyLimits: Readonly<Record<string, KeyDailyLimits>> = {
  paused: { contact_reveal: 0, lead_export: 0, paid_property_unlock: 0 },
  exhausted: { records_taken_per_day: 9 }
}

const everyScope = Scope.literals.filter((scope) => scope !== "pipeline:transitions_full")

const secretOf = (tenant: string) => `fhk_${tenant}${"0".repeat(43)}`.slice(0, 47)

/** The Authorization header of a tenant's key that has every scope, or none. */
export const bearer = (tenant: Tenant | "revoked" | "bare") => ({ authorization: `Bearer ${secretOf(tenant)}` })

const seed = Effect.gen(function*() {
  const seeder = yield* Seeder
  const keyRing = yield* KeyRing
  const now = yield* Clock.currentTimeMillis
  yield* seeder.add({
    organizations: Object.values(organizations),
    properties: [
      property({ id: ids.locked, key: keys.locked, countyFips: open, research, address: "1 Sample Street" }),
      property({ id: ids.unlocked, key: keys.unlocked, countyFips: open, research, address: "2 Sample Street" }),
      property({ id: ids.covered, countyFips: licensed, research, address: "3 Sample Street" }),
      property({ id: ids.unresearched, countyFips: open, address: "4 Sample Street" }),
      property({ id: ids.outside, countyFips: outside, research, address: "5 Sample Street" }),
      property({ id: ids.retired, countyFips: open, research, retiredInto: ids.locked, address: "6 Sample Street" }),
      property({ id: ids.spare, countyFips: open, research, state: "TX", address: "7 Sample Street" }),
      property({ id: ids.staffed, countyFips: staffed, research, address: "8 Sample Street" })
    ],
    firms: [
      firm({ id: ids.owner, name: "Sample Owner", domain: "owner.example", linkedinUrl: "https://example.com/owner" }),
      firm({ id: ids.manager, name: "Sample Manager" }),
      firm({ id: ids.hiddenFirm, name: "Sample Hidden" })
    ],
    propertyFirms: [
      ...[ids.locked, ids.outside].map((propertyId) => ({
        propertyId,
        firmId: ids.owner,
        role: "owner" as const,
        attributionType: "county_record"
      })),
      ...[ids.locked, ids.unlocked].map((propertyId) => ({
        propertyId,
        firmId: ids.manager,
        role: "property_manager" as const,
        attributionType: "management_research"
      })),
      {
        propertyId: ids.spare,
        firmId: ids.hiddenFirm,
        role: "owner",
        attributionType: "beneficial_research"
      }
    ],
    contacts: [
      contact({
        id: ids.contact,
        email: "one@people.example",
        emailValidationStatus: "valid",
        fullName: "Ada Findable",
        title: "Asset Manager",
        roleType: "asset_manager",
        employerName: "Sample Owner",
        firmId: ids.owner,
        location: "Aldermoor, TX"
      }),
      contact({
        id: ids.openContact,
        email: "two@people.example",
        phoneExtension: "77",
        doNotContact: { email: false, phone: true }
      }),
      contact({ id: ids.spareContact, email: "three@people.example", title: "Sample Chief" }),
      contact({ id: ids.coveredContact, email: "four@people.example", title: "Sample Chief" }),
      contact({ id: ids.secondCovered, email: "five@people.example" })
    ],
    relationships: [
      [ids.locked, ids.contact],
      [ids.outside, ids.contact],
      [ids.unlocked, ids.openContact],
      [ids.spare, ids.spareContact],
      [ids.staffed, ids.coveredContact],
      [ids.staffed, ids.secondCovered]
    ].map(([propertyId = "", contactId = ""]) => ({
      propertyId,
      contactId,
      role: "asset_manager" as const,
      relationshipStatus: "current" as const,
      attributionType: "county_record"
    })),
    leads: [["qualified", ids.locked] as const, ["disqualified", ids.spare] as const].map(([status, propertyId]) => ({
      orgId: "org_external",
      propertyId,
      status,
      dealValue: 2,
      qualifiedAt: "2026-01-01T00:00:00.000Z",
      qualifiedBy: { kind: "member" as const, id: null, name: "Sample Member" },
      statusChangedAt: "2026-01-01T00:00:00.000Z",
      version: 1
    })),
    notes: Array.from({ length: 120 }, (_, index) => ({
      orgId: "org_team",
      propertyId: ids.locked,
      id: `00000000-0000-4000-a000-${String(index).padStart(12, "0")}`,
      content: `Note ${index}`,
      author: "Ana",
      createdAt: DateTime.formatIso(DateTime.makeUnsafe(Date.UTC(2026, 0, 1, 0, 0, index)))
    })),
    accesses: [{ orgId: "org_rich", kind: "property", id: ids.unlocked, source: "paid" }],
    changes: [
      { id: ids.nowhere, kind: "contact_title_change", propertyId: null, contactId: ids.contact, ageDays: 0 },
      { id: ids.changes[0], kind: "sale", propertyId: ids.locked, contactId: null, ageDays: 3 },
      { id: ids.changes[1], kind: "contact_employer_change", propertyId: null, contactId: ids.openContact, ageDays: 2 },
      { id: ids.changes[2], kind: "manager_change", propertyId: ids.spare, contactId: null, ageDays: 1 },
      { id: ids.changes[3], kind: "sale", propertyId: ids.outside, contactId: null, ageDays: 1 },
      { id: ids.changes[4], kind: "sale", propertyId: ids.locked, contactId: null, ageDays: 99 }
    ].map(({ ageDays, ...each }) => ({ ...each, detectedAt: now - ageDays * 86_400_000, withdraws: null }))
  })
  for (const orgId of ["org_rich", "org_unpaid", "org_dormant", "org_capped", "org_paused"]) {
    yield* SampleGrant.grant(orgId, 1000, {
      ref: "made-up",
      actor: { kind: "operator", id: null, name: "made-up operator" },
      now
    })
  }
  const createKey = Effect.fnUntraced(function*(name: string, orgId: string, scopes: ReadonlyArray<Scope>) {
    const secret = Redacted.make(secretOf(name))
    return yield* keyRing.create({
      credentialId: `key_${name}`,
      orgId,
      name,
      label: ApiKey.label(name, secret),
      secretHash: yield* ApiKey.hash(secret),
      scopes,
      dailyLimits: dailyLimits[name] ?? {}
    })
  })
  for (const [name, { org_id }] of Object.entries(organizations)) yield* createKey(name, org_id, everyScope)
  yield* createKey("bare", "org_rich", [])
  yield* createKey("revoked", "org_rich", everyScope)
  yield* keyRing.revoke("key_revoked")
})

type Operations = Catalogue["Service"]
type Stubs = Map<keyof Operations, () => ReturnType<Operations[keyof Operations]>>

/** What the running operations are replaced with. */
class Replaced extends Context.Service<Replaced, Stubs>()("@freehold/http-host/test/Replaced") {}

const catalogue = Layer.effect(
  Catalogue,
  Effect.gen(function*() {
    const real = yield* Catalogue
    const replaced = yield* Replaced
    // A property's own type is lost in a loop over the names; each keeps its place.
    return Object.fromEntries(
      Object.entries(real).map(([name, run]) => [
        name,
        (input: unknown) =>
          (replaced.get(name as keyof Operations) ?? (() => (run as Operations[keyof Operations])(input)))()
      ])
    ) as Operations
  })
).pipe(Layer.provide(Catalogue.layer))

/** Core over memory: what the composition root provides to the host. */
export const core = Layer.mergeAll(catalogue, Admission.layer, Workload.layer).pipe(
  Layer.provideMerge(AddressLimiter.layer),
  Layer.provideMerge(SuppressionsMemory.layer),
  Layer.provideMerge(Layer.merge(MemoryPorts.layer, TemplateDrafter.layer)),
  Layer.provideMerge(Layer.sync(Replaced, () => new Map()))
)

/** Every line that the host logs, from debug up. */
class Logged extends Context.Service<Logged, Array<string>>()("@freehold/http-host/test/Logged") {
  static readonly layer = Layer.sync(Logged, () => [])
}

const logging = Layer.unwrap(Effect.gen(function*() {
  const lines = yield* Logged
  return Layer.merge(
    Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))]),
    Layer.succeed(References.MinimumLogLevel, "Debug")
  )
}))

export interface Received {
  readonly status: number
  readonly headers: Headers
  /** Of any shape: what it has is what is asserted. */
  readonly body: ReturnType<typeof JSON.parse>
  readonly text: string
}

export interface Sent {
  readonly headers?: Record<string, string>
  readonly json?: unknown
  readonly body?: NonNullable<RequestInit["body"]>
}

export class TestHost extends Context.Service<TestHost, {
  readonly port: number
  readonly logged: ReadonlyArray<string>
  call(method: string, path: string, sent?: Sent): Effect.Effect<Received>
  /** Lists somebody no more, or again. */
  suppress(subject: SuppressionSubject): Effect.Effect<void>
  lift(subject: SuppressionSubject): Effect.Effect<void>
  /** Replaces what an operation answers until the scope ends. */
  answering<Name extends keyof Operations>(
    name: Name,
    answer: () => ReturnType<Operations[Name]>
  ): Effect.Effect<void, never, EffectScope.Scope>
}>()("@freehold/http-host/test/TestHost") {
  static readonly layer = Layer.effect(
    TestHost,
    Effect.gen(function*() {
      const { address } = yield* HttpServer.HttpServer
      const replaced = yield* Replaced
      const logged = yield* Logged
      const suppressions = yield* Suppressions
      yield* Effect.orDie(seed)
      const port = "port" in address ? address.port : 0
      return TestHost.of({
        port,
        logged,
        call: (method, path, { body, headers, json } = {}) =>
          Effect.promise(async () => {
            const payload = json === undefined ? body : JSON.stringify(json)
            const response = await fetch(`http://127.0.0.1:${port}${path}`, {
              method,
              headers: { ...(json === undefined ? {} : { "content-type": "application/json" }), ...headers },
              redirect: "error",
              ...(payload === undefined ? {} : { body: payload, duplex: "half" })
            })
            const text = await response.text()
            return {
              status: response.status,
              headers: response.headers,
              text,
              body: response.headers.get("content-type") === "application/json" && text !== "" ? JSON.parse(text) : null
            }
          }),
        suppress: (subject) => Effect.orDie(Effect.asVoid(suppressions.suppress(subject))),
        lift: (subject) => Effect.orDie(Effect.asVoid(suppressions.lift(subject))),
        answering: (name, answer) =>
          Effect.acquireRelease(
            Effect.sync(() => {
              replaced.set(name, answer)
            }),
            () => Effect.sync(() => replaced.delete(name))
          )
      })
    })
  )
}

/** An operation that does not end, and tells when it has begun and when it was interrupted. */
export const hanging = Effect.gen(function*() {
  const started = yield* Deferred.make<void>()
  const interrupted = yield* Deferred.make<void>()
  const answer = () =>
    Deferred.succeed(started, undefined).pipe(
      Effect.andThen(Effect.never),
      Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
    )
  return { answer, started, interrupted }
})

const loopback = { host: "127.0.0.1", port: 0 }

/** A server of ours on a free port, with its lane. `left` is told of the requests that it leaves to Effect's server. */
export const withLane = (left: (request: IncomingMessage) => void = () => {}) =>
  Layer.suspend(() => {
    const server = NodeServer.create().on("request", left)
    return Layer.merge(NodeHttpServer.layerServer(() => server, loopback), NodeServer.lane(server))
  })

/** The same without: all requests go by Effect's server. */
export const withoutLane = NodeHttpServer.layerServer(NodeServer.create, loopback)

/** The host with `app` beside REST, if given, on a port of its own. */
export const layerWith = <E, R>(
  app: Layer.Layer<never, E, R>,
  listening: Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError> = withLane()
) =>
  TestHost.layer.pipe(
    Layer.provideMerge(RestHost.serve(app)),
    Layer.provide(listening),
    Layer.provide(logging),
    Layer.provide(Logged.layer),
    Layer.provide(core)
  )

export const layer = layerWith(RestHost.layer)

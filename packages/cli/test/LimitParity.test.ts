/** REST and MCP on one server say the same about limits: the code, the numbers, and what a success took. */
import { assert, layer } from "@effect/vitest"
import * as ApiKey from "@freehold/core/access/ApiKey"
import { KeyRing } from "@freehold/core/access/KeyRing"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import * as TemplateDrafter from "@freehold/core/research/TemplateDrafter"
import { contact, firm, property, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Redacted } from "effect"
import * as MemoryServer from "./MemoryServer.ts"

const county = "48085"
const propertyId = "00000000-0000-4000-8000-000000000001"
const contactId = "00000000-0000-4000-9000-000000000001"
const firmId = "00000000-0000-4000-a000-000000000001"
const secondId = "00000000-0000-4000-9000-000000000002"

const organization = (org_id: string, more: Partial<Organization>): Organization => ({
  ...defaults(org_id),
  plan: "enterprise",
  serviceable_area: { whole_state_abbrs: [], county_fips: [county] },
  entitlement: { nationwide: false, state_abbrs: [], county_fips: [county] },
  ...more
})

const live = (records: number): Partial<Organization> => ({
  features: { ...defaults("org_sample").features, records_allowance: true },
  records_allowance: { records, initial_load: 0, period: "calendar_month", overage: null },
  daily_limits: { records_taken_per_day: { service: 50 }, contact_reveal: { organization: 1 } }
})

const organizations = {
  paused: organization("org_paused", { daily_limits: { contact_reveal: { service: 0, organization: 0 } } }),
  exhausted: organization("org_exhausted", { ...live(0), daily_limits: { records_taken_per_day: { service: 50 } } }),
  taking: organization("org_taking", live(40))
}

type Tenant = keyof typeof organizations

const secretOf = (tenant: Tenant) => `fhk_${tenant}${"0".repeat(43)}`.slice(0, 47)

const seed = Effect.gen(function*() {
  const keyRing = yield* KeyRing
  const seeder = yield* Seeder
  yield* seeder.add({
    organizations: Object.values(organizations),
    properties: [property({ id: propertyId, countyFips: county })],
    contacts: [contact({ id: contactId, email: "one@people.example" }), contact({ id: secondId })],
    firms: [firm({ id: firmId, name: "Sample Owner" })],
    propertyFirms: [{ propertyId, firmId, role: "owner", attributionType: "county_record" }],
    relationships: [contactId, secondId].map((id) => ({
      propertyId,
      contactId: id,
      role: "asset_manager" as const,
      relationshipStatus: "current" as const,
      attributionType: "county_record"
    }))
  })
  for (const tenant of ["paused", "exhausted", "taking"] as const) {
    const secret = Redacted.make(secretOf(tenant))
    yield* keyRing.create({
      credentialId: `key_${tenant}`,
      orgId: organizations[tenant].org_id,
      name: tenant,
      label: ApiKey.label(tenant, secret),
      secretHash: yield* ApiKey.hash(secret),
      scopes: ["mcp", "data:read", "data:unlock", "leads:read_single"],
      dailyLimits: { records_taken_per_day: 50 }
    })
  }
})

const rest = (tenant: Tenant, method: string, path: string, json?: object) =>
  MemoryServer.send(secretOf(tenant), path, { method, ...(json === undefined ? {} : { body: JSON.stringify(json) }) })

const tool = (tenant: Tenant, name: string, input: object) =>
  Effect.map(
    MemoryServer.rpc(secretOf(tenant), "tools/call", { name, arguments: input }),
    ({ body, status }) => {
      assert.strictEqual(status, 200)
      return body.result
    }
  )

/** Seconds pass between two calls. */
const withoutSeconds = ({ retryAfterSeconds, ...rest }: Record<string, unknown>) => {
  assert.isNumber(retryAfterSeconds)
  return rest
}

layer(MemoryServer.layer(seed, TemplateDrafter.layer), { excludeTestServices: true })("REST and MCP", (it) => {
  it.effect("refuse a reveal and a record past a limit with the same code and detail (D4)", () =>
    Effect.gen(function*() {
      for (
        const [tenant, method, path, name, input, code] of [
          [
            "paused",
            "GET",
            `/contacts/${contactId}`,
            "service_get_contact",
            { id: contactId },
            "ACCOUNT_DAILY_CAP_EXCEEDED"
          ],
          [
            "paused",
            "POST",
            `/contacts/${contactId}/reveal`,
            "service_reveal_contact",
            { id: contactId },
            "ACCOUNT_DAILY_CAP_EXCEEDED"
          ],
          [
            "exhausted",
            "GET",
            `/properties/${propertyId}/detail`,
            "service_get_property",
            { id: propertyId },
            "RECORDS_ALLOWANCE_EXCEEDED"
          ],
          [
            "exhausted",
            "GET",
            `/leads/${propertyId}`,
            "service_get_lead_bundle",
            { property_id: propertyId },
            "RECORDS_ALLOWANCE_EXCEEDED"
          ]
        ] as const
      ) {
        const { body, status } = yield* rest(tenant, method, path)
        assert.deepStrictEqual([status, body.code], [429, code])
        const { content, isError, structuredContent } = yield* tool(tenant, name, input)
        assert.isTrue(isError)
        // A tool says besides what to do next.
        const { error, next, ...detail } = structuredContent
        assert.isObject(next)
        assert.strictEqual(error, body.error)
        assert.isTrue(content[0].text.startsWith(body.error))
        assert.deepStrictEqual(withoutSeconds(detail), withoutSeconds(body.meta))
      }
    }))

  it.effect("tell the same of one allowance: what a call took, and what is left", () =>
    Effect.gen(function*() {
      const detail = yield* rest("taking", "GET", `/properties/${propertyId}/detail`)
      const { taken: _, ...left } = detail.body.meta.records
      const twin = yield* tool("taking", "service_get_property", { id: propertyId })
      // What there is none of a tool may leave out.
      assert.containSubset(detail.body.data, twin.structuredContent)
      assert.deepStrictEqual(twin._meta, { records: { taken: 0, ...left } })
      const lead = yield* rest("taking", "GET", `/leads/${propertyId}`)
      const bundle = yield* tool("taking", "service_get_lead_bundle", { property_id: propertyId })
      assert.deepInclude(bundle._meta, { records: { ...lead.body.meta.records, taken: 0 } })
      const allowance = yield* rest("taking", "GET", "/allowance")
      const { structuredContent } = yield* tool("taking", "service_get_allowance", {})
      const { rate_limits: ours, ...same } = allowance.body.data
      const { rate_limits: theirs, ...twins } = structuredContent
      assert.deepStrictEqual(twins, same)
      assert.deepStrictEqual(theirs[0].used, ours[0].used + 1)
    }))

  it.effect("answer the same data about people and firms, and refuse the same", () =>
    Effect.gen(function*() {
      const twins: ReadonlyArray<readonly [string, string, object | undefined, string, object]> = [
        ["GET", "/contacts/search?query=sample&limit=5", undefined, "service_find_contacts", {
          query: "sample",
          limit: 5
        }],
        ["POST", "/contacts/browse", { limit: 1 }, "service_browse_contacts", { limit: 1 }],
        [
          "GET",
          `/contacts/${contactId}/relationships`,
          undefined,
          "service_get_contact_relationships",
          { id: contactId }
        ],
        ["POST", "/organizations/browse", { role: "owner" }, "service_browse_organizations", { role: "owner" }],
        ["GET", `/organizations/${firmId}`, undefined, "service_get_organization", { id: firmId }],
        ["GET", `/organizations/${firmId}/properties`, undefined, "service_get_organization_properties", { id: firmId }]
      ]
      for (const [method, path, json, name, input] of twins) {
        const { body, status } = yield* rest("taking", method, path, json)
        assert.strictEqual(status, 200, path)
        assert.deepStrictEqual((yield* tool("taking", name, input)).structuredContent, body.data, name)
      }
      const missing = yield* rest("taking", "GET", `/organizations/${contactId}`)
      // A tool says besides what else the id names, and what to do next.
      const { named, next, ...refused } = (yield* tool("taking", "service_get_organization", { id: contactId }))
        .structuredContent
      assert.isObject(next)
      assert.deepStrictEqual(named, [{ id: contactId, kind: "contact" }])
      assert.deepStrictEqual(refused, { ...missing.body.meta, error: missing.body.error })
    }))
})

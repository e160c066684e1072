/**
 * What a workspace says of tools that cannot be used now, held against a call of every tool in each state of one organization:
 * what is named is refused, and what is not named is not refused for a reason for which tools are named.
 */
import { assert, describe } from "@effect/vitest"
import { Caller, type CallerFacts } from "@freehold/core/access/Caller"
import type { Organization, OrganizationId } from "@freehold/core/organization/Organization"
import type { Member } from "@freehold/core/organization/Organizations"
import * as SampleGrant from "@freehold/core/testing/SampleGrant"
import { Seeder } from "@freehold/core/testing/Seed"
import { Toolbox } from "@freehold/mcp-host/Toolbox"
import { type Tool, tools } from "@freehold/mcp-host/Tools"
import { Effect, Schedule } from "effect"
import { idle, ids, organizations, over, person, worker } from "./ResearchScene.ts"

const orgId: OrganizationId = "org_states"

const base: Organization = {
  ...organizations.rich,
  org_id: orgId,
  features: { ...organizations.rich.features, signals: true },
  export_allowance: { max_exports_per_month: 1000, max_rows_per_month: 0 }
}

/** A state: what differs of the organization, of its member, and who calls. */
interface State {
  readonly organization?: Partial<Organization>
  readonly member?: Partial<Member>
  /** A key calls, and not the member. */
  readonly isKey?: true
  /** Granted beforehand. */
  readonly grant?: number
  /** What is named because of it. */
  readonly named: Readonly<Record<string, string>>
}

const without = (feature: "enrichments" | "lists" | "pipeline"): Partial<Organization> => ({
  features: { ...base.features, [feature]: false }
})

const each = (names: ReadonlyArray<string>, code: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [`service_${name}`, code]))

const ofPlaces = ["research_property", "research_properties"]
const alwaysPaid = [...ofPlaces, "research_contact", "research_organization", "draft_email"]
const moves = ["qualify_lead", "disqualify_lead", "update_lead_status"]
const noBundles = { export_allowance: { max_exports_per_month: 0, max_rows_per_month: 0 } }
const bundles = ["get_lead_bundle"]

/** In this order: of what was granted, nothing is spent. */
const states: Readonly<Record<string, State>> = {
  // First, while a lead is left to be moved.
  "has used up the day": {
    organization: {
      daily_limits: {
        agent_pipeline_change: { organization: 0 },
        paid_property_unlock: { organization: 0 },
        lead_export: { organization: 0 }
      }
    },
    named: each([...ofPlaces, ...bundles, ...moves], "DAILY_CAP_EXCEEDED")
  },
  "has no credits": { named: each(alwaysPaid, "INSUFFICIENT_CREDITS") },
  "has no credits and no free bundle": {
    organization: noBundles,
    named: each([...alwaysPaid, ...bundles], "INSUFFICIENT_CREDITS")
  },
  "has too few credits for some": {
    grant: 4,
    organization: noBundles,
    named: each(alwaysPaid.filter((name) => name !== "research_organization"), "INSUFFICIENT_CREDITS")
  },
  "has all it takes": { grant: 1000, named: {} },
  "has no free bundle": { organization: noBundles, named: {} },
  "calls by key": { isKey: true, named: {} },
  "has a member whose month is used up": {
    organization: noBundles,
    member: { monthlyCreditLimit: 0 },
    named: each([...alwaysPaid, ...bundles], "USER_CREDIT_LIMIT_EXCEEDED")
  },
  "has a member with something left": {
    // Of which 20 are spent.
    member: { monthlyCreditLimit: 25 },
    named: each(ofPlaces, "USER_CREDIT_LIMIT_EXCEEDED")
  },
  "has a member who only reads": { member: { role: "read_only" }, named: {} },
  "has a member who sees nothing": { member: { territory: { county_fips: [] } }, named: {} },
  "has no area": {
    organization: { serviceable_area: { whole_state_abbrs: [], county_fips: [] } },
    isKey: true,
    named: {}
  },
  "did not pay": { organization: { payment_status: "failed" }, named: each(alwaysPaid, "SUBSCRIPTION_PAYMENT_FAILED") },
  "did not pay, and has no free bundle": {
    organization: { ...noBundles, payment_status: "failed" },
    named: { ...each(alwaysPaid, "SUBSCRIPTION_PAYMENT_FAILED"), ...each(bundles, "PAYMENT_FAILED") }
  },
  "lies dormant": {
    organization: { ...noBundles, credits_dormant: true },
    named: each([...alwaysPaid, ...bundles], "CREDITS_DORMANT")
  },
  "has a plan without research": { organization: without("enrichments"), named: {} },
  "has a plan without lists": { organization: without("lists"), named: {} },
  "has a plan without the pipeline": { organization: without("pipeline"), named: {} },
  "has signals off": {
    organization: { features: { ...base.features, signals: false } },
    named: { service_get_changes: "SIGNALS_NOT_ENABLED" }
  },
  "lets no assistant move leads": {
    organization: { agent_pipeline_changes: false },
    named: each(moves, "MCP_QUALIFICATION_DISABLED")
  },
  "has its stages in a CRM": { organization: { crm_mode: "external" }, named: {} }
}

/** Why tools are named. */
const reasons: ReadonlySet<string> = new Set([
  "ACTING_USER_REQUIRED",
  "ROLE_NOT_PERMITTED",
  "FEATURE_GATED",
  "SIGNALS_NOT_ENABLED",
  "MCP_QUALIFICATION_DISABLED",
  "STAGE_CAPPED",
  "SCOPE_REQUIRED",
  "NO_VISIBLE_TERRITORY",
  "DAILY_CAP_EXCEEDED",
  "BILLING_NOT_PROVISIONED",
  "SUBSCRIPTION_PAYMENT_FAILED",
  "PAYMENT_FAILED",
  "CREDITS_DORMANT",
  "USER_CREDIT_LIMIT_EXCEEDED",
  "INSUFFICIENT_CREDITS"
])

/** What each tool is asked for: of what may be free, what is; nothing is paid. Others are asked for their own example. */
const asked = ({ runId, searchId }: { readonly runId: string; readonly searchId: string }) =>
  new Map<string, object>(
    Object.entries({
      search_properties: { filters: { countyFips: base.serviceable_area.county_fips } },
      get_property: { id: ids.researched },
      find_contacts: { query: "Sample" },
      get_contact: { id: ids.pLocked },
      reveal_property: { id: ids.covered },
      reveal_contact: { id: ids.pKnown },
      price_research: { action: "unlock_property", property_ids: [ids.covered] },
      research_property: { id: ids.plain },
      research_properties: { property_ids: [ids.plain] },
      get_research_status: { run_id: runId },
      research_contact: { id: ids.pKnown },
      research_organization: { id: ids.firm },
      find_email: { contact_id: ids.pKnown },
      deep_research_contact: { contact_id: ids.pThree },
      draft_email: { contact_id: ids.pThree },
      get_lead_bundle: { property_id: ids.covered },
      qualify_lead: { property_id: ids.plain, deal_value: 5000 },
      disqualify_lead: { property_id: ids.bare, reason_code: "too_small" },
      update_lead_status: { property_id: ids.bare, status: "attempted_contact" },
      list_notes: { property_id: ids.plain },
      run_saved_search: { saved_search_id: searchId }
    }).map(([name, input]) => [`service_${name}`, input])
  )

const callerOf = ({ isKey, member }: State, organization: Organization): CallerFacts => {
  const { credentialId, label, requestId, scopes: ofPerson, ...ana } = person("rich", "Ana", member)
  const scopes = [...ofPerson, "pipeline:transitions_full" as const]
  return isKey === true
    ? {
      kind: "key",
      territory: null,
      keyName: "sample",
      dailyLimits: {},
      requests: { minute: { limit: 1, used: 0, resetsAt: 0, admitted: true }, day: null },
      credentialId,
      label,
      requestId,
      scopes,
      organization
    }
    : { ...ana, credentialId, label, requestId, scopes, organization }
}

const call = (caller: CallerFacts, name: string, input: object) =>
  Toolbox.use((toolbox) => toolbox.call(`service_${name}`, input)).pipe(
    Effect.provideService(Caller, caller),
    // Of any shape: what it has is what is asserted.
    Effect.map(({ isError, structuredContent }): ReturnType<typeof JSON.parse> => ({
      ...structuredContent,
      refused: isError === true
    }))
  )

/** What is named to the caller, held against a call of every tool; answers the codes by the tools' names. */
const walked = Effect.fnUntraced(function*(
  who: string,
  caller: CallerFacts,
  seen: Parameters<typeof asked>[0]
) {
  const { tools_unavailable } = yield* call(caller, "describe_workspace", {})
  const named: Readonly<Record<string, string>> = Object.fromEntries(
    tools_unavailable.map(({ code, name }: Record<string, string>) => [name, code])
  )
  const inputs = asked(seen)
  for (const { exampleFor, operation: { effect }, published: { name } } of tools as ReadonlyArray<Tool>) {
    const input = { ...inputs.get(name) ?? exampleFor({}), ...effect === "spend" ? { maxCredits: 0 } : {} }
    const { code, refused } = yield* call(caller, name.slice("service_".length), input)
    const what = `${who}: ${name} ${code}`
    // Who never had credits has no strategy, which is asked for before the price.
    const expected = code === "STRATEGY_REQUIRED" ? "BILLING_NOT_PROVISIONED" : code
    if (name in named) assert.deepStrictEqual([refused, expected], [true, named[name]], what)
    else assert.isFalse(refused && reasons.has(code), what)
  }
  return named
})

describe("What a workspace says of tools", () => {
  const test = over(idle)

  test("is what a call of each comes to, in every state of an organization", () =>
    Effect.gen(function*() {
      const place = (organization: Organization) =>
        Seeder.use((seeder) => seeder.add({ organizations: [organization] }))
      yield* place(base)
      yield* SampleGrant.grant(orgId, 20, { ref: "first" })
      const rich = callerOf({ named: {} }, base)
      yield* call(rich, "qualify_lead", { property_id: ids.bare, deal_value: 5000 })
      // A strategy and an unlock, for which all of it goes.
      yield* call(rich, "reveal_property", { id: ids.researched })
      const { run_id: runId } = yield* call(rich, "deep_research_contact", { contact_id: ids.pThree })
      yield* call(rich, "get_research_status", { run_id: runId }).pipe(
        Effect.repeat({ schedule: Schedule.spaced("10 millis"), until: ({ status }) => status === "complete" }),
        Effect.provide(worker)
      )
      const search = { filters: { countyFips: base.serviceable_area.county_fips } }
      const { saved_search } = yield* call(rich, "save_search", { name: "Sample", search })
      for (const [who, state] of Object.entries(states)) {
        const organization = { ...base, ...state.organization }
        yield* place(organization)
        if (state.grant !== undefined) yield* SampleGrant.grant(orgId, state.grant, { ref: who })
        const named = yield* walked(who, callerOf(state, organization), { runId, searchId: saved_search.id })
        assert.deepInclude(named, state.named, who)
      }
    }))

  test("is that what was never paid for is not known, where there never was a grant", () =>
    Effect.gen(function*() {
      const key = callerOf({ isKey: true, named: {} }, organizations.fresh)
      const named = yield* walked("fresh", key, { runId: ids.nowhere, searchId: ids.nowhere })
      const launches = [...alwaysPaid, "deep_research_contact"].map((name) => `service_${name}`)
      assert.deepInclude(named, Object.fromEntries(launches.map((name) => [name, "BILLING_NOT_PROVISIONED"])))
      assert.notProperty(named, "service_find_email")
    }))
})

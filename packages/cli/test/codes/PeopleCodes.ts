import { people, places } from "./Records.ts"
import type { Org, Scenario } from "./Scenario.ts"

/** The member, signed in, reads an account on REST: whatever is wrong with them is told before anything else. */
const enter = async (org: Org, given?: Parameters<Org["signIn"]>[0]) => (await org.signIn(given)).api.call("GET /me")

/** The same at the entrance to the tools. */
const atTools = async (org: Org, given?: Parameters<Org["signIn"]>[0]) => (await org.signIn(given)).enter()

/** A tool, called by the signed-in member. */
const byMember = async (org: Org, name: string, args: object) => (await org.signIn()).tool(name, args)

export const peopleCodes = {
  INVALID_OAUTH_TOKEN: {
    member: {},
    rest: (org) => enter(org, { seconds: -60 }),
    entrance: (org) => atTools(org, { seconds: -60 }),
    detail: {},
    next: { ask: "member" }
  },
  NOT_A_MEMBER: {
    member: { status: "removed" },
    rest: (org) => enter(org),
    entrance: (org) => atTools(org),
    detail: {},
    next: { ask: "admin" }
  },
  MEMBER_CONNECT_DISABLED: {
    org: { member_connect: "admins" },
    member: {},
    rest: (org) => enter(org),
    entrance: (org) => atTools(org),
    detail: {},
    next: { ask: "admin" }
  },
  GRANT_REVOKED: {
    member: {},
    before: async (org) => {
      await enter(org)
      await org.command("member", "revoke-grant", "--org", org.orgId, "--email", org.email)
    },
    rest: (org) => enter(org),
    entrance: (org) => atTools(org),
    detail: {},
    next: { ask: "admin" }
  },
  IDENTITY_UNRESOLVED: {
    member: {},
    rest: (org) => org.holding("LOCK TABLE member IN ACCESS EXCLUSIVE MODE", () => enter(org)),
    entrance: (org) => org.holding("LOCK TABLE member IN ACCESS EXCLUSIVE MODE", () => atTools(org)),
    detail: { retryAfterSeconds: 1 },
    next: { retry_after_seconds: 1 }
  },
  ACTING_USER_NOT_SUPPORTED: { member: {}, rest: (org) => enter(org), detail: {} },
  NO_ACTIVE_SEAT: {
    member: { seat: false },
    tool: (org) => byMember(org, "service_get_credit_balance", {}),
    detail: {},
    next: { ask: "admin" }
  },
  ROLE_NOT_PERMITTED: {
    member: { role: "read_only" },
    tool: (org) => byMember(org, "service_reveal_contact", { id: people.atResearched }),
    detail: { role: "read_only" },
    next: { ask: "admin" }
  },
  USER_CREDIT_LIMIT_EXCEEDED: {
    member: { monthly_credit_limit: 9 },
    tool: (org) => byMember(org, "service_reveal_property", { id: places.researched }),
    detail: { required: 10, available: 9, limit: 9 },
    next: { ask: "admin" }
  },
  OFFSET_REQUIRES_SORT: {
    member: {},
    tool: async (org) => {
      const { tool } = await org.signIn()
      const search = { filters: { countyFips: ["53903"] } }
      const { content } = await tool("service_save_search", { name: "Sample", search })
      return tool("service_run_saved_search", { saved_search_id: content.saved_search.id, offset: 1 })
    },
    detail: { issues: [{ field: "sortBy" }] },
    next: ({ args }) => ({ tool: "service_run_saved_search", arguments: { ...args, sortBy: "address" } })
  },
  ORG_SUSPENSION_UNAVAILABLE: {
    rest: ({ elsewhere }) => elsewhere("suspended", ({ api }) => api.call("GET /me")),
    entrance: ({ elsewhere }) => elsewhere("suspended", ({ enter }) => enter()),
    detail: { retryAfterSeconds: 1 },
    next: { retry_after_seconds: 1 }
  },
  ACCOUNT_CLOSURE_CHECK_UNAVAILABLE: {
    rest: ({ elsewhere }) => elsewhere("closed", ({ api }) => api.call("GET /me")),
    entrance: ({ elsewhere }) => elsewhere("closed", ({ enter }) => enter()),
    detail: { retryAfterSeconds: 1 },
    next: { retry_after_seconds: 1 }
  },
  COMPLIANCE_CHECK_UNAVAILABLE: {
    rest: ({ api, cutOff }) => cutOff("property", () => api.call("GET /leads/{id}", { id: places.covered })),
    tool: ({ cutOff, tool }) =>
      cutOff("property", () => tool("service_get_lead_bundle", { property_id: places.covered })),
    detail: { retryAfterSeconds: 1 },
    next: { retry_after_seconds: 1 }
  }
} as const satisfies Readonly<Record<string, Scenario>>

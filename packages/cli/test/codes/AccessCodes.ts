import { people, places } from "./Records.ts"
import { later, type Org, type Scenario, seconds } from "./Scenario.ts"

/** Counts nothing for the organization's key meanwhile. */
const whileCounting = <A>({ holding, orgId }: Org, call: () => Promise<A>): Promise<A> =>
  holding(
    `SELECT FROM credential_window w JOIN credential c USING (credential_id) WHERE c.org_id = '${orgId}' FOR UPDATE OF w`,
    call
  )

export const accessCodes = {
  SCOPE_NOT_GRANTED: {
    key: { scopes: ["events:read"] },
    rest: ({ api }) => api.call("GET /account"),
    entrance: ({ enter }) => enter(),
    detail: { scope: (scope: unknown) => scope === "account:read" || scope === "mcp" },
    next: { ask: "admin" }
  },
  UPGRADE_REQUIRED: {
    org: { plan: "team" },
    rest: ({ api }) => api.call("GET /properties/{id}/detail", { id: places.researched }),
    entrance: ({ enter }) => enter(),
    detail: { feature: "apiAccess", minimumTier: "enterprise" },
    next: { ask: "operator" }
  },
  ORG_SUSPENDED: {
    org: { status: "suspended" },
    rest: ({ api }) => api.call("GET /me"),
    entrance: ({ enter }) => enter(),
    detail: {},
    next: { ask: "operator" }
  },
  ACCOUNT_CLOSED: {
    org: { status: "closed" },
    rest: ({ api }) => api.call("GET /me"),
    entrance: ({ enter }) => enter(),
    detail: {},
    next: { ask: "operator" }
  },
  rate_limited: {
    org: { requests_per_minute: 0 },
    rest: ({ api }) => api.call("GET /me"),
    entrance: ({ enter }) => enter(),
    detail: { retryAfterSeconds: seconds, limit: { name: "requests_per_minute", level: 1, value: 0, used: 0 } },
    next: later
  },
  rate_limit_unavailable: {
    before: ({ api }) => api.call("GET /me"),
    rest: (org) => whileCounting(org, () => org.api.call("GET /me")),
    entrance: (org) => whileCounting(org, org.enter),
    detail: { retryAfterSeconds: 1 },
    next: { retry_after_seconds: 1 }
  },
  DAILY_REQUEST_LIMIT_EXCEEDED: {
    org: { requests_per_day: 0 },
    rest: ({ api }) => api.call("GET /me"),
    entrance: ({ enter }) => enter(),
    detail: { retryAfterSeconds: seconds, limit: { name: "requests_per_day", level: 1, value: 0 } },
    next: { ask: "operator" }
  },
  CREDENTIAL_LIMIT_REACHED: {
    org: { keys: [..."bcdefghij"].map((name) => ({ name, scopes: [] })) },
    command: ({ command, orgId }) => command("key", "create", "--org", orgId, "--name", "k", "--scopes", "data:read"),
    detail: {}
  },
  ACTING_USER_REQUIRED: {
    tool: ({ tool }) => tool("service_add_note", { property_id: places.researched, content: "Made up." }),
    detail: {},
    next: { ask: "member" }
  },
  INVALID_ARGUMENTS: {
    tool: ({ tool }) => tool("service_get_contact", { id: people.atResearched, unknown: true }),
    detail: { issues: [{ field: "unknown", message: "Unknown key" }] },
    next: { tool: "service_get_contact", arguments: { id: people.atResearched }, example: true }
  }
} as const satisfies Readonly<Record<string, Scenario>>

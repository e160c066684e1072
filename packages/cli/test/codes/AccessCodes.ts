import { people, places } from "./Records.ts"
import { type Scenario, seconds } from "./Scenario.ts"

export const accessCodes = {
  SCOPE_NOT_GRANTED: {
    key: { scopes: ["events:read"] },
    rest: ({ api }) => api.call("GET /account"),
    detail: { scope: "account:read" }
  },
  UPGRADE_REQUIRED: {
    org: { plan: "team" },
    rest: ({ api }) => api.call("GET /properties/{id}/detail", { id: places.researched }),
    detail: { feature: "apiAccess", minimumTier: "enterprise" }
  },
  ORG_SUSPENDED: { org: { status: "suspended" }, rest: ({ api }) => api.call("GET /me"), detail: {} },
  ACCOUNT_CLOSED: { org: { status: "closed" }, rest: ({ api }) => api.call("GET /me"), detail: {} },
  rate_limited: {
    org: { requests_per_minute: 0 },
    rest: ({ api }) => api.call("GET /me"),
    detail: { retryAfterSeconds: seconds, limit: { name: "requests_per_minute", level: 1, value: 0, used: 0 } }
  },
  rate_limit_unavailable: {
    before: ({ api }) => api.call("GET /me"),
    rest: ({ api, holding, orgId }) =>
      holding(
        `SELECT FROM credential_window w JOIN credential c USING (credential_id) WHERE c.org_id = '${orgId}' FOR UPDATE OF w`,
        () => api.call("GET /me")
      ),
    detail: { retryAfterSeconds: 1 }
  },
  DAILY_REQUEST_LIMIT_EXCEEDED: {
    org: { requests_per_day: 0 },
    rest: ({ api }) => api.call("GET /me"),
    detail: { retryAfterSeconds: seconds, limit: { name: "requests_per_day", level: 1, value: 0 } }
  },
  CREDENTIAL_LIMIT_REACHED: {
    org: { keys: [..."bcdefghij"].map((name) => ({ name, scopes: [] })) },
    command: ({ command, orgId }) => command("key", "create", "--org", orgId, "--name", "k", "--scopes", "data:read"),
    detail: {}
  },
  ACTING_USER_REQUIRED: {
    tool: ({ tool }) => tool("service_add_note", { property_id: places.researched, content: "Made up." }),
    detail: {}
  },
  INVALID_ARGUMENTS: {
    tool: ({ tool }) => tool("service_get_contact", { id: people.atResearched, unknown: true }),
    detail: { issues: [{ field: "unknown", message: "Unknown key" }] }
  }
} as const satisfies Readonly<Record<string, Scenario>>

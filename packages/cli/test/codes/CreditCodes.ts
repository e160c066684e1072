import { licensed, open, people, places } from "./Records.ts"
import { later, type Org, type Scenario, seconds, time } from "./Scenario.ts"

const unlock = ({ api }: Org) => api.call("POST /properties/{id}/unlock", { id: places.researched })
const unlockTool = ({ tool }: Org) => tool("service_reveal_property", { id: places.researched })
const readCovered = ({ api }: Org) => api.call("GET /contacts/{id}", { id: people.atCovered })
const readCoveredTool = ({ tool }: Org) => tool("service_get_contact", { id: people.atCovered })

const capped = (layer: string) => ({
  usedToday: 0,
  cap: 0,
  remainingToday: 0,
  resetsAt: time,
  retryAfterSeconds: seconds,
  limit: { name: "contact_reveal", level: 2, layer, value: 0, used: 0, resets_at: time }
})

const allowance = (records: number) => ({
  features: { records_allowance: true },
  records_allowance: { records, initial_load: 0, period: "calendar_month", overage: null }
})

/** Starts a paid action, which waits for the account, and answers what the same is told meanwhile. */
const meanwhile = async <A>(org: Org, first: () => Promise<unknown>, second: () => Promise<A>) => {
  // The account's row exists once something was spent.
  await org.api.call("POST /properties/{id}/unlock", { id: places.spare })
  const { answer, started } = await org.holding(
    `SELECT FROM credit_account WHERE org_id = '${org.orgId}' FOR UPDATE`,
    async ({ waiting }) => {
      const running = first()
      await waiting()
      return { answer: await second(), started: { running } }
    }
  )
  await started.running
  return answer
}

const once = { headers: { "idempotency-key": "sample" } }

const twice = <A>(org: Org, act: () => Promise<A>) => meanwhile(org, act, act)

export const creditCodes = {
  INSUFFICIENT_CREDITS: {
    org: { grants: [{ ref: "few", bucket: "purchased", amount: 4 }] },
    rest: unlock,
    tool: unlockTool,
    detail: { required: 10, available: 4 },
    next: { ask: "admin" }
  },
  CREDITS_DORMANT: {
    org: { credits_dormant: true },
    rest: unlock,
    tool: unlockTool,
    detail: {},
    next: { ask: "operator" }
  },
  PAYMENT_FAILED: {
    org: { payment_status: "failed" },
    rest: unlock,
    tool: unlockTool,
    detail: {},
    next: { ask: "admin" }
  },
  ACCOUNT_DAILY_CAP_EXCEEDED: {
    org: { daily_limits: { contact_reveal: { service: 0 } } },
    rest: readCovered,
    tool: readCoveredTool,
    detail: capped("greenfinch_admin"),
    next: { ask: "operator" }
  },
  DAILY_CAP_EXCEEDED: {
    org: { daily_limits: { contact_reveal: { organization: 0 } } },
    rest: readCovered,
    tool: readCoveredTool,
    detail: capped("organization"),
    next: { ask: "admin" }
  },
  CREDENTIAL_DAILY_CAP_EXCEEDED: {
    key: { daily_limits: { contact_reveal: 0 } },
    rest: readCovered,
    tool: readCoveredTool,
    detail: capped("key"),
    next: { ask: "admin" }
  },
  RECORDS_ALLOWANCE_EXCEEDED: {
    org: { ...allowance(0), daily_limits: { records_taken_per_day: { service: 100 } } },
    key: { daily_limits: { records_taken_per_day: 100 } },
    rest: readCovered,
    tool: readCoveredTool,
    detail: {
      retryAfterSeconds: seconds,
      limit: { name: "records_allowance", level: 3, value: 0, used: 0, remaining: 0, period_ends_at: time }
    },
    next: { ask: "operator" }
  },
  COST_CONFIRMATION_REQUIRED: {
    tool: ({ tool }) => tool("service_reveal_property", { id: places.researched, maxCredits: 9 }),
    detail: { projectedCredits: 10, maxCredits: 9, balance: 1000 },
    next: { tool: "service_reveal_property", arguments: { id: places.researched, maxCredits: 10 } }
  },
  ACTION_IN_PROGRESS: {
    rest: (org) => meanwhile(org, () => unlockTool(org), () => unlock(org)),
    tool: (org) => twice(org, () => org.tool("service_reveal_contact", { id: people.atResearched })),
    detail: { retryAfterSeconds: 1 },
    next: { retry_after_seconds: 1 }
  },
  CREDIT_ACTION_IN_PROGRESS: {
    tool: (org) => twice(org, () => org.tool("service_research_property", { id: places.unreadToo })),
    detail: { retryAfterSeconds: seconds },
    next: later
  },
  RESEARCH_LAUNCH_BUSY: {
    tool: (org) =>
      twice(
        org,
        () => org.tool("service_research_properties", { property_ids: [places.unreadThree], maxCredits: 100 })
      ),
    detail: { retryAfterSeconds: seconds },
    next: later
  },
  SUBSCRIPTION_PAYMENT_FAILED: {
    org: { payment_status: "failed" },
    tool: ({ tool }) => tool("service_research_property", { id: places.bare }),
    detail: {},
    next: { ask: "admin" }
  },
  BILLING_NOT_PROVISIONED: {
    org: { grants: [] },
    tool: ({ tool }) => tool("service_research_property", { id: places.bare }),
    detail: {},
    next: { ask: "operator" }
  },
  IDEMPOTENCY_KEY_REUSED: {
    before: ({ api }) => api.call("POST /properties/{id}/unlock", { id: places.spare }, once),
    rest: ({ api }) => api.call("POST /properties/{id}/unlock", { id: places.researched }, once),
    detail: {}
  },
  IDEMPOTENCY_KEY_IN_PROGRESS: {
    rest: (org) => {
      const unlocked = (api: Org["api"]) => () =>
        api.call("POST /properties/{id}/unlock", { id: places.researched }, once)
      return meanwhile(org, unlocked(org.aside), unlocked(org.api))
    },
    detail: { retryAfterSeconds: seconds }
  },
  IDEMPOTENCY_ROOM_EXHAUSTED: {
    before: ({ credentialId, holding, orgId }) =>
      holding(
        `INSERT INTO idempotent_answer (
          org_id, credential_id, key, operation, fingerprint, answer_sealed, must_replay, room_end, expires_at
        ) SELECT '${orgId}', '${credentialId}', number, 'service_get_lead_bundle', '', '', true, number * 70000000,
          now() + interval '1 hour' FROM generate_series(1, 2) number`,
        () => Promise.resolve()
      ),
    rest: ({ api }) => api.call("GET /leads/{id}", { id: places.covered }, once),
    detail: { retryAfterSeconds: seconds }
  },
  FEATURE_GATED: {
    org: { features: { lists: false } },
    rest: ({ api }) => api.call("POST /lists", { list_name: "Sample", list_type: "properties" }),
    tool: ({ tool }) => tool("service_create_list", { list_name: "Sample", list_type: "properties" }),
    detail: { feature: "lists" },
    next: { ask: "operator" }
  },
  NOT_ENTITLED: {
    rest: ({ api }) => api.call("GET /leads/{id}", { id: places.researched }),
    tool: ({ tool }) => tool("service_get_lead_bundle", { property_id: places.researched }),
    detail: {},
    next: { tool: "service_reveal_property", arguments: { id: places.researched, maxCredits: 0 } }
  },
  NO_VISIBLE_TERRITORY: {
    org: { serviceable_area: { county_fips: [] } },
    rest: ({ api }) => api.call("POST /properties/search", { filters: { countyFips: [open, licensed] } }),
    tool: ({ tool }) => tool("service_search_properties", { filters: { countyFips: [open, licensed] } }),
    detail: { cause: "no_serviceable_area" },
    next: { tool: "service_request_coverage", arguments: { county_fips: [open, licensed] } }
  }
} as const satisfies Readonly<Record<string, Scenario>>

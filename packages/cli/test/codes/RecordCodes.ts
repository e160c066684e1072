import { outside, people, places } from "./Records.ts"
import { later, type Org, type Scenario, seconds } from "./Scenario.ts"

const search = (body: { readonly [key: string]: unknown }): Pick<Scenario, "rest" | "tool"> => ({
  rest: ({ api }) => api.call("POST /properties/search", body),
  tool: ({ tool }) => tool("service_search_properties", body)
})

/** A list of the organization; answers its id. */
const list = async ({ api }: Org, type: "properties" | "contacts"): Promise<string> => {
  const answer = await api.call("POST /lists", { list_name: `Sample ${type}`, list_type: type })
  return answer.success ? answer.data.list.id : answer.error
}

const issuesOn = (field: string) => ({ issues: [{ field }] })

/** The first page of a search by address; answers its cursor. */
const cursorOf = async ({ api }: Org): Promise<string> => {
  const answer = await api.call("POST /properties/search", { query: "nonesuch", sortBy: "address", limit: 1 })
  return answer.success ? String(answer.data.next_cursor) : answer.error
}

const withCursor = async (org: Org, more: { readonly sortBy: "city" | "address"; readonly query: string }) => ({
  ...more,
  cursor: await cursorOf(org)
})

const elsewhere = { sortBy: "address", query: "avenue" } as const
const otherSort = { sortBy: "city", query: "nonesuch" } as const

/** What is part of the address only the person knows. */
const byAddress = { tool: "service_search_properties", missing: ["query"] }

export const recordCodes = {
  OUT_OF_TERRITORY: {
    rest: ({ api }) => api.call("GET /properties/{id}/detail", { id: places.outside }),
    tool: ({ tool }) => tool("service_get_property", { id: places.outside }),
    detail: { reason: "subscription" },
    next: { tool: "service_request_coverage", arguments: { county_fips: [outside] } }
  },
  NOT_FOUND: {
    rest: ({ api }) => api.call("GET /properties/{id}/detail", { id: places.nowhere }),
    tool: ({ tool }) => tool("service_get_property", { id: places.nowhere }),
    detail: { resource: "property" },
    next: byAddress
  },
  PROPERTY_RETIRED: {
    rest: ({ api }) => api.call("GET /properties/{id}/detail", { id: places.retired }),
    tool: ({ tool }) => tool("service_get_property", { id: places.retired }),
    detail: { successorPropertyId: places.researched },
    next: { tool: "service_get_property", arguments: { id: places.researched } }
  },
  NOT_RESEARCHED: {
    rest: ({ api }) => api.call("POST /properties/{id}/unlock", { id: places.bare }),
    tool: ({ tool }) => tool("service_reveal_property", { id: places.bare }),
    detail: {},
    next: { tool: "service_research_property", arguments: { id: places.bare, maxCredits: 0 } }
  },
  PROPERTY_NOT_AVAILABLE: {
    rest: async (org) =>
      org.api.call("POST /lists/{id}/items", { id: await list(org, "properties"), item_ids: [places.outside] }),
    tool: async (org) =>
      org.tool("service_add_to_list", { list_id: await list(org, "properties"), item_ids: [places.outside] }),
    detail: { item_ids: [places.outside] },
    next: byAddress
  },
  CONTACT_NOT_AVAILABLE: {
    rest: async (org) =>
      org.api.call("POST /lists/{id}/items", { id: await list(org, "contacts"), item_ids: [places.nowhere] }),
    tool: async (org) =>
      org.tool("service_add_to_list", { list_id: await list(org, "contacts"), item_ids: [places.nowhere] }),
    detail: { item_ids: [places.nowhere] },
    next: { tool: "service_browse_contacts", arguments: { limit: 10 } }
  },
  LIST_NOT_FOUND: {
    tool: ({ tool }) => tool("service_get_list_items", { list_id: places.nowhere }),
    detail: {},
    next: { tool: "service_list_lists", arguments: {} }
  },
  WRONG_LIST_TYPE: {
    tool: async (org) =>
      org.tool("service_add_to_list", { list_id: await list(org, "contacts"), item_ids: [places.researched] }),
    detail: { list_type: "contacts", field: "item_ids" },
    next: { tool: "service_list_lists", arguments: { type: "properties" } }
  },
  NAME_IN_USE: {
    before: (org) => list(org, "properties"),
    tool: ({ tool }) => tool("service_create_list", { list_name: "SAMPLE properties", list_type: "properties" }),
    detail: { resource: "list" },
    next: ({ args }) => ({ tool: "service_create_list", arguments: { ...args, reuse_existing_by_name: true } })
  },
  MISSING_QUERY_BOUNDS_OR_COUNTY: {
    ...search({ filters: { minYearBuilt: 1990 } }),
    detail: issuesOn("filters"),
    next: {
      tool: "service_search_properties",
      arguments: { filters: { minYearBuilt: 1990 } },
      missing: ["filters.countyFips"]
    }
  },
  AMBIGUOUS_SEARCH_MODE: {
    ...search({ query: "nonesuch", filters: { countyFips: ["53903"] } }),
    detail: { issues: (issues: unknown) => Array.isArray(issues) && issues.length > 0 },
    next: { tool: "service_search_properties", arguments: { filters: { countyFips: ["53903"] } } }
  },
  INVALID_CURSOR: {
    rest: async (org) => org.api.call("POST /properties/search", await withCursor(org, elsewhere)),
    tool: async (org) => org.tool("service_search_properties", await withCursor(org, elsewhere)),
    detail: issuesOn("cursor"),
    next: { tool: "service_search_properties", arguments: elsewhere }
  },
  CURSOR_SORT_MISMATCH: {
    rest: async (org) => org.api.call("POST /properties/search", await withCursor(org, otherSort)),
    tool: async (org) => org.tool("service_search_properties", await withCursor(org, otherSort)),
    detail: issuesOn("cursor"),
    next: { tool: "service_search_properties", arguments: otherSort }
  },
  SIGNALS_NOT_ENABLED: {
    rest: ({ api }) => api.call("POST /contacts/browse", { changedWithinDays: 30 }),
    tool: ({ tool }) => tool("service_browse_contacts", { changedWithinDays: 30 }),
    detail: issuesOn("changedWithinDays"),
    next: { ask: "operator" }
  },
  TEMPORARILY_UNAVAILABLE: {
    rest: ({ api, cutOff }) => cutOff("list", () => api.call("GET /lists")),
    tool: ({ cutOff, tool }) => cutOff("list", () => tool("service_list_lists", {})),
    detail: { retryAfterSeconds: seconds },
    next: later
  },
  WEBHOOK_ENDPOINT_LIMIT_REACHED: {
    before: async ({ api }) => {
      for (const name of "abcdefghij") await api.call("POST /webhooks", { url: `https://${name}.example/` })
    },
    rest: ({ api }) => api.call("POST /webhooks", { url: "https://k.example/" }),
    detail: {}
  },
  WEBHOOK_ENDPOINT_TOTAL_LIMIT_REACHED: {
    before: async ({ api }) => {
      for (let number = 0; number < 100; number++) {
        const made = await api.call("POST /webhooks", { url: `https://n${number}.example/` })
        if (made.success) await api.call("DELETE /webhooks/{id}", { id: made.data.endpoint.id })
      }
    },
    rest: ({ api }) => api.call("POST /webhooks", { url: "https://last.example/" }),
    detail: {}
  },
  PROPERTY_UNLOCK_REQUIRED: {
    tool: ({ tool }) => tool("service_research_contact", { id: people.atResearched }),
    detail: { property_id: places.researched },
    next: { tool: "service_reveal_contact", arguments: { id: people.atResearched, maxCredits: 0 } }
  }
} as const satisfies Readonly<Record<string, Scenario>>

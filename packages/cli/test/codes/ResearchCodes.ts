import { people, places } from "./Records.ts"
import { type Expected, later, type Org, type Scenario, seconds } from "./Scenario.ts"

const support = { subject: "Sample", message: "Made up." }

const tooMany = Array.from(
  { length: 101 },
  (_, number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`
)

const isText = (value: unknown): boolean => typeof value === "string"

/** How the run stands that is in the way. */
const runStatus: Expected = ({ content }) => ({
  tool: "service_get_research_status",
  arguments: { run_id: content.run_id }
})

const research = ({ tool }: Org, id: string) => tool("service_research_property", { id })
const batch = ({ tool }: Org, property_ids: ReadonlyArray<string>) =>
  tool("service_research_properties", { property_ids, maxCredits: 10_000 })

export const researchCodes = {
  ALREADY_RESEARCHING: {
    before: (org) => research(org, places.unread),
    tool: (org) => research(org, places.unread),
    detail: { run_id: isText },
    next: runStatus
  },
  BATCH_ALREADY_RUNNING: {
    before: (org) => batch(org, [places.spare]),
    tool: (org) => batch(org, [places.researched]),
    detail: { run_id: isText },
    next: runStatus
  },
  BATCH_TOO_LARGE: {
    tool: (org) => batch(org, tooMany),
    detail: { maximum: 100, given: 101 },
    next: {
      tool: "service_research_properties",
      arguments: { property_ids: tooMany.slice(0, 100), maxCredits: 10_000 }
    }
  },
  EMPTY_SELECTION: {
    tool: (org) => batch(org, [places.outside, places.nowhere]),
    detail: {},
    next: { tool: "service_search_properties", missing: ["query"] }
  },
  CONTACT_REVEAL_REQUIRED: {
    tool: ({ tool }) => tool("service_find_email", { contact_id: people.atBare }),
    detail: {},
    next: { tool: "service_reveal_contact", arguments: { id: people.atBare, maxCredits: 0 } }
  },
  STRATEGY_REQUIRED: {
    before: ({ tool }) => tool("service_reveal_property", { id: places.researched }),
    tool: ({ tool }) => tool("service_draft_email", { contact_id: people.atResearched }),
    detail: {},
    next: {
      tool: "service_deep_research_contact",
      arguments: { contact_id: people.atResearched, maxCredits: 0 }
    }
  },
  DO_NOT_CONTACT: {
    tool: ({ tool }) => tool("service_draft_email", { contact_id: people.notEmailed }),
    detail: { channel: "email" },
    next: { tool: "service_get_contact", arguments: { id: people.notEmailed } }
  },
  RATE_LIMITED: {
    before: async ({ tool }) => {
      let asked = await tool("service_request_support", support)
      for (let times = 1; times < 100 && !asked.isError; times++) asked = await tool("service_request_support", support)
    },
    tool: ({ tool }) => tool("service_request_support", support),
    detail: { kind: "support", retryAfterSeconds: seconds },
    next: later
  }
} as const satisfies Readonly<Record<string, Scenario>>

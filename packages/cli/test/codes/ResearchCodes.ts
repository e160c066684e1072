import { people, places } from "./Records.ts"
import { type Org, type Scenario, seconds } from "./Scenario.ts"

const support = { subject: "Sample", message: "Made up." }

const research = ({ tool }: Org, id: string) => tool("service_research_property", { id })
const batch = ({ tool }: Org, property_ids: ReadonlyArray<string>) =>
  tool("service_research_properties", { property_ids, maxCredits: 10_000 })

export const researchCodes = {
  ALREADY_RESEARCHING: {
    before: (org) => research(org, places.unread),
    tool: (org) => research(org, places.unread),
    detail: {}
  },
  BATCH_ALREADY_RUNNING: {
    before: (org) => batch(org, [places.spare]),
    tool: (org) => batch(org, [places.researched]),
    detail: { run_id: (id: unknown) => typeof id === "string" }
  },
  BATCH_TOO_LARGE: {
    tool: (org) =>
      batch(
        org,
        Array.from({ length: 101 }, (_, number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`)
      ),
    detail: { maximum: 100, given: 101 }
  },
  EMPTY_SELECTION: { tool: (org) => batch(org, [places.outside, places.nowhere]), detail: {} },
  CONTACT_REVEAL_REQUIRED: {
    tool: ({ tool }) => tool("service_find_email", { contact_id: people.atBare }),
    detail: {}
  },
  STRATEGY_REQUIRED: {
    before: ({ tool }) => tool("service_reveal_property", { id: places.researched }),
    tool: ({ tool }) => tool("service_draft_email", { contact_id: people.atResearched }),
    detail: {}
  },
  DO_NOT_CONTACT: {
    tool: ({ tool }) => tool("service_draft_email", { contact_id: people.notEmailed }),
    detail: { channel: "email" }
  },
  RATE_LIMITED: {
    before: async ({ tool }) => {
      let asked = await tool("service_request_support", support)
      for (let times = 1; times < 100 && !asked.isError; times++) asked = await tool("service_request_support", support)
    },
    tool: ({ tool }) => tool("service_request_support", support),
    detail: { kind: "support", retryAfterSeconds: seconds }
  }
} as const satisfies Readonly<Record<string, Scenario>>

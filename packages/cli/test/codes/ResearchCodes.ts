import { people, places } from "./Records.ts"
import type { Org, Scenario } from "./Scenario.ts"

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
    before: ({ tool }) => tool("service_reveal_contact", { id: people.atResearched }),
    tool: ({ tool }) => tool("service_draft_email", { contact_id: people.atResearched }),
    detail: {}
  },
  RATE_LIMITED: {
    before: async (org) => {
      await org.sql(
        `INSERT INTO research_run (org_id, id, action, batch, actor, created_at, finished_at) SELECT '${org.orgId}', ` +
          "gen_random_uuid(), 'find_email', false, '{}', now(), now() FROM generate_series(1, 1000)"
      )
    },
    tool: (org) => research(org, places.bare),
    detail: { kind: "research" }
  }
} as const satisfies Readonly<Record<string, Scenario>>

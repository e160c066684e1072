import { places } from "./Records.ts"
import type { Org, Scenario } from "./Scenario.ts"

const property_id = places.researched

const qualify = ({ tool }: Org) => tool("service_qualify_lead", { property_id, deal_value: 25_000 })
const disqualify = ({ tool }: Org) => tool("service_disqualify_lead", { property_id, reason_code: "bad_data" })
const move = ({ tool }: Org, status: string, more: object = {}) =>
  tool("service_update_lead_status", { property_id, status, ...more })
const writeBack = ({ api }: Org) => api.call("POST /leads/{id}/status", { id: property_id, status: "won" })

/** An admin allows all stages. */
const allowed = async (org: Org) => {
  await org.command("key", "allow", org.credentialId, "pipeline:transitions_full")
  await qualify(org)
}

/** How the lead came to be where it is. */
const history = { tool: "service_get_lead_history", arguments: { property_id } }

const external = { crm_mode: "external" } as const

export const pipelineCodes = {
  NO_PIPELINE_RECORD: {
    org: external,
    rest: writeBack,
    tool: disqualify,
    detail: {},
    next: { tool: "service_get_pipeline", arguments: {} }
  },
  CRM_MODE_NOT_EXTERNAL: { before: qualify, rest: writeBack, detail: {} },
  CHANGED_IN_FLIGHT: {
    org: external,
    before: qualify,
    rest: (org) =>
      org.holding(`UPDATE lead SET version = version + 1 WHERE org_id = '${org.orgId}'`, async ({ waiting }) => {
        const answer = writeBack(org)
        await waiting()
        return { answer }
      }).then(({ answer }) => answer),
    detail: {}
  },
  STAGE_CAPPED: {
    org: external,
    before: allowed,
    tool: (org) => move(org, "won"),
    detail: { status: "won" },
    next: { ask: "member" }
  },
  MCP_QUALIFICATION_DISABLED: {
    org: { agent_pipeline_changes: false },
    tool: qualify,
    detail: {},
    next: { ask: "admin" }
  },
  SCOPE_REQUIRED: {
    key: { scopes: ["mcp"] },
    before: qualify,
    tool: (org) => move(org, "attempted_contact"),
    detail: { scope: "pipeline:transitions_full" },
    next: { ask: "admin" }
  },
  DEAL_VALUE_REQUIRED: {
    tool: ({ tool }) => tool("service_qualify_lead", { property_id, deal_value: 1 }),
    detail: {},
    next: { tool: "service_qualify_lead", arguments: { property_id }, missing: ["deal_value"] }
  },
  INVALID_LOSS_REASON_CODE: {
    before: allowed,
    tool: (org) => move(org, "lost", { loss_reason_code: "weather" }),
    detail: { allowed: (codes: unknown) => Array.isArray(codes) && codes.includes("price") },
    next: { tool: "service_get_loss_reasons", arguments: {} }
  },
  SAME_STATUS: {
    before: async (org) => {
      await allowed(org)
      await move(org, "attempted_contact")
    },
    tool: (org) => move(org, "attempted_contact"),
    detail: { status: "attempted_contact" },
    next: history
  },
  ALREADY_DISQUALIFIED: {
    before: async (org) => {
      await qualify(org)
      await disqualify(org)
    },
    tool: disqualify,
    detail: {},
    next: history
  },
  CLOSED_STAGE: {
    before: async (org) => {
      await allowed(org)
      await move(org, "won")
    },
    tool: disqualify,
    detail: { status: "won" },
    next: history
  },
  INVALID_TRANSITION: {
    before: async (org) => {
      await allowed(org)
      await disqualify(org)
    },
    tool: (org) => move(org, "active_opportunity"),
    detail: { from: "disqualified", to: "active_opportunity", allowed: ["qualified"] },
    next: { tool: "service_qualify_lead", arguments: { property_id } }
  }
} as const satisfies Readonly<Record<string, Scenario>>

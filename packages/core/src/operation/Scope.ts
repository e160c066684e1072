/** What a key may be granted, and the plan each scope needs. service-api "Authentication". */
import { Schema } from "effect"
import type { Plan } from "./Plan.ts"

export const Scope = Schema.Literals([
  "events:subscribe",
  "leads:read_single",
  "pipeline:write",
  "accounts:sync",
  "account:read",
  "events:read",
  "webhooks:manage",
  "notes:read",
  "lists:read",
  "lists:write",
  "property:read",
  "data:read",
  "data:unlock",
  "mcp",
  "pipeline:transitions_full"
])
export type Scope = typeof Scope.Type

/** The lowest plan that includes a scope. */
export const minimumPlan: Readonly<Record<Scope, Plan>> = {
  "events:subscribe": "team",
  "leads:read_single": "team",
  "pipeline:write": "team",
  "accounts:sync": "team",
  "account:read": "team",
  "events:read": "team",
  "webhooks:manage": "team",
  "notes:read": "team",
  "lists:read": "team",
  "lists:write": "team",
  "property:read": "team",
  "data:read": "enterprise",
  "data:unlock": "enterprise",
  mcp: "enterprise",
  "pipeline:transitions_full": "enterprise"
}

/**
 * Those that mean anything in a person's token: `mcp` opens every tool but `service_update_lead_status`, which needs the other one
 * beside it. The rest are REST's, which takes keys alone. decisions, section 20 "MCP and people".
 */
export const ofPeople: ReadonlyArray<Scope> = ["mcp", "pipeline:transitions_full"]

/** Refused when a key is created; an admin adds it to an existing key. */
export const addedOnly: ReadonlyArray<Scope> = ["pipeline:transitions_full"]

/** Chosen on purpose, never for whoever makes a key. service-api "Credential (API key)". */
export const optIn: ReadonlyArray<Scope> = [
  "account:read",
  "events:read",
  "webhooks:manage",
  "notes:read",
  "lists:read",
  "lists:write",
  "property:read",
  "data:read",
  "data:unlock",
  "mcp",
  "pipeline:transitions_full"
]

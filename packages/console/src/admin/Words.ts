/** What kinds of daily limits are called, and what scopes let a key do. */
import type { Output } from "../service/Call.ts"

type Kind = Output<"app_list_keys">["kinds"][number]

const kinds: Readonly<Record<Kind, string>> = {
  contact_reveal: "People revealed",
  lead_export: "Leads delivered",
  agent_pipeline_change: "Lead moves by keys and assistants",
  paid_property_unlock: "Properties unlocked",
  records_taken_per_day: "Records taken"
}

export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)

export const kindName = (kind: Kind): string => kinds[kind]

type Scope = Output<"app_list_keys">["scopes"][number]["scope"]

const scopes: Readonly<Record<Scope, string>> = {
  "events:subscribe": "webhook endpoints, and the feed of new leads",
  "leads:read_single": "one lead at a time, each an export",
  "pipeline:write": "tell how a lead goes on",
  "accounts:sync": "send your customers",
  "account:read": "plan, balance and limits",
  "events:read": "what was sent and what was not",
  "webhooks:manage": "test, resend, rotate and enable endpoints",
  "notes:read": "notes about properties",
  "lists:read": "lists and what is on them",
  "lists:write": "make lists, and put things on them",
  "property:read": "the public record of a property",
  "data:read": "search, and read properties, people and firms",
  "data:unlock": "spend credits on unlocks and reveals",
  mcp: "connect an assistant, with all its tools",
  "pipeline:transitions_full": "let an assistant move leads to every stage"
}

export const scopeAllows = (scope: Scope): string => scopes[scope]

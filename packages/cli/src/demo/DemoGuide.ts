/** What a newcomer can paste into a second terminal once the demonstration runs. */
import type { TargetPolicy } from "@freehold/core/operation/ServiceSettings"
import * as DemoOrganization from "./DemoOrganization.ts"
import { licensed, outside, visible } from "./DemoRecords.ts"

export interface GuideFacts {
  readonly origin: string
  readonly key: string
  /** Signs in to the app as the member of the demonstration; null: the app is off. */
  readonly signInUrl: string | null
  /** Key of a property that is locked and no lead, to unlock and to qualify. */
  readonly property: string
  /** Key of another one, to have researched: there is nothing to find out about one that is open already. */
  readonly toResearch: string
  /** Key of the property whose lead has a history, a note and a task. */
  readonly leadProperty: string
  /** The run of the draft that was written; null: there is none. */
  readonly draftRun: string | null
  readonly webhookTargets: TargetPolicy
  /** Whether the program runs from its sources, beside the examples. */
  readonly fromSources: boolean
}

const json = (value: unknown): string => `-H "Content-Type: application/json" -d '${JSON.stringify(value)}'`

export const guide = (facts: GuideFacts): string => {
  const { draftRun, fromSources, key, leadProperty, origin, property, signInUrl, toResearch, webhookTargets } = facts
  const curl = (path: string, rest: string) => `curl -s "${origin}/v1${path}" -H "Authorization: Bearer ${key}"${rest}`
  const tool = (name: string, input: unknown) =>
    curl("/mcp", ` ${json({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } })}`)
  const freehold = (command: string) =>
    `${fromSources ? "pnpm" : "npx"} freehold ${command} --org ${DemoOrganization.orgId}`
  const receiver = [
    webhookTargets === "any"
      ? "Receive a webhook, with the receiver in one terminal and the qualification in another:"
      : "Receive a webhook: start with FREEHOLD_WEBHOOK_TARGETS=any, which allows this machine as a receiver, then run",
    `FREEHOLD_API_KEY=${key} node examples/webhook-receiver.ts ${origin}/v1`
  ]
  return [
    `The demonstration: 2,000 made-up properties in three counties that do not exist, and what a made-up team did there.`,
    `${DemoOrganization.orgId} has licensed ${licensed.fips}, sees ${visible.fips} too, and does not see ${outside.fips}.`,
    ...signInUrl === null ? [] : [`Open it in a browser (the link works once, for 15 minutes): ${signInUrl}`],
    `Its key: ${key}`,
    `Every endpoint, to read and to try: ${origin}/docs`,
    "",
    "Search (free):",
    curl(
      "/properties/search",
      ` ${json({ filters: { countyFips: [visible.fips], categories: ["Office"] }, limit: 3 })}`
    ),
    "",
    "Unlock a property (10 credits):",
    curl(`/properties/${property}/unlock`, " -X POST"),
    "",
    "Have another one researched, as an assistant does over MCP (10 credits; service_get_research_status tells how it went):",
    tool("service_research_property", { id: toResearch }),
    "",
    "There already:",
    `  leads     ${freehold("lead list")}`,
    `  a lead    ${freehold(`lead show --property ${leadProperty}`)}`,
    `  notes     ${freehold(`note list --property ${leadProperty}`)}`,
    `  tasks     ${freehold("task list")}`,
    `  lists     ${freehold("list list")}`,
    `  searches  ${freehold("search list")}`,
    `  charges   ${freehold("credits ledger")}`,
    `  changes   ${curl("/changes?days=365", "")}`,
    ...draftRun === null ? [] : [`  a draft   ${tool("service_get_research_status", { run_id: draftRun })}`],
    "",
    ...fromSources ? receiver : ["Qualify a property into a lead, which a webhook or the feed of leads delivers:"],
    freehold(`lead qualify --property ${property} --deal-value 25000`)
  ].join("\n")
}

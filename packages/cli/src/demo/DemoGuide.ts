/** What a newcomer can paste into a second terminal once the demonstration runs. */
import type { TargetPolicy } from "@freehold/core/webhook/WebhookTarget"
import * as DemoOrganization from "./DemoOrganization.ts"
import { licensed, outside, visible } from "./DemoRecords.ts"

export interface GuideFacts {
  readonly origin: string
  readonly key: string
  /** Key of a locked property. */
  readonly property: string
  readonly webhookTargets: TargetPolicy
}

const json = (value: unknown): string => `-H "Content-Type: application/json" -d '${JSON.stringify(value)}'`

export const guide = ({ key, origin, property, webhookTargets }: GuideFacts): string => {
  const curl = (path: string, rest: string) => `curl -s ${origin}/v1${path} -H "Authorization: Bearer ${key}" ${rest}`
  const receiver = [
    `FREEHOLD_API_KEY=${key} node examples/webhook-receiver.ts ${origin}/v1`,
    `pnpm freehold lead qualify --org ${DemoOrganization.orgId} --property ${property} --deal-value 25000`
  ]
  return [
    `The demonstration: 2,000 made-up properties in three counties that do not exist.`,
    `${DemoOrganization.orgId} has licensed ${licensed.fips}, sees ${visible.fips} too, and does not see ${outside.fips}.`,
    `Its key: ${key}`,
    "",
    "Search (free):",
    curl("/properties/search", json({ filters: { countyFips: [visible.fips], categories: ["Office"] }, limit: 3 })),
    "",
    "Unlock a property (10 credits):",
    curl(`/properties/${property}/unlock`, "-X POST"),
    "",
    "Read it whole, as an assistant does over MCP:",
    curl(
      "/mcp",
      json({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "service_get_property", arguments: { id: property } }
      })
    ),
    "",
    webhookTargets === "any"
      ? "Receive a webhook, with the receiver in one terminal and the qualification in another:"
      : "Receive a webhook: start with FREEHOLD_WEBHOOK_TARGETS=any, which allows this machine as a receiver, then run",
    ...receiver
  ].join("\n")
}

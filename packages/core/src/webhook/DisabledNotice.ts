/** What an organization's admins and the operator are told of an endpoint that was disabled by itself. */
import { hostOf } from "../operation/UrlHost.ts"
import type { WebhookEndpoint } from "./WebhookEndpoints.ts"

const whys: Partial<Record<NonNullable<WebhookEndpoint["disabledReason"]>, string>> = {
  gone: "it answered 410 Gone",
  private_address: "its address is a private one",
  failing: "20 deliveries in a row used up their attempts"
}

/** Names the host alone: an address may hold a secret. null: somebody disabled it, and knows. */
export const textOf = (
  { label, url }: Pick<WebhookEndpoint, "label" | "url">,
  reason: WebhookEndpoint["disabledReason"]
): string | null => {
  const why = reason === null ? undefined : whys[reason]
  return why === undefined
    ? null
    : `Webhooks to ${hostOf(url)}${label === null ? "" : ` (${label})`} have stopped: ${why}.`
}

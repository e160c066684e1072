/** How endpoints and deliveries stand, in words. */
import { word } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"

type Endpoint = Output<"service_list_webhooks">["endpoints"][number]

const reasons: Readonly<Record<NonNullable<Endpoint["disabledReason"]>, string>> = {
  deleted: "Removed",
  gone: "Disabled: it answered 410",
  failing: "Disabled: 20 deliveries in a row failed",
  private_address: "Disabled: its address is not public",
  superseded: "Replaced",
  disabled: "Disabled by an admin"
}

/** Its customer removed or replaced it, for good. */
export const isGone = (disabledReason: Endpoint["disabledReason"]): boolean =>
  disabledReason === "deleted" || disabledReason === "superseded"

/** `failures`: deliveries in a row that nobody took. */
export const endpointState = (disabledReason: Endpoint["disabledReason"], failures: number): string =>
  disabledReason !== null
    ? reasons[disabledReason]
    : failures === 0
    ? "Active"
    : `Active, but the last ${failures === 1 ? "delivery" : `${failures} deliveries`} failed for good`

/** States whose code says too little. */
const states: Readonly<Record<string, string>> = {
  retry_wait: "Failed, tried again later",
  postponed_daily_limit: "Waits: a daily limit is reached",
  cancelled_endpoint_disabled: "Cancelled: the endpoint was disabled",
  failed: "Failed for good",
  endpoint_gone: "Failed for good: the endpoint is gone",
  blocked_private_address: "Blocked: the address is not public",
  refused_no_credit: "Not sent: no credits were left"
}

export const deliveryState = (state: string): string => states[state] ?? word(state)

/** What a receiver answered; an error that says the status again is left out. */
export const answerOf = (status: number | null, error: string | null): string | null =>
  status === null ? error : error === null || error === `answered ${status}` ? String(status) : `${status}: ${error}`

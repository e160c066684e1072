/**
 * When a delivery may be signed and sent: at once where the process does nothing else, in its turn where it answers requests.
 *
 * One organization's deliveries may come by the hundred, each as short as a request. Where they share a thread with requests,
 * they wait in the line of their organization, so that the requests of others come between them.
 */
import { Context, Effect } from "effect"

/** Goes on when it is the organization's turn. */
export const ProcessTurn = Context.Reference<(orgId: string) => Effect.Effect<void>>(
  "@freehold/webhook-worker/ProcessTurn",
  { defaultValue: () => () => Effect.void }
)

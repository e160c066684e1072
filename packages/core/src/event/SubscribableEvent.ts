/** The kinds of events that leave the service. */
import { Schema } from "effect"

/** What an endpoint can subscribe to. lead.changed is recorded and never sent. */
export const SubscribableEvent = Schema.Literals([
  "lead.qualified",
  "signal.ownership_transfer",
  "signal.sale",
  "signal.manager_change",
  "signal.contact_departure",
  "signal.contact_title_change",
  "signal.contact_employer_change",
  "signal.withdrawn"
])
export type SubscribableEvent = typeof SubscribableEvent.Type

/** Whether a domain takes mail, as its name servers say. */
import { Context, type Effect } from "effect"

/** `unknown`: nobody answered, or nobody was asked. */
export type TakesMail = "yes" | "no" | "unknown"

/** Port: the mail of domains. */
export class MailDomains extends Context.Service<MailDomains, {
  takesMail(domain: string): Effect.Effect<TakesMail>
}>()("@freehold/core/research/MailDomains") {}

/** What the operator sets that the domain needs. operator.md "Settings". */
import { Context, Schema } from "effect"

/** Whether webhooks may be sent to public addresses only, or to any. */
export const TargetPolicy = Schema.Literals(["public", "any"])
export type TargetPolicy = typeof TargetPolicy.Type

/** Where the app is, how old an event must be to show in the feed, and where webhooks may go. */
export class ServiceSettings extends Context.Service<ServiceSettings, {
  /** Address of an application with a page for each property, without a slash at the end; null: there is none. */
  readonly appUrl: string | null
  /** Age in milliseconds at which an event shows in the feed. */
  readonly feedDelayMillis: number
  /** Where webhooks may be sent. */
  readonly webhookTargets: TargetPolicy
}>()("@freehold/core/operation/ServiceSettings") {}

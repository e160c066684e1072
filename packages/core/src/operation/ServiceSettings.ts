/** What the operator sets that the domain needs. operator.md "Settings". */
import { Context } from "effect"
import type { TargetPolicy } from "../webhook/WebhookTarget.ts"

export class ServiceSettings extends Context.Service<ServiceSettings, {
  /** Address of an application with a page for each property, without a slash at the end; null: there is none. */
  readonly appUrl: string | null
  /** Age in milliseconds at which an event shows in the feed. */
  readonly feedDelayMillis: number
  /** Where webhooks may be sent. */
  readonly webhookTargets: TargetPolicy
}>()("@freehold/core/operation/ServiceSettings") {}

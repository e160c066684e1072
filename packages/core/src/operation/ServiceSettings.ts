/** What the operator sets that the domain needs. operator.md "Settings". */
import { Context } from "effect"
import type { TargetPolicy } from "../webhook/WebhookTarget.ts"

export class ServiceSettings extends Context.Service<ServiceSettings, {
  /** Origin of the application, for `deep_link_url`; without a slash at the end. */
  readonly appUrl: string
  /** Age in milliseconds at which an event shows in the feed. */
  readonly feedDelayMillis: number
  /** Where webhooks may be sent. */
  readonly webhookTargets: TargetPolicy
}>()("@freehold/core/operation/ServiceSettings") {}

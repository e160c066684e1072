/** Writes leads into an organization's CRM. */
import { Context, type Effect, type Redacted } from "effect"
import type { CrmLead } from "./CrmLead.ts"
import type { CrmSettings } from "./CrmSettings.ts"
import type { AttemptOutcome } from "./Deliveries.ts"

/** The CRM of one endpoint. */
export interface CrmTarget {
  readonly endpointId: string
  /** The root of its API. */
  readonly url: string
  readonly settings: CrmSettings
  /** What the CRM is shown, in the form that its kind wants. */
  readonly credentials: Redacted.Redacted
}

/** `Postponed`: the CRM asks to wait, which is no failed attempt. */
export type PushOutcome = Extract<
  AttemptOutcome,
  { readonly _tag: "Delivered" | "Failed" | "Blocked" | "Postponed" }
>

/** Port: a CRM that leads are pushed to. Whatever it does is an outcome, never a failure. */
export class CrmPusher extends Context.Service<CrmPusher, {
  /**
   * Makes or updates the company, the people and the deal of a lead, each by a key of ours: however often it is repeated,
   * also after it was done by half, the CRM has each once.
   */
  push(target: CrmTarget, lead: CrmLead): Effect.Effect<PushOutcome>

  /** Whether a lead could be pushed: the credentials, our fields, the stages. Writes nothing. */
  check(target: CrmTarget): Effect.Effect<PushOutcome>
}>()("@freehold/core/webhook/CrmPusher") {}

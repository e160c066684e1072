/**
 * What the operator asks about the webhook endpoints of all organizations and what was sent there, and does about it.
 *
 * It shows what the commands of `freehold webhook` show, but neither the bodies of deliveries nor any secret.
 */
import { Schema } from "effect"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { OrganizationStatus } from "../organization/Organization.ts"
import { DisabledReason, endedDaysLookedAt, endedLookedAt, waitingCountedAtMost } from "../webhook/WebhookEndpoints.ts"
import { WebhookEndpointLimitReached } from "../webhook/WebhookRefusals.ts"
import { access, ofOrganization, Reason } from "./OperatorOperation.ts"

const Endpoint = Schema.Struct({
  id: Schema.String,
  org_id: Schema.String,
  organization: Schema.String,
  organization_status: OrganizationStatus,
  url: Schema.String,
  label: Schema.NullOr(Schema.String),
  /** A CRM is pushed to with its own credentials, and hears of qualified leads alone. */
  is_crm: Schema.Boolean,
  subscribed_events: Schema.Array(Schema.String),
  active: Schema.Boolean,
  disabled_reason: Schema.NullOr(DisabledReason),
  consecutive_failures: Schema.Int,
  created_at: Schema.String,
  waiting: Schema.Int.annotate({
    description: `Deliveries that have not ended, counted up to ${waitingCountedAtMost}.`
  }),
  next_attempt_at: Schema.NullOr(Schema.String),
  ended: Schema.Int.annotate({
    description: `The last deliveries that ended: up to ${endedLookedAt}, of the last ${endedDaysLookedAt} days.`
  }),
  given_up: Schema.Int.annotate({ description: "Those of them that nobody took." }),
  last_fault: Schema.NullOr(Schema.Struct({
    state: Schema.String,
    last_status: Schema.NullOr(Schema.Int),
    last_error: Schema.NullOr(Schema.String),
    created_at: Schema.String
  })).annotate({ description: "The newest delivery that was given up or is tried again." })
})

export const endpointsAPage = 50

/** So many are looked at for a page of those in trouble. */
export const endpointsLookedAt = 1000

export const ListEndpoints = Operation.make("operator_list_endpoints", {
  title: "Webhook endpoints",
  description:
    "Free. Endpoints of every organization with what waits for them, what was given up, and why. A page may have few or none while more follow.",
  input: Schema.Struct({
    which: Schema.Literals(["troubled", "waiting", "all"]),
    org_id: Schema.optionalKey(ofOrganization.org_id),
    cursor: Schema.optionalKey(Uuid)
  }),
  output: Schema.Struct({ items: Schema.Array(Endpoint), next_cursor: Schema.NullOr(Schema.String) }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

const Delivery = Schema.Struct({
  event_id: Schema.String,
  event_type: Schema.String,
  test: Schema.Boolean,
  state: Schema.String,
  attempts: Schema.Int,
  last_status: Schema.NullOr(Schema.Int),
  last_error: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  next_attempt_at: Schema.NullOr(Schema.String),
  /** It neither waits nor is being sent, so that it can be sent again. */
  has_ended: Schema.Boolean,
  /** It ended, and nobody took it. */
  given_up: Schema.Boolean
})

export const deliveriesAPage = 50

export const ListDeliveries = Operation.make("operator_list_deliveries", {
  title: "The deliveries to an endpoint",
  description: "Free. An endpoint, and what was sent there and waits, the newest first.",
  input: Schema.Struct({ id: Uuid, cursor: Schema.optionalKey(Uuid) }),
  output: Schema.Struct({
    endpoint: Endpoint,
    deliveries: Schema.Array(Delivery),
    next_cursor: Schema.NullOr(Schema.String)
  }),
  refusals: [NotFound, InvalidCursor],
  access,
  effect: "read",
  tool: false
})

export const GetDelivery = Operation.make("operator_get_delivery", {
  title: "A delivery",
  description:
    "Free. Every attempt at one delivery: when, what was answered and how the answer began, how long it took.",
  input: Schema.Struct({ ...ofOrganization, event_id: Uuid }),
  output: Schema.Struct({
    event_id: Schema.String,
    state: Schema.String,
    attempts: Schema.Array(Schema.Struct({
      attempt: Schema.Int,
      at: Schema.String,
      status: Schema.NullOr(Schema.Int),
      error: Schema.NullOr(Schema.String),
      duration_ms: Schema.Int,
      answer: Schema.NullOr(Schema.String)
    }))
  }),
  refusals: [NotFound],
  access,
  effect: "read",
  tool: false
})

export const ResendDeliveries = Operation.make("operator_resend_deliveries", {
  title: "Send again",
  description:
    "Free. Sends deliveries to one endpoint once more that ended, not billed again; all of them, or none. What is sent at the moment stays as it is.",
  input: Schema.Struct({
    id: Uuid,
    event_ids: Schema.Array(Uuid).check(Schema.isMinLength(1), Schema.isMaxLength(deliveriesAPage)),
    reason: Reason
  }),
  output: Schema.Struct({ resent: Schema.Int, under_way: Schema.Int }),
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

export const TestEndpoint = Operation.make("operator_test_endpoint", {
  title: "Test an endpoint",
  description: "Free. Sends a made-up event, marked as a test, to an active endpoint; it is in no feed.",
  input: Schema.Struct({ id: Uuid, reason: Reason }),
  output: Schema.Struct({ event_id: Schema.String, event_type: Schema.String }),
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

export const EnableEndpoint = Operation.make("operator_enable_endpoint", {
  title: "Enable an endpoint",
  description: "Free. Makes a disabled endpoint active again and counts its failures anew.",
  input: Schema.Struct({ id: Uuid, reason: Reason }),
  output: Schema.Struct({ id: Schema.String, active: Schema.Boolean }),
  refusals: [NotFound, WebhookEndpointLimitReached],
  access,
  effect: "write",
  tool: false
})

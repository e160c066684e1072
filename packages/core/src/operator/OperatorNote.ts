/**
 * Writes down what one of the operator's people did, by a command or in the app: for the operator who, what and why; for an
 * organization that it was done to, in the log that its admins read, what was before and after.
 */
import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { type AdministrationAction, AdministrationLog, type Side } from "../administration/AdministrationLog.ts"
import { type OperatorAction, OperatorLog } from "../administration/OperatorLog.ts"
import type { OrganizationId, OrganizationStatus } from "../organization/Organization.ts"
import type { OperatorRequest } from "../request/OperatorRequests.ts"
import { isGone, subjectOf, type WebhookEndpoint } from "../webhook/WebhookEndpoints.ts"

/** What is done to one organization, and as what its admins read it. */
const told = {
  "org.suspended": "org.suspended",
  "org.resumed": "org.resumed",
  "org.closed": "org.closed",
  "org.applied": "org.applied",
  "credits.granted": "credits.granted",
  "credits.refunded": "credits.refunded",
  "key.created": "key.created",
  "key.rotated": "key.rotated",
  "key.expiry_set": "key.changed",
  "key.limited": "key.changed",
  "key.allowed": "key.changed",
  "key.revoked": "key.revoked",
  "member.link_issued": "member.link_issued",
  "member.connections_revoked": "member.connections_revoked",
  "member.connections_cleared": "member.connections_cleared",
  "member.seen_as": "member.seen_as",
  "endpoint.added": "endpoint.added",
  "endpoint.changed": "endpoint.changed",
  "endpoint.removed": "endpoint.removed",
  "endpoint.enabled": "endpoint.enabled",
  "endpoint.secret_rotated": "endpoint.secret_rotated",
  "endpoint.tested": "endpoint.tested",
  "endpoint.resent": "endpoint.resent",
  "request.closed": "request.closed"
} as const satisfies { readonly [Action in OperatorAction]?: AdministrationAction }

/** What is done to one organization. */
export type ActionOnOrganization = keyof typeof told

/** What is written down of what was done. */
export interface Done {
  /** As the operator reads it: an id, or what was given. */
  readonly subject: string
  readonly before: Side
  readonly after: Side
}

/** What was done to an organization, and to what of it. */
export interface DoneToOrganization extends Done {
  readonly orgId: OrganizationId
  readonly action: ActionOnOrganization
  /** As the organization's admins know what it was done to. */
  readonly told: { readonly id: string; readonly name: string }
}

/** What was done to no one organization, or left none that could be told. */
export interface DoneToAll extends Done {
  readonly orgId: OrganizationId | null
  readonly action: Exclude<OperatorAction, ActionOnOrganization>
}

/** A line of the operator's log; of an organization, with one for its admins. */
export type OperatorNoted = DoneToOrganization | DoneToAll

/** What it is called that an organization got a status. */
export const statusActions = {
  active: "org.resumed",
  suspended: "org.suspended",
  closed: "org.closed"
} as const satisfies Record<OrganizationStatus, ActionOnOrganization>

/** What is written down of a request that was closed. */
export const closedNoted = ({ answer, id, kind, orgId, subject }: OperatorRequest): DoneToOrganization => ({
  orgId,
  action: "request.closed",
  subject: id,
  told: { id, name: subject ?? kind },
  before: { status: "open" },
  after: { status: "closed", answer }
})

/** What is written down of what was done about an endpoint. */
export const endpointNoted = (
  action: Extract<ActionOnOrganization, `endpoint.${string}`>,
  endpoint: WebhookEndpoint,
  after: Side,
  before: Side = null
): DoneToOrganization => ({
  action,
  orgId: endpoint.orgId,
  subject: endpoint.id,
  told: subjectOf(endpoint),
  before,
  after
})

/** The same of one that was made active; null: it was. */
export const enabledNoted = (before: WebhookEndpoint, after: WebhookEndpoint): DoneToOrganization | null =>
  before.active
    ? null
    : endpointNoted("endpoint.enabled", after, { disabled_reason: null }, { disabled_reason: before.disabledReason })

/** How a CRM is reached and written to; its credentials are told to nobody. */
const crmSide = ({ crm, disabledReason, url }: WebhookEndpoint): Side => ({ url, crm, disabled_reason: disabledReason })

/** What is written down of a CRM that was connected, or got other settings or credentials. `before`: as it was; null: it was not. */
export const connectedNoted = (before: WebhookEndpoint | null, after: WebhookEndpoint): DoneToOrganization =>
  before === null
    ? endpointNoted("endpoint.added", after, crmSide(after))
    : endpointNoted("endpoint.changed", after, crmSide(after), crmSide(before))

/** The same of one that was removed; null: it was before. */
export const removedNoted = (before: WebhookEndpoint): DoneToOrganization | null =>
  isGone(before) ? null : endpointNoted("endpoint.removed", before, null, crmSide(before))

export const make = Effect.gen(function*() {
  const operatorLog = yield* OperatorLog
  const administrationLog = yield* AdministrationLog
  const random = yield* SecureRandom.SecureRandom
  const uuid = Effect.orDie(random.uuidV7())

  /** Writes it down, as a part of the transaction that is under way. */
  const note = Effect.fn("OperatorNote.note")(function*(
    by: { readonly name: string; readonly reason: string | null },
    noted: OperatorNoted
  ) {
    const { action, after, before, orgId, subject } = noted
    const { name, reason } = by
    const now = yield* Clock.currentTimeMillis
    yield* operatorLog.record({ id: yield* uuid, actor: name, action, orgId, subject, before, after, reason, now })
    if (!("told" in noted)) return
    yield* administrationLog.record({
      id: yield* uuid,
      orgId: noted.orgId,
      actor: { kind: "operator", id: null, name },
      action: told[noted.action],
      subjectId: noted.told.id,
      subjectName: noted.told.name,
      before,
      after,
      now
    })
  })

  return { note }
})

/**
 * What the operator's people did that changes something for customers, by a command or in the app, and who of them got in:
 * who did it, and why.
 *
 * A line is written in the transaction of its change. It outlives the organization that it is about, and is kept for good.
 */
import { Context, type Effect, Schema } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { Side } from "./AdministrationLog.ts"

/** What was done. */
export const OperatorAction = Schema.Literals([
  "org.suspended",
  "org.resumed",
  "org.closed",
  "org.applied",
  "org.deleted",
  "credits.granted",
  "credits.refunded",
  "key.created",
  "key.rotated",
  "key.expiry_set",
  "key.limited",
  "key.allowed",
  "key.revoked",
  "property.merged",
  "match.accepted",
  "match.rejected",
  "suppression.made",
  "suppression.lifted",
  "contact.erased",
  "member.link_issued",
  "member.connections_revoked",
  "member.connections_cleared",
  "member.seen_as",
  "endpoint.added",
  "endpoint.changed",
  "endpoint.removed",
  "endpoint.enabled",
  "endpoint.secret_rotated",
  "endpoint.tested",
  "endpoint.resent",
  "request.closed",
  "import.started",
  "operator.link_issued",
  "operator.signed_in"
])
/** What was done. */
export type OperatorAction = typeof OperatorAction.Type

/** A line of the log. */
export const OperatorEntry = Schema.Struct({
  id: Schema.String,
  /** ISO-8601. */
  at: Schema.String,
  /** Who, as the operator calls them. */
  actor: Schema.String,
  action: OperatorAction,
  /** null: it is about no organization, or about all. */
  orgId: Schema.NullOr(Schema.String),
  /** What it was done to: an id, or what was given. */
  subject: Schema.String,
  /** null: the subject tells all of it. */
  before: Side,
  after: Side,
  reason: Schema.NullOr(Schema.String)
})
/** A line of the log. */
export type OperatorEntry = typeof OperatorEntry.Type

/** Port: who of the operator's people did what. */
export class OperatorLog extends Context.Service<OperatorLog, {
  /** Writes a line; within a transaction that is under way, as a part of it. `now`: milliseconds. */
  record(entry: Omit<OperatorEntry, "at"> & { readonly now: number }): Effect.Effect<void, TemporarilyUnavailable>

  /** Lines, newest first, those after the line `after` (null: from the newest on); with `orgId`, about that one alone. */
  list(request: {
    readonly after: string | null
    readonly limit: number
    readonly orgId?: string
  }): Effect.Effect<ReadonlyArray<OperatorEntry>, TemporarilyUnavailable>
}>()("@freehold/core/administration/OperatorLog") {}

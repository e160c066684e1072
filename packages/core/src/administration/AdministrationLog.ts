/**
 * Who changed what about an organization's keys, members, settings and endpoints, and what the operator did to it: before,
 * after, and when.
 *
 * An entry is written in the transaction of its change, so that there is neither a change without one nor one without its
 * change. Secrets are never part of it. Entries are kept for `retention`.
 */
import { Context, Duration, type Effect, Schema } from "effect"
import { EntryActor } from "../access/EntryActor.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"

/** How long an entry is kept: two years. */
export const retention = Duration.days(730)

/** What was done. */
export const AdministrationAction = Schema.Literals([
  "key.created",
  "key.changed",
  "key.rotated",
  "key.revoked",
  "member.added",
  "member.changed",
  "member.removed",
  "member.link_issued",
  "member.connections_revoked",
  "member.connections_cleared",
  "member.sessions_revoked",
  "settings.changed",
  "endpoint.added",
  "endpoint.removed",
  "endpoint.changed",
  "endpoint.disabled",
  "endpoint.enabled",
  "endpoint.secret_rotated",
  "endpoint.tested",
  "endpoint.resent",
  "org.suspended",
  "org.resumed",
  "org.closed",
  "org.applied",
  "credits.granted",
  "credits.refunded",
  "member.seen_as",
  "request.closed"
])
export type AdministrationAction = typeof AdministrationAction.Type

/** What of the subject was so before or is so after, by field; null: nothing. */
export const Side = Schema.NullOr(Schema.Record(Schema.String, Schema.Json))
/** What of the subject was so before or is so after, by field; null: nothing. */
export type Side = typeof Side.Type

/** A line of the log. */
export const AdministrationEntry = Schema.Struct({
  id: Schema.String,
  /** ISO-8601. */
  at: Schema.String,
  actor: EntryActor,
  action: AdministrationAction,
  /** What it was done to: an id, and what people call it. */
  subjectId: Schema.String,
  subjectName: Schema.String,
  before: Side,
  after: Side
})
export type AdministrationEntry = typeof AdministrationEntry.Type

/** Port: what was changed about organizations, and by whom. */
export class AdministrationLog extends Context.Service<AdministrationLog, {
  /** Writes an entry; within a transaction that is under way, as a part of it. `now`: milliseconds. */
  record(
    entry: Omit<AdministrationEntry, "at"> & { readonly orgId: OrganizationId; readonly now: number }
  ): Effect.Effect<void, TemporarilyUnavailable>

  /**
   * How many entries of an organization are younger than `since` (milliseconds), counted up to `atMost`; without those of what
   * the operator did.
   */
  countSince(request: {
    readonly orgId: OrganizationId
    readonly since: number
    readonly atMost: number
  }): Effect.Effect<number, TemporarilyUnavailable>

  /** Entries of an organization, newest first, those after the entry `after` (null: from the newest on). */
  list(request: {
    readonly orgId: OrganizationId
    readonly after: string | null
    readonly limit: number
  }): Effect.Effect<ReadonlyArray<AdministrationEntry>, TemporarilyUnavailable>
}>()("@freehold/core/administration/AdministrationLog") {}

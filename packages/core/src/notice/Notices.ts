/**
 * What somebody has to be told without having asked: an organization's admins, and the operator.
 *
 * The same cause is told once a UTC day, however often it occurs. Notices are kept for `retention`.
 */
import { Context, Duration, type Effect, Schema } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"

/** How long a notice is kept. */
export const retention = Duration.days(90)

/** What a notice is about. */
export const NoticeKind = Schema.Literals(["viewing_paused"])
export type NoticeKind = typeof NoticeKind.Type

export interface Notice {
  readonly id: string
  readonly orgId: OrganizationId
  readonly kind: NoticeKind
  /** A sentence for people. */
  readonly text: string
  /** ISO-8601. */
  readonly createdAt: string
}

/** Keeps what admins and the operator are told. */
export class Notices extends Context.Service<Notices, {
  /** Keeps a notice; false: the same cause was told on this day before. `cause`: whom or what it is about, in the kind. */
  record(notice: {
    readonly id: string
    readonly orgId: OrganizationId
    readonly kind: NoticeKind
    readonly cause: string
    readonly text: string
    /** Milliseconds. */
    readonly now: number
  }): Effect.Effect<boolean, TemporarilyUnavailable>

  /** Newest first, and how many there are. `orgId` null: of every organization. */
  list(request: {
    readonly orgId: OrganizationId | null
    readonly limit: number
    readonly offset: number
  }): Effect.Effect<{ readonly notices: ReadonlyArray<Notice>; readonly total: number }, TemporarilyUnavailable>
}>()("@freehold/core/notice/Notices") {}

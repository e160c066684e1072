/**
 * What somebody has to be told without having asked: an organization's admins, and the operator.
 *
 * The same cause is told once a UTC day, however often it occurs. Notices are kept for `retention`. Where mail is set up,
 * each of them is a mail as well (`NoticeMails`).
 */
import { Context, Duration, type Effect, Schema } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"

/** How long a notice is kept. */
export const retention = Duration.days(90)

/** What a notice is about. */
export const NoticeKind = Schema.Literals([
  "viewing_paused",
  "endpoint_disabled",
  "support_requested",
  "coverage_requested",
  "import_failed",
  "source_asks",
  "source_failed",
  "sign_in_unreachable",
  "resealing_failed"
])
export type NoticeKind = typeof NoticeKind.Type

/** What an organization's admins are told; everything else is the operator's alone. */
export const kindsForAdmins: ReadonlyArray<NoticeKind> = ["viewing_paused", "endpoint_disabled"]

/**
 * How the mail about a notice stands. `none`: there was nobody to send it to, or no mail is set up; `given_up`: some of it was
 * not taken, and is not tried again.
 */
export const MailState = Schema.Literals(["none", "waiting", "sent", "given_up"])
export type MailState = typeof MailState.Type

export interface Notice {
  readonly id: string
  /** null: about the installation as a whole. */
  readonly orgId: OrganizationId | null
  readonly kind: NoticeKind
  /** A sentence for people. */
  readonly text: string
  /** ISO-8601. */
  readonly createdAt: string
  readonly mail: MailState
}

/** Keeps what admins and the operator are told. */
export class Notices extends Context.Service<Notices, {
  /** Keeps a notice; false: the same cause was told on this day before. `cause`: whom or what it is about, in the kind. */
  record(notice: {
    readonly id: string
    readonly orgId: OrganizationId | null
    readonly kind: NoticeKind
    readonly cause: string
    readonly text: string
    /** Milliseconds. */
    readonly now: number
  }): Effect.Effect<boolean, TemporarilyUnavailable>

  /** Newest first, and how many there are. `orgId` null: of all, the installation included; without `kinds`, of any. */
  list(request: {
    readonly orgId: OrganizationId | null
    readonly kinds?: ReadonlyArray<NoticeKind>
    readonly limit: number
    readonly offset: number
  }): Effect.Effect<{ readonly notices: ReadonlyArray<Notice>; readonly total: number }, TemporarilyUnavailable>
}>()("@freehold/core/notice/Notices") {}

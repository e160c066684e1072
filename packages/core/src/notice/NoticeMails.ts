/**
 * Notices as mails: whose turn it is to send them, and what became of it.
 *
 * A notice is claimed for a time, so that one process at a time sends it, and each address that took it is noted at once. A process
 * that ends in between repeats one mail at most, under the same Message-ID.
 */
import { Context, Duration, type Effect } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Notice } from "./Notices.ts"

/** What was not sent by then is of no use as a mail any more. */
export const mailLife = Duration.days(1)

/** A claimed notice. */
export interface DueMail extends Pick<Notice, "id" | "orgId" | "kind" | "text" | "createdAt"> {
  /** Which attempt this is; fences off earlier ones. */
  readonly attempt: number
  /** Addresses that are done with: they took it, or refused it for good. */
  readonly ended: ReadonlyArray<string>
  /** The organization's admins; none for the installation's. */
  readonly admins: ReadonlyArray<string>
}

/** Port: the mails that are due. */
export class NoticeMails extends Context.Service<NoticeMails, {
  /** Claims up to `limit` for `lease`, the longest due first; those younger than `mailLife` alone. */
  claim(request: {
    readonly limit: number
    readonly lease: Duration.Duration
    /** Milliseconds. */
    readonly now: number
  }): Effect.Effect<ReadonlyArray<DueMail>, TemporarilyUnavailable>

  /** Notes that an address is done with, while the attempt is the latest; `fault`: why it did not take the mail. */
  end(mail: DueMail, address: string, fault: string | null): Effect.Effect<void, TemporarilyUnavailable>

  /** Ends the attempt, while it is the latest. `again`: when what is left is tried again, in milliseconds; null: nothing is left. */
  settle(mail: DueMail, again: number | null): Effect.Effect<void, TemporarilyUnavailable>

  /** Gives up what is left. */
  giveUp(mail: DueMail, fault: string): Effect.Effect<void, TemporarilyUnavailable>
}>()("@freehold/core/notice/NoticeMails") {}

/** Sends mail. */
import { Context, type Effect, Schema } from "effect"

/** A plain mail to one address. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Stays the same when the mail is sent again, and says nothing. Its first half, before the @. */
  readonly id: string
}

/** The mail was not taken. `lasting`: this address refuses it, now and later. */
export class MailNotTaken extends Schema.TaggedError<MailNotTaken>()("MailNotTaken", {
  reason: Schema.String,
  lasting: Schema.Boolean
}) {
  override get message() {
    return this.reason
  }
}

/** Port: hands mails to a server that sends them on. */
export class Mailer extends Context.Service<Mailer, {
  /** Succeeds once the server has taken the mail. Has a deadline of its own. */
  send(mail: Mail): Effect.Effect<void, MailNotTaken>
}>()("@freehold/core/notice/Mailer") {}

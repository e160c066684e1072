/** `Mailer` in memory: keeps what it takes. */
import { Context, Effect, Layer } from "effect"
import { type Mail, Mailer, type MailNotTaken } from "../../notice/Mailer.ts"

/** What was taken, the oldest first, and what becomes of mails. */
export class Mailbox extends Context.Service<Mailbox, {
  readonly taken: Array<Mail>
  /** Why addresses refuse, for as long as they stand here. */
  readonly refusals: Map<string, MailNotTaken>
}>()("@freehold/core/memory/notice/MailerMemory/Mailbox") {}

/** `Mailer` with its `Mailbox`. */
export const layer: Layer.Layer<Mailer | Mailbox> = Layer.effectContext(
  Effect.sync(() => {
    const mailbox = Mailbox.of({ taken: [], refusals: new Map() })
    const mailer = Mailer.of({
      send: Effect.fn("Mailer.send")((mail) =>
        Effect.suspend(() => {
          const refusal = mailbox.refusals.get(mail.to)
          return refusal === undefined ? Effect.sync(() => void mailbox.taken.push(mail)) : Effect.fail(refusal)
        })
      )
    })
    return Context.make(Mailer, mailer).pipe(Context.add(Mailbox, mailbox))
  })
)

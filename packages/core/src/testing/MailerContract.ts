/** What every `Mailer` must do. Adapters call `mailerContract` from their own tests. */
import { assert, layer as suite } from "@effect/vitest"
import { Context, Effect, type Layer } from "effect"
import { type Mail, Mailer } from "../notice/Mailer.ts"

/** Whoever the mails are handed to. */
export class MailReceiver extends Context.Service<MailReceiver, {
  /** What was taken, the oldest first. */
  readonly taken: Effect.Effect<ReadonlyArray<Mail>>
  /** From now on the address is refused. */
  refuse(address: string, lasting: boolean): Effect.Effect<void>
}>()("@freehold/core/testing/MailerContract/MailReceiver") {}

const mailTo = (to: string): Mail => ({
  to,
  id: `made-up.${to.length}`,
  subject: "Freehold: a “made-up” matter",
  text: "A first line, with ünïcode.\n\n.\nA line of a dot was above this one.\n"
})

/** The suite for an adapter. */
export const mailerContract = <E>(name: string, adapter: Layer.Layer<Mailer | MailReceiver, E>): void =>
  suite(adapter, { excludeTestServices: true })(`Mailer ${name}`, (it) => {
    it.effect("hands over a mail as it was given", () =>
      Effect.gen(function*() {
        const mail = mailTo("ana@people.example")
        yield* Mailer.use((mailer) => mailer.send(mail))
        const receiver = yield* MailReceiver
        assert.deepStrictEqual((yield* receiver.taken).filter(({ to }) => to === mail.to), [mail])
      }))

    it.effect("tells an address that is refused for good from one that is refused for now", () =>
      Effect.gen(function*() {
        const receiver = yield* MailReceiver
        const mailer = yield* Mailer
        const refused = Effect.fnUntraced(function*(to: string, lasting: boolean) {
          yield* receiver.refuse(to, lasting)
          return (yield* Effect.flip(mailer.send(mailTo(to)))).lasting
        })
        assert.deepStrictEqual([
          yield* refused("ben@people.example", true),
          yield* refused("cid@people.example", false)
        ], [
          true,
          false
        ])
        assert.notInclude((yield* receiver.taken).map(({ to }) => to), "ben@people.example")
      }))
  })

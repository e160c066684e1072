/** Mail over SMTP, to servers that behave and servers that do not. All data is made up. */
import { assert, it, layer } from "@effect/vitest"
import * as SmtpMailer from "@freehold/cli/mail/SmtpMailer"
import { mailAddress, smtpServer } from "@freehold/cli/setting/MailForm"
import { Mailer } from "@freehold/core/notice/Mailer"
import { mailerContract, MailReceiver } from "@freehold/core/testing/MailerContract"
import { Duration, Effect, Layer, Option } from "effect"
import { once } from "node:events"
import { createServer, type Socket } from "node:net"
import type { SMTPServerOptions } from "smtp-server"
import { certificate, type SmtpReceiver, smtpReceiver } from "./SmtpReceiver.ts"

const mail = { to: "ana@people.example", id: "made-up.1", subject: "Freehold: made up", text: "Made up.\n" }

const receiver = (options: SMTPServerOptions = {}) =>
  Effect.acquireRelease(Effect.promise(() => smtpReceiver(options)), ({ close }) => Effect.promise(close))

const send = (url: string, given: Partial<SmtpMailer.SmtpSettings> = {}) =>
  Mailer.use((mailer) => mailer.send(mail)).pipe(Effect.provide(SmtpMailer.layer({
    server: Option.getOrThrow(smtpServer.parse(url)),
    from: "freehold@service.example",
    deadline: Duration.seconds(20),
    ...given
  })))

/** Why a mail was not taken. */
const reasonOf = (url: string, given: Partial<SmtpMailer.SmtpSettings> = {}) =>
  Effect.map(Effect.flip(send(url, given)), ({ lasting, reason }) => {
    assert.isFalse(lasting)
    assert.notInclude(reason, "right")
    assert.notInclude(reason, "wrong")
    return reason
  })

/** A server that does as it likes with each connection. */
const rude = (behave: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const open = new Set<Socket>()
      const server = createServer((socket) => {
        open.add(socket)
        socket.on("error", () => {}).once("close", () => open.delete(socket))
        behave(socket)
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      return { open, server, url: `smtp://127.0.0.1:${typeof address === "object" ? address?.port : 0}` }
    }),
    ({ open, server }) =>
      Effect.sync(() => {
        server.close()
        for (const socket of open) socket.destroy()
      })
  )

const harness = (made: SmtpReceiver) =>
  Layer.merge(
    SmtpMailer.layer({
      server: Option.getOrThrow(smtpServer.parse(`smtp://127.0.0.1:${made.port}`)),
      from: "freehold@service.example",
      deadline: Duration.seconds(20)
    }),
    Layer.succeed(MailReceiver, {
      taken: Effect.sync(() => made.taken.map(({ id, subject, text, to }) => ({ to, id, subject, text }))),
      refuse: (address, lasting) => Effect.sync(() => void made.refusals.set(address, lasting ? 550 : 450))
    })
  )

mailerContract("SMTP", Layer.unwrap(Effect.map(receiver(), harness)))

layer(Layer.empty, { excludeTestServices: true })("a mail server", (it) => {
  it.effect("with a password is spoken to encrypted, by STARTTLS or from the first byte", () =>
    Effect.gen(function*() {
      const identity = yield* Effect.promise(certificate)
      for (const secure of [false, true]) {
        const { port, taken } = yield* receiver({ ...identity, secure, authOptional: false })
        const url = `${secure ? "smtps" : "smtp"}://free%40hold:right@localhost:${port}`
        yield* send(url, { authorities: [identity.cert] })
        assert.deepStrictEqual(taken.map(({ encrypted, from, user }) => [encrypted, from, user]), [
          [true, "freehold@service.example", "free@hold"]
        ])
        assert.match(
          yield* reasonOf(url.replace("right", "wrong"), { authorities: [identity.cert] }),
          /535|Invalid login/
        )
        // An authority that nobody trusts.
        assert.match(yield* reasonOf(url), /certificate/)
        assert.strictEqual(taken.length, 1)
      }
    }))

  it.effect("that offers no encryption is told no password", () =>
    Effect.gen(function*() {
      let asked = false
      const { port } = yield* receiver({
        onAuth: (_, __, done) => {
          asked = true
          done(null, { user: "made up" })
        }
      })
      assert.match(yield* reasonOf(`smtp://freehold:right@127.0.0.1:${port}`), /STARTTLS|TLS/i)
      assert.isFalse(asked)
    }))

  it.effect("that hangs, drips or goes away costs no more than the deadline, and no connection", () =>
    Effect.gen(function*() {
      const deadline = Duration.millis(300)
      const hangs = yield* rude(() => {})
      assert.match(yield* reasonOf(hangs.url, { deadline }), /in time|never received|timeout/i)
      const drips = yield* rude((socket) => {
        const drip = setInterval(() => socket.write("220-made up\r\n"), 20)
        socket.once("close", () => clearInterval(drip))
      })
      assert.match(yield* reasonOf(drips.url, { deadline }), /in time|never received|timeout/i)
      const leaves = yield* rude((socket) => socket.destroy())
      assert.isNotEmpty(yield* reasonOf(leaves.url))
      const nobody = yield* Effect.scoped(Effect.map(rude(() => {}), ({ url }) => url))
      assert.match(yield* reasonOf(nobody), /ECONNREFUSED/)
      yield* Effect.repeat(Effect.promise(() => new Promise((resolve) => setImmediate(resolve))), {
        until: () => hangs.open.size === 0 && drips.open.size === 0
      })
    }))

  it.effect("that refuses everybody is asked again later, with what it said in one line", () =>
    Effect.gen(function*() {
      const { port } = yield* receiver({
        onMailFrom: (_, __, done) => done(Object.assign(new Error("go\r\naway"), { responseCode: 550 }))
      })
      const reason = yield* reasonOf(`smtp://127.0.0.1:${port}`)
      assert.match(reason, /550/)
      assert.notMatch(reason, /[\r\n]/)
    }))
})

it("settings of mail are read strictly", () => {
  const parsed = (text: string) =>
    Option.getOrNull(Option.map(smtpServer.parse(text), ({ account, host, port, secure }) => [
      host,
      port,
      secure,
      Option.isSome(account)
    ]))
  assert.deepStrictEqual(parsed("smtp://mail.example"), ["mail.example", 587, false, false])
  assert.deepStrictEqual(parsed("smtps://ana:made-up@[::1]:2465/"), ["::1", 2465, true, true])
  for (
    const wrong of ["http://mail.example", "smtp://", "smtp://ana@mail.example", "smtp://mail.example/?tls=no", "mail"]
  ) {
    assert.isNull(parsed(wrong), wrong)
  }
  assert.isTrue(Option.isSome(mailAddress.parse("ana@people.example")))
  for (const wrong of ["ana", "Ana <ana@people.example>", "ana@people.example\r\nBcc: x@y.example", "a@b@c.example"]) {
    assert.isTrue(Option.isNone(mailAddress.parse(wrong)), wrong)
  }
})

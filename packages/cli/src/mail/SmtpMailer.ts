/**
 * `Mailer` over SMTP: a connection for each mail, with a deadline for all of it.
 *
 * With a password, or by `smtps://`, the connection is encrypted or there is none; without one it is encrypted where the server
 * offers it. Certificates are checked.
 *
 * *Gotchas.* What a server says is told in faults, the address and the password of the account are not.
 */
import { type Mail, Mailer, MailNotTaken } from "@freehold/core/notice/Mailer"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import MailComposer from "nodemailer/lib/mail-composer"
import SMTPConnection from "nodemailer/lib/smtp-connection"

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Encrypted from the first byte. */
  readonly secure: boolean
  readonly account: Option.Option<{ readonly user: string; readonly password: Redacted.Redacted }>
}

export interface SmtpSettings {
  readonly server: SmtpServer
  readonly from: string
  /** From the first packet to the server's last word. */
  readonly deadline: Duration.Duration
  /** Authorities beside the system's whose certificates are trusted. */
  readonly authorities?: ReadonlyArray<string>
}

/** Time for a mail that nobody set another for. */
export const deadline = Duration.seconds(30)

const longestReason = 300

interface Failure {
  readonly message: string
  readonly responseCode?: number | undefined
  readonly command?: string | undefined
}

const notTaken = ({ command, message, responseCode }: Failure): MailNotTaken =>
  new MailNotTaken({
    reason: message.slice(0, longestReason).replaceAll(/\s+/g, " "),
    // About this address; a server that refuses all of them may be set right.
    lasting: command === "RCPT TO" && responseCode !== undefined && responseCode >= 500
  })

const failed = (failure: Failure) => Effect.fail(notTaken(failure))

const compose = (from: string, { id, subject, text, to }: Mail) =>
  Effect.promise(() =>
    new MailComposer({
      // Taken as they are, and not as lists.
      from: { name: "", address: from },
      to: { name: "", address: to },
      subject,
      text,
      messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1).replaceAll(/[^\w.-]/g, "")}>`,
      headers: { "auto-submitted": "auto-generated" },
      disableFileAccess: true,
      disableUrlAccess: true
    }).compile().build()
  )

const connect = ({ authorities, deadline, server: { account, host, port, secure } }: SmtpSettings) => {
  const millis = Duration.toMillis(deadline)
  return new SMTPConnection({
    host,
    port,
    secure,
    requireTLS: !secure && Option.isSome(account),
    connectionTimeout: millis,
    greetingTimeout: millis,
    socketTimeout: millis,
    socketCloseTimeout: 0,
    ...authorities === undefined ? {} : { tls: { ca: [...authorities] } }
  })
}

/** Ends when the connection fails, whatever is waited for. */
const broken = (connection: SMTPConnection) =>
  Effect.callback<never, MailNotTaken>((resume) => {
    // For good: an error that nobody listens to ends the process.
    connection.on("error", (error) => resume(failed(error)))
    connection.once("end", () => resume(failed({ message: "the server ended the connection" })))
  })

const opened = (connection: SMTPConnection) =>
  Effect.callback<void, MailNotTaken>((resume) =>
    connection.connect((error) => resume(error ? failed(error) : Effect.void))
  )

const signedIn = (connection: SMTPConnection, { account }: SmtpServer) =>
  Option.match(account, {
    onNone: () => Effect.void,
    onSome: ({ password, user }) =>
      Effect.callback<void, MailNotTaken>((resume) =>
        connection.login(
          { credentials: { user, pass: Redacted.value(password) } },
          (error) => resume(error ? failed(error) : Effect.void)
        )
      )
  })

const taken = (connection: SMTPConnection, envelope: { readonly from: string; readonly to: string }, bytes: Buffer) =>
  Effect.callback<void, MailNotTaken>((resume) =>
    connection.send({ ...envelope, size: bytes.length }, bytes, (error) => resume(error ? failed(error) : Effect.void))
  )

/** Mails from one address through one server. */
export const layer = (settings: SmtpSettings): Layer.Layer<Mailer> =>
  Layer.succeed(
    Mailer,
    Mailer.of({
      send: Effect.fn("Mailer.send")(function*(mail) {
        const { deadline, from, server } = settings
        const bytes = yield* compose(from, mail)
        yield* Effect.acquireUseRelease(
          Effect.sync(() => connect(settings)),
          (connection) =>
            Effect.raceFirst(
              opened(connection).pipe(
                Effect.andThen(signedIn(connection, server)),
                Effect.andThen(taken(connection, { from, to: mail.to }, bytes))
              ),
              broken(connection)
            ),
          (connection) => Effect.sync(() => connection.close())
        ).pipe(Effect.timeoutOrElse({
          duration: deadline,
          orElse: () => failed({ message: "the mail server did not answer in time" })
        }))
      })
    })
  )

/**
 * Sends notices by mail, in the background of a server or a worker: to the operator, and what is an organization's to know to its
 * admins.
 *
 * Any number may run. What is not taken is tried again a few times; an address that refuses a mail for good is not asked again.
 */
import { Clock, Duration, Effect, Layer, Option, Result } from "effect"
import * as Persistence from "../operation/Persistence.ts"
import { Mailer } from "./Mailer.ts"
import { type DueMail, NoticeMails } from "./NoticeMails.ts"
import { kindsForAdmins } from "./Notices.ts"
import * as NoticeText from "./NoticeText.ts"

/** What the operator set. */
export interface MailSettings {
  /** None: mails go to organizations' admins alone. */
  readonly operator: Option.Option<string>
  /** Where the service is, for whoever reads the mail. */
  readonly origin: string
  /** How often it is looked for mails. */
  readonly poll: Duration.Duration
}

const atOnce = 10
const lease = Duration.minutes(30)
/** Addresses that one notice is sent to at most. */
const mostAdmins = 20
/** Well within the lease, however slow the server is. */
const patience = Duration.minutes(2)

/** After the first attempt, and each that follows; then it is given up. */
export const retryDelays: ReadonlyArray<Duration.Duration> = [
  Duration.minutes(1),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(3)
]

const persistently = Persistence.make("mail")

/** Who gets the mail, and did not yet; each with its place among all of them. */
export const recipientsOf = (
  { admins, ended, kind }: Pick<DueMail, "admins" | "ended" | "kind">,
  operator: Option.Option<string>
): ReadonlyArray<{ readonly to: string; readonly reader: "operator" | "admin"; readonly place: number }> => {
  const all = [
    ...Option.toArray(operator).map((to) => ({ to, reader: "operator" as const })),
    ...(kindsForAdmins.includes(kind) ? admins.slice(0, mostAdmins) : []).map((to) => ({
      to,
      reader: "admin" as const
    }))
  ]
  return all.map((each, place) => ({ ...each, place })).filter(({ place, to }) =>
    !ended.includes(to) && all.findIndex((each) => each.to === to) === place
  )
}

const make = Effect.fnUntraced(function*({ operator, origin }: MailSettings) {
  const mails = yield* NoticeMails
  const mailer = yield* Mailer

  /** Why some of it was not taken, and may be later; null: nothing is left. */
  const sendAll = Effect.fnUntraced(function*(mail: DueMail) {
    let fault: string | null = null
    for (const { place, reader, to } of recipientsOf(mail, operator)) {
      const outcome = yield* Effect.result(
        mailer.send({ to, id: `${mail.id}.${place}`, ...NoticeText.write(mail, reader, origin) })
      )
      if (Result.isSuccess(outcome)) yield* mails.end(mail, to, null)
      else if (outcome.failure.lasting) yield* mails.end(mail, to, outcome.failure.reason)
      else fault = outcome.failure.reason
    }
    return fault
  })

  const handle = Effect.fnUntraced(function*(mail: DueMail) {
    const sent = yield* Effect.timeoutOption(sendAll(mail), patience)
    const fault = Option.getOrElse(sent, () => "the mail server took too long")
    if (fault === null) return yield* mails.settle(mail, null)
    yield* Effect.logWarning(`a mail about a notice was not taken: ${fault}`)
    const after = retryDelays[mail.attempt - 1]
    if (after === undefined) return yield* mails.giveUp(mail, fault)
    yield* mails.settle(mail, (yield* Clock.currentTimeMillis) + Duration.toMillis(after))
  })

  /** Sends what is due; answers how much that was. */
  return Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const due = yield* mails.claim({ limit: atOnce, lease, now })
    yield* Effect.forEach(due, handle, { discard: true })
    return due.length
  })
})

/** Sends until it is interrupted. */
export const run = Effect.fn("NoticeMailer.run")(function*(settings: MailSettings) {
  const sendDue = yield* make(settings)
  while (true) {
    const sent = yield* persistently("send what is due", sendDue)
    if (sent < atOnce) yield* Effect.sleep(settings.poll)
  }
})

/** In the background for as long as the layer lives. */
export const layer = (settings: MailSettings): Layer.Layer<never, never, NoticeMails | Mailer> =>
  Layer.effectDiscard(Effect.forkScoped(run(settings)))

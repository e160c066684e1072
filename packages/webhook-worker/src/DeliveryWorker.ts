/**
 * The delivery worker: fans events out, claims due deliveries, sends them and records how that ended.
 *
 * - Any number of workers may run; `Deliveries` keeps them apart. A worker that is killed loses nothing: what it held
 *   comes due again when its lease is over, and no attempt was used.
 * - Claims, what deliveries carry, and outcomes go to the database many at a time, and new events are fanned out beside
 *   them. What was claimed is held until its outcome is recorded, not shorter, so a database that is away slows the worker
 *   down instead of filling its memory.
 * - One endpoint holds at most `perEndpoint` places among all workers, so that a slow one costs the others nothing. A quick
 *   one is given several deliveries for each place (`Turns`), which are sent one after the other (`Places`). One that is not
 *   known to answer is tried by two, and a place rests whose attempt failed, so that who fails costs little.
 * - An endpoint that is a CRM is pushed to (`CrmAttempt`), which is an attempt like any other.
 * - What was held for half of its lease is not sent: it may be another worker's before it arrives.
 * - What an organization has waiting, or is doing, keeps nobody else's outcomes waiting (`Recorder`).
 * - No trouble of ours ends the loop or counts against an endpoint: it is tried again, and logged once until it is over.
 *
 * What a delivery carries is prepared before its turn (`Preparation`), and what it costs is booked where a 2xx is recorded. What a
 * limit postponed is looked at again, when the organization's settings changed, at intervals of `reconsider`.
 *
 * *Gotchas*: when the worker stops, it claims nothing more, waits for what is in flight until `drain`, and records it.
 */
import type { Signals } from "@freehold/core/change/Signals"
import type { Ledger } from "@freehold/core/credit/Ledger"
import * as EventTrace from "@freehold/core/event/EventTrace"
import type { LeadBundles } from "@freehold/core/lead/LeadBundles"
import * as Persistence from "@freehold/core/operation/Persistence"
import type { CrmPusher } from "@freehold/core/webhook/CrmPusher"
import {
  type AttemptOutcome,
  type AttemptRecord,
  type ClaimedDelivery,
  Deliveries
} from "@freehold/core/webhook/Deliveries"
import * as DeliveryMeter from "@freehold/core/webhook/DeliveryMeter"
import { attemptsWithin, defaultRetryDelays } from "@freehold/core/webhook/RetryPolicy"
import {
  Array as Arr,
  Cause,
  Clock,
  Duration,
  Effect,
  Fiber,
  FiberSet,
  Layer,
  Metric,
  Option,
  Queue,
  References,
  Schedule
} from "effect"
import * as AttemptMetrics from "./AttemptMetrics.ts"
import * as CrmAttempt from "./CrmAttempt.ts"
import * as DeliveryLog from "./DeliveryLog.ts"
import * as Places from "./Places.ts"
import * as Preparation from "./Preparation.ts"
import { ProcessTurn } from "./ProcessTurn.ts"
import * as Recorder from "./Recorder.ts"
import { Sender } from "./Sender.ts"
import { nameOf, toAttempt } from "./SendOutcome.ts"
import * as Signature from "./Signature.ts"
import * as Turns from "./Turns.ts"
import * as WebhookBody from "./WebhookBody.ts"

export interface DeliveryWorkerSettings {
  /** The waits between the attempts: as many as there are retries. */
  readonly retryDelays: ReadonlyArray<Duration.Duration>
  /** The deadline of one attempt, as the `Sender` keeps it. */
  readonly timeout: Duration.Duration
  /** Most deliveries that this worker holds: in flight, or in turn after another. */
  readonly concurrency: number
  /** Most deliveries in flight to one endpoint, among all workers. */
  readonly perEndpoint: number
  /** How long a claim is this worker's; longer than building, sending and recording take. */
  readonly lease: Duration.Duration
  /** How long the worker rests at most before it looks for work. */
  readonly poll: Duration.Duration
  /** How often deliveries that a limit postponed are looked at again. */
  readonly reconsider: Duration.Duration
  /** How long a worker that stops waits for what is in flight. */
  readonly drain: Duration.Duration
}

/** The operator's settings; what is left out has its default. */
export const settingsOf = (given: Partial<DeliveryWorkerSettings> = {}): DeliveryWorkerSettings => {
  const timeout = given.timeout ?? Duration.seconds(10)
  return {
    retryDelays: defaultRetryDelays,
    concurrency: 1000,
    perEndpoint: 10,
    lease: Duration.sum(timeout, Duration.seconds(20)),
    poll: Duration.seconds(1),
    reconsider: Duration.minutes(1),
    drain: Duration.seconds(12),
    ...given,
    timeout
  }
}

/** So many are sent at once to an endpoint of which nothing is known, or whose last attempt failed. */
const unproven = 2

/** Events are looked for at most so often while they keep coming, so that they are fanned out and claimed together. */
const gathering = Duration.millis(25)
const fanOutBatch = 500
const claimBatch = 500
/** A delivery waits for its turn at most twice as long. */
const patience = Duration.millis(500)
const recordDeadline = Duration.seconds(2)
/** After these, preparing a delivery is given up for a while. */
const preparations = Schedule.spaced("200 millis").pipe(Schedule.upTo({ times: 4 }))
const afterUnavailable = Duration.seconds(5)
const afterFault = Duration.minutes(1)

const heldGauge = Metric.gauge("freehold_webhook_in_flight", {
  description: "Webhook deliveries in flight, or in turn after another."
})

const persistently = Persistence.make("webhook worker")

interface Ended {
  readonly outcome: AttemptOutcome
  readonly durationMillis: number
  /** Of data that is not stored yet. */
  readonly data?: string
}

const postponed = (wait: Duration.Duration, reason: string) =>
  Effect.map(Clock.currentTimeMillis, (now): AttemptOutcome => ({
    _tag: "Postponed",
    until: now + Duration.toMillis(wait),
    state: "retry_wait",
    reason
  }))

const makeAttempt = Effect.gen(function*() {
  const sender = yield* Sender
  const places = yield* Places.make(patience)
  const turns = Turns.make()
  const { count } = yield* AttemptMetrics.make
  const push = yield* CrmAttempt.make(count)

  const turnOf = yield* ProcessTurn

  const prepare = yield* Preparation.make
  const send = Effect.fnUntraced(function*(claimed: ClaimedDelivery, data: string) {
    yield* turnOf(claimed.organization.org_id)
    const { deliveryId, eventId, eventType, secrets, test, url } = claimed
    if (!Arr.isReadonlyArrayNonEmpty(secrets)) return yield* Effect.die(`endpoint ${claimed.endpointId} has no secret`)
    const signedAt = yield* Clock.currentTimeMillis
    const body = WebhookBody.encode({ eventId: deliveryId, feedEventId: eventId, eventType, test, data }, signedAt)
    const signatures = Signature.headers({ secrets, id: deliveryId, unixSeconds: Math.floor(signedAt / 1000), body })
    const [took, sent] = yield* Effect.timed(sender.send({ url, eventId: deliveryId, eventType, signatures, body }))
    const durationMillis = Math.round(Duration.toMillis(took))
    yield* count(claimed.endpointId, nameOf(sent), durationMillis)
    return { outcome: toAttempt(sent), durationMillis }
  })

  const carry = (
    claimed: ClaimedDelivery,
    { data, derived }: Preparation.Ready
  ): Effect.Effect<Option.Option<Ended>> => {
    const sent = claimed.crm === null ? send(claimed, data) : push(claimed, claimed.crm, data)
    return Effect.map(sent, (ended) => {
      turns.note(claimed.endpointId, ended.outcome._tag === "Delivered", ended.durationMillis)
      return Option.some(derived === true ? { ...ended, data } : ended)
    })
  }

  const returned = Effect.succeedSome<Ended>({ outcome: { _tag: "Returned" }, durationMillis: 0 })

  /** How the attempt ended; none when the claim was lost before anything was sent. */
  const attempt = Effect.fnUntraced(
    function*(claimed: ClaimedDelivery, isHeld: Effect.Effect<boolean>) {
      const prepared = yield* Effect.catchTag(
        prepare(claimed),
        "TEMPORARILY_UNAVAILABLE",
        () => Effect.retry(prepare(claimed), preparations)
      )
      switch (prepared._tag) {
        case "Lost":
          return Option.none<Ended>()
        case "Ended":
          return Option.some<Ended>({ outcome: prepared.outcome, durationMillis: 0 })
        case "Ready":
          return yield* places.at(
            `${claimed.endpointId} ${claimed.place}`,
            Effect.flatMap(isHeld, (held) => held ? carry(claimed, prepared) : Effect.succeedNone),
            returned
          )
      }
    },
    (effect, claimed) =>
      Effect.catchCause(effect, (cause) => {
        if (Cause.hasInterrupts(cause)) return Effect.interrupt
        const [wait, reason] = Cause.hasFails(cause)
          ? [afterUnavailable, "a dependency was unavailable"] as const
          : [afterFault, "a fault of ours"] as const
        return DeliveryLog.tellTrouble(claimed, cause).pipe(
          Effect.andThen(postponed(wait, reason)),
          Effect.map((outcome) => Option.some<Ended>({ outcome, durationMillis: 0 }))
        )
      })
  )
  return { attempt, turns: turns.all, close: places.close }
})

/** Works until it is interrupted; then finishes what is in flight. */
export const run = Effect.fn("DeliveryWorker.run")(function*(settings: DeliveryWorkerSettings) {
  const deliveries = yield* Deliveries
  const { attempt, close, turns } = yield* makeAttempt
  const { monotonicTimeNanos } = yield* Clock.Clock
  // What nobody is shown is not put together for each delivery.
  const isTraced = yield* References.TracerEnabled
  const outcomes = yield* Queue.unbounded<AttemptRecord, Cause.Done>()
  /** Full when there may be something to claim. */
  const freed = yield* Queue.sliding<void>(1)
  /** Full when there may be new events. */
  const woken = yield* Queue.sliding<void>(1)
  /** Full when there was a claim. */
  const looked = yield* Queue.sliding<void>(1)
  const fresh = BigInt(Math.round(Duration.toMillis(settings.lease) * 1e6)) / 2n
  let held = 0
  yield* Metric.update(heldGauge, held)

  const leave = (count: number) => {
    held -= count
    Queue.offerUnsafe(freed, undefined)
  }

  const recorder = yield* Effect.forkScoped(Recorder.run({
    outcomes,
    complete: (records) => persistently("record outcomes", deliveries.complete(records, settings.retryDelays)),
    recorded: leave
  }))

  const sending = yield* FiberSet.make<void>()
  yield* Effect.addFinalizer(() =>
    Effect.gen(function*() {
      yield* close
      yield* Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(sending)), settings.drain)
      yield* FiberSet.clear(sending)
      yield* Queue.end(outcomes)
      yield* Effect.timeoutOption(Effect.interruptible(Fiber.await(recorder)), recordDeadline)
    })
  )

  const deliver = Effect.fnUntraced(function*(claimed: ClaimedDelivery, claimedAt: bigint) {
    const isHeld = Effect.map(monotonicTimeNanos, (now) => now - claimedAt < fresh)
    const ended = yield* attempt(claimed, isHeld)
    if (Option.isNone(ended)) return leave(1)
    const { data, outcome, durationMillis } = ended.value
    yield* DeliveryLog.tell(claimed, outcome, attemptsWithin(settings.retryDelays))
    if (isTraced) yield* Effect.annotateCurrentSpan(DeliveryLog.endingOf(outcome))
    yield* Queue.offer(outcomes, {
      orgId: claimed.organization.org_id,
      deliveryId: claimed.deliveryId,
      endpointId: claimed.endpointId,
      claim: claimed.claim,
      attempt: claimed.attempt,
      unmetered: !DeliveryMeter.isMetered(claimed),
      outcome,
      durationMillis,
      ...data === undefined ? {} : { data }
    })
  }, (effect, claimed) =>
    isTraced
      ? Effect.withSpan(effect, "webhook.delivery", {
        parent: EventTrace.rootOf(claimed.eventId),
        kind: "consumer",
        captureStackTrace: false,
        attributes: DeliveryLog.factsOf(claimed)
      })
      : effect)
  const start = yield* FiberSet.runtime(sending)<Ledger>()

  // What was claimed is under way in the same step, so that an interruption cannot come between.
  const claimAndStart = Effect.fnUntraced(function*(limit: number) {
    // The lease begins later than this.
    const askedAt = yield* monotonicTimeNanos
    const { lease, perEndpoint } = settings
    return yield* Effect.map(deliveries.claim({ limit, perEndpoint, lease, unproven, turns: turns() }), (claimed) => {
      held += claimed.length
      for (const delivery of claimed) start(deliver(delivery, askedAt))
      return claimed.length
    })
  })

  yield* persistently("look at postponed deliveries", deliveries.reconsider(settings.lease)).pipe(
    Effect.repeat(Schedule.spaced(settings.reconsider)),
    Effect.forkScoped
  )

  const gathered = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.map(Effect.all([effect, Effect.sleep(gathering)], { concurrency: 2 }), ([value]) => value)

  const fanOut = Effect.gen(function*() {
    const events = yield* gathered(
      Effect.tap(
        persistently("fan out events", deliveries.fanOut(fanOutBatch)),
        Queue.offer(freed, undefined)
      )
    )
    if (events === 0) yield* Effect.raceFirst(Queue.take(woken), Effect.sleep(settings.poll))
  })
  yield* Effect.forkScoped(Effect.forever(fanOut))

  // After each call it waits for a claim, since what is due stays so until then.
  const watch = Effect.gen(function*() {
    yield* persistently("wait for work", deliveries.awaitWork(settings.poll))
    yield* Queue.offer(woken, undefined)
    yield* Queue.offer(freed, undefined)
    yield* gathered(Queue.take(looked))
  })
  yield* Effect.forkScoped(Effect.forever(watch))

  while (true) {
    yield* Queue.take(freed)
    const limit = Math.min(settings.concurrency - held, claimBatch)
    const claimed = limit === 0 ? 0 : yield* persistently("claim deliveries", claimAndStart(limit))
    if (limit > 0 && claimed === limit) yield* Queue.offer(freed, undefined)
    yield* Queue.offer(looked, undefined)
    yield* Metric.update(heldGauge, held)
  }
}, Effect.scoped)

/** A worker in the background for as long as the layer lives. */
export const layer = (settings: DeliveryWorkerSettings): Layer.Layer<
  never,
  never,
  CrmPusher | Deliveries | LeadBundles | Ledger | Sender | Signals
> => Layer.effectDiscard(Effect.forkScoped(run(settings)))

/**
 * Works on what was launched: asks the researcher or the drafter, and records how it ended.
 *
 * - Any number may run; `ResearchRuns` keeps them apart. One that is killed loses nothing: what it held comes due again
 *   when its lease is over.
 * - A job that cannot be handed over is tried five times. One whose answer does not come in time has failed. So has one
 *   that is claimed again and again without an outcome, since it seems to bring its worker down.
 * - Of one organization one outcome is recorded at a time, and its next one after as long a rest: what is found without
 *   asking anybody comes by the hundred, and each is a transaction.
 * - No trouble of ours ends the loop: it is tried again, and logged once until it is over.
 */
import { Cause, Duration, Effect, FiberSet, Layer, Queue } from "effect"
import * as FairShares from "../load/FairShares.ts"
import * as Persistence from "../operation/Persistence.ts"
import * as DraftWork from "./DraftWork.ts"
import * as FindingRecord from "./FindingRecord.ts"
import { Researcher } from "./Researcher.ts"
import type { ResearchJob } from "./ResearchRun.ts"
import { ResearchRuns } from "./ResearchRuns.ts"

export interface ResearchRunnerSettings extends FindingRecord.RecordSettings {
  /** How long a claim is this worker's; longer than asking a researcher takes. */
  readonly lease: Duration.Duration
  /** Most jobs at once. */
  readonly concurrency: number
  /** How long the worker rests at most before it looks for work. */
  readonly poll: Duration.Duration
}

/** The operator's settings; what is left out has its default. */
export const settingsOf = (given: Partial<ResearchRunnerSettings> = {}): ResearchRunnerSettings => ({
  lease: Duration.minutes(2),
  patience: Duration.hours(1),
  retryDelays: [Duration.seconds(30), Duration.minutes(1), Duration.minutes(2), Duration.minutes(4)],
  concurrency: 20,
  poll: Duration.seconds(1),
  ...given
})

/** So many claims without an outcome are enough. */
const maximumClaims = 20

/** Places that are free are filled together. */
const gathering = Duration.millis(50)

/** Runs one effect of an organization at a time, each followed by a rest as long as it took. */
const makeTurns = () => {
  const places = FairShares.make({ inAll: Infinity, perOrganization: 1, besideBusier: 1, waiting: Infinity, rest: 0 })
  return <A, E, R>({ organization }: ResearchJob, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const rested = Effect.flatMap(Effect.timed(effect), ([took, value]) => Effect.as(Effect.sleep(took), value))
    return places.take(organization.org_id, rested, Effect.never)
  }
}

/** Works on one claimed job to its end, or until somebody else has it. */
const makeWork = Effect.gen(function*() {
  const researcher = yield* Researcher
  const draft = yield* DraftWork.make
  const { fail, record, tryAgain } = yield* FindingRecord.make
  const inTurn = makeTurns()

  return Effect.fn("ResearchRunner.work")(
    function*(job: ResearchJob, settings: ResearchRunnerSettings) {
      if (job.overdue) return yield* inTurn(job, fail(job, "timed_out"))
      if (job.claim > maximumClaims) return yield* inTurn(job, fail(job, "fault"))
      const finding = yield* job.action === "draft_email" ? draft(job) : researcher.research(job)
      return yield* inTurn(job, record(job, finding, settings))
    },
    (effect, job, settings) =>
      Effect.catchCause(effect, (cause) => {
        if (Cause.hasInterrupts(cause)) return Effect.interrupt
        if (Cause.hasFails(cause)) return Effect.failCause(cause)
        return Effect.andThen(
          Effect.logError(`research ${job.jobId} failed unexpectedly`, cause),
          inTurn(job, tryAgain(job, "fault", settings))
        )
      })
  )
})

const persistently = Persistence.make("research")

/** Works until it is interrupted. What it holds then comes due again. */
export const run = Effect.fn("ResearchRunner.run")(function*(settings: ResearchRunnerSettings) {
  const runs = yield* ResearchRuns
  const work = yield* makeWork
  const working = yield* FiberSet.make()
  const start = yield* FiberSet.runtime(working)()
  const freed = yield* Queue.sliding<void>(1)
  let inFlight = 0

  const workOn = (job: ResearchJob) =>
    persistently("work on a job", work(job, settings)).pipe(
      Effect.ensuring(Effect.suspend(() => {
        inFlight -= 1
        return Queue.offer(freed, undefined)
      }))
    )

  // What was claimed is under way in the same step, so that an interruption cannot come between.
  const claimAndStart = (limit: number) =>
    Effect.map(runs.claim({ limit, lease: settings.lease }), (jobs) => {
      inFlight += jobs.length
      for (const job of jobs) start(workOn(job))
      return jobs.length
    })

  while (true) {
    const limit = settings.concurrency - inFlight
    const claimed = limit === 0 ? 0 : yield* persistently("claim jobs", claimAndStart(limit))
    // A slow job keeps its own place occupied, and no other.
    if (limit === 0 || claimed < limit) {
      yield* Effect.raceFirst(
        Effect.andThen(Queue.take(freed), Effect.sleep(gathering)),
        runs.awaitWork(settings.poll)
      )
    }
  }
}, Effect.scoped)

/** A worker in the background for as long as the layer lives. */
export const layer = (settings: ResearchRunnerSettings) => Layer.effectDiscard(Effect.forkScoped(run(settings)))

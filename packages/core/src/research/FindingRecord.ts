/**
 * Records what became of a claimed job.
 *
 * A job that cannot be handed over is tried again after the delays, one more time than there are delays; a draft is waited
 * for, and tried once.
 */
import { type Duration, Effect } from "effect"
import type { Finding } from "./Researcher.ts"
import type { FailureReason, ResearchJob } from "./ResearchRun.ts"
import { ResearchRuns } from "./ResearchRuns.ts"

export interface RecordSettings {
  /** How long an answer may take once the job was taken. */
  readonly patience: Duration.Duration
  /** The waits between attempts to hand a job over. */
  readonly retryDelays: ReadonlyArray<Duration.Duration>
}

export const make = Effect.gen(function*() {
  const runs = yield* ResearchRuns

  const fail = (job: ResearchJob, reason: FailureReason) => Effect.asVoid(runs.fail(job.jobId, reason))

  /** Waits and tries again, or gives up. */
  const tryAgain = (job: ResearchJob, reason: FailureReason, { retryDelays }: RecordSettings) => {
    const wait = job.action === "draft_email" ? undefined : retryDelays[job.attempts]
    return wait === undefined ? fail(job, reason) : runs.retry(job, wait)
  }

  const record = Effect.fn("FindingRecord.record")(
    function*(job: ResearchJob, finding: Finding, settings: RecordSettings) {
      switch (finding._tag) {
        case "Found":
          return yield* runs.deliver(job.jobId, finding).pipe(
            Effect.asVoid,
            Effect.catchTag("DeliveryRejected", (rejected) =>
              Effect.andThen(
                Effect.logError(`research ${job.jobId} found rows that do not fit: ${rejected.message}`),
                fail(job, "fault")
              ))
          )
        case "Nothing":
          return yield* fail(job, "nothing_found")
        case "Taken":
          return yield* runs.handOver(job, settings.patience)
        case "Unreachable":
          yield* Effect.logWarning(`research ${job.jobId} cannot be worked on: ${finding.reason}`)
          return yield* tryAgain(job, "unreachable", settings)
      }
    }
  )

  return { record, fail, tryAgain }
})

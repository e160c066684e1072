/**
 * The operator's own system as a researcher: each job is POSTed to it, signed like a webhook, and it answers later.
 *
 * The body is `{ job_id, attempt, action, subject: { type, id, key }, callback_url }`, for deep research with the `property`
 * that it is about, `{ id, key }`; `Service-Event-Type` is `research.requested` and `Service-Event-Id` the job's id, the same on every attempt. A 2xx takes the job, anything else
 * is tried again. The answer is POSTed to `callback_url`, signed with the same secret (`ResearchAnswer` in core).
 */
import { type Finding, Researcher } from "@freehold/core/research/Researcher"
import { type ResearchJob, subjectTypes } from "@freehold/core/research/ResearchRun"
import { Clock, Effect, Layer, type Redacted } from "effect"
import { Sender } from "./Sender.ts"
import type { SendOutcome } from "./SendOutcome.ts"
import { sign } from "./Signature.ts"

export interface RemoteResearcherSettings {
  readonly url: string
  readonly secret: Redacted.Redacted
  /** Where answers are taken. */
  readonly callbackUrl: string
}

const statusOf = (outcome: Extract<SendOutcome, { readonly _tag: "Gone" | "Rejected" }>): number =>
  outcome._tag === "Gone" ? 410 : outcome.status

const encoder = new TextEncoder()

export const layer = ({ callbackUrl, secret, url }: RemoteResearcherSettings): Layer.Layer<Researcher, never, Sender> =>
  Layer.effect(
    Researcher,
    Effect.gen(function*() {
      const sender = yield* Sender
      return Researcher.of({
        research: Effect.fn("Researcher.research")(function*(job: ResearchJob) {
          const now = yield* Clock.currentTimeMillis
          const body = encoder.encode(JSON.stringify({
            job_id: job.jobId,
            attempt: job.attempts + 1,
            action: job.action,
            subject: { type: subjectTypes[job.action], id: job.subjectId, key: job.subjectKey },
            ...job.property === null ? {} : { property: job.property },
            callback_url: callbackUrl
          }))
          const outcome = yield* sender.send({
            url,
            eventId: job.jobId,
            eventType: "research.requested",
            signatures: { "Service-Signature": sign([secret], Math.floor(now / 1000), body) },
            body
          })
          const finding: Finding = outcome._tag === "Delivered"
            ? { _tag: "Taken" }
            : { _tag: "Unreachable", reason: "detail" in outcome ? outcome.detail : `answered ${statusOf(outcome)}` }
          return finding
        })
      })
    })
  )

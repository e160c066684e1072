/**
 * What came of sending a webhook once.
 *
 * | case      | what happened                                            | what the delivery does                |
 * | --------- | -------------------------------------------------------- | ------------------------------------- |
 * | Delivered | any 2xx                                                  | is done                               |
 * | Gone      | 410                                                      | stops, and the endpoint is disabled   |
 * | Rejected  | any other status, redirects included                     | is tried again                        |
 * | Failed    | no response headers arrived                              | is tried again                        |
 * | Blocked   | the URL, or an address its name leads to, is not allowed | stops, and the endpoint is disabled   |
 *
 * `detail` is a few words for the delivery log; it never holds a part of a body or a secret. `answer` is how the body of a
 * rejection begins, for those whose endpoint it is; it stands in no log of the process.
 */
import { saying } from "@freehold/core/operation/PlainText"
import type { AttemptOutcome } from "@freehold/core/webhook/Deliveries"
import { TargetRule } from "@freehold/core/webhook/WebhookTarget"
import { Schema } from "effect"

export const FailureReason = Schema.Literals(["timeout", "dns", "connect", "tls", "protocol"])
export type FailureReason = typeof FailureReason.Type

export const SendOutcome = Schema.TaggedUnion({
  Delivered: { status: Schema.Int },
  Gone: {},
  Rejected: { status: Schema.Int, answer: Schema.optionalKey(Schema.String) },
  Failed: { reason: FailureReason, detail: Schema.String },
  Blocked: { rule: TargetRule, detail: Schema.String }
})
export type SendOutcome = typeof SendOutcome.Type

/** The outcome that a response status stands for. */
export const ofStatus = (status: number): SendOutcome => {
  if (status >= 200 && status <= 299) return SendOutcome.cases.Delivered.make({ status })
  return status === 410 ? SendOutcome.cases.Gone.make({}) : SendOutcome.cases.Rejected.make({ status })
}

/** Bytes of the body of a rejection that are kept. */
export const answerLimit = 200

/** The outcome with how the body begins that came with it; what is packed, or is no answer to a failure, is not kept. */
export const withAnswer = (outcome: SendOutcome, beginning: Uint8Array): SendOutcome => {
  if (outcome._tag !== "Rejected") return outcome
  const answer = saying(new TextDecoder().decode(beginning.subarray(0, answerLimit))).trim()
  return answer === "" ? outcome : SendOutcome.cases.Rejected.make({ status: outcome.status, answer })
}

/** What `AttemptMetrics` calls the outcome. */
export const nameOf = (outcome: SendOutcome): string =>
  outcome._tag === "Failed" ? outcome.reason : outcome._tag.toLowerCase()

/** The outcome as the delivery's log records it. */
export const toAttempt = (outcome: SendOutcome): AttemptOutcome => {
  switch (outcome._tag) {
    case "Delivered":
      return { _tag: "Delivered", status: outcome.status }
    case "Gone":
      return { _tag: "Gone" }
    case "Rejected":
      return {
        _tag: "Failed",
        status: outcome.status,
        reason: `answered ${outcome.status}`,
        ...outcome.answer === undefined ? {} : { answer: outcome.answer }
      }
    case "Failed":
      return { _tag: "Failed", status: null, reason: saying(`${outcome.reason}: ${outcome.detail}`) }
    case "Blocked":
      return { _tag: "Blocked", reason: saying(outcome.detail) }
  }
}

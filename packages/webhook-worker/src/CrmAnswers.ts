/** What the answers of CRMs have in common: how a refusal ends a push, and how long one asks to wait. */
import { saying } from "@freehold/core/operation/PlainText"
import type { PushOutcome } from "@freehold/core/webhook/CrmPusher"
import { Clock, Duration, Effect, identity } from "effect"
import type { CrmAnswer } from "./CrmCall.ts"

/** `reason` is a few words for logs; what the CRM said stands beside it, for those whose CRM it is. */
export const refused = ({ status, text }: CrmAnswer, reason: string): PushOutcome => ({
  _tag: "Failed",
  status,
  reason: saying(reason),
  ...text === "" ? {} : { answer: saying(text.slice(0, 200)) }
})

/** Not before `wait` from now. */
export const postponed = (wait: Duration.Duration, reason: string): Effect.Effect<never, PushOutcome> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.fail<PushOutcome>({
      _tag: "Postponed",
      until: now + Duration.toMillis(wait),
      state: "retry_wait",
      reason: saying(reason)
    }))

/** How a push ended, one way or the other. */
export const ended = (pushing: Effect.Effect<PushOutcome, PushOutcome>): Effect.Effect<PushOutcome> =>
  Effect.match(pushing, { onFailure: identity, onSuccess: identity })

const longest = Duration.days(1)

/** Retry-After in seconds or as a date, a second at least and a day at most; undefined: it says nothing that can be read. */
export const retryAfter = ({ headers }: CrmAnswer, now: number): Duration.Duration | undefined => {
  const said = headers["retry-after"]
  if (said === undefined) return undefined
  const millis = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - now
  return Number.isNaN(millis)
    ? undefined
    : Duration.clamp(Duration.millis(millis), { minimum: Duration.seconds(1), maximum: longest })
}

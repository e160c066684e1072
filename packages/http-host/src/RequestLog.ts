/**
 * What is logged of a request: a warning for an answer above 500, with what caused it, and every request where the operator
 * wants that. A 500 itself is a fault of ours, and was logged with its whole cause.
 *
 * *Gotchas.* While the database is away every request fails, so warnings come at a bounded pace.
 */
import * as LogPace from "@freehold/core/operation/LogPace"
import { Context, Effect, LogLevel, type Option, References } from "effect"

/** Whether every request is told at `info`, and not at `debug` alone. */
export const AccessLog = Context.Reference<boolean>("@freehold/http-host/RequestLog/AccessLog", {
  defaultValue: () => false
})

const failures = LogPace.make()

export interface Told {
  readonly status: number
  /** That of the refusal; null: it was none, so that the answer is what was asked for. */
  readonly code: string | null
  /** Asked for where something is logged. */
  readonly facts: () => Readonly<Record<string, unknown>>
  /** What stood in the way, in words for the operator. */
  readonly cause: Option.Option<string>
}

/** Answers with the answer, once what there is to say of it was logged. */
export const telling = <A>(answer: A, { cause, code, facts, status }: Told): Effect.Effect<A> =>
  Effect.withFiber((fiber) => {
    const log = (line: Effect.Effect<void>) =>
      Effect.annotateLogs(line, { ...facts(), ...cause._tag === "Some" ? { cause: cause.value } : {} })
    const isWarning = status > 500 && code !== null
    const level = fiber.getRef(AccessLog) ? "Info" : "Debug"
    const isHeard = LogLevel.isLessThanOrEqualTo(fiber.getRef(References.MinimumLogLevel), level)
    if (!isWarning && !isHeard) return Effect.succeed(answer)
    const warning = isWarning ? failures(log(Effect.logWarning("request failed"))) : Effect.void
    const line = level === "Info" ? Effect.logInfo("request") : Effect.logDebug("request")
    return Effect.as(isHeard ? Effect.andThen(warning, log(line)) : warning, answer)
  })

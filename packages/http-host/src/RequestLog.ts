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

/** What there is to say of a request; null: nothing, or nobody hears it. */
export const line = (
  context: Context.Context<never>,
  { cause, code, facts, status }: Told
): Effect.Effect<void> | null => {
  const log = (line: Effect.Effect<void>) =>
    Effect.annotateLogs(line, { ...facts(), ...cause._tag === "Some" ? { cause: cause.value } : {} })
  const isWarning = status > 500 && code !== null
  const level = Context.get(context, AccessLog) ? "Info" : "Debug"
  const isHeard = LogLevel.isLessThanOrEqualTo(Context.get(context, References.MinimumLogLevel), level)
  if (!isWarning && !isHeard) return null
  const warning = isWarning ? failures(log(Effect.logWarning("request failed"))) : Effect.void
  const told = level === "Info" ? Effect.logInfo("request") : Effect.logDebug("request")
  return isHeard ? Effect.andThen(warning, log(told)) : warning
}

/** Answers with the answer, once what there is to say of it was logged. */
export const telling = <A>(answer: A, told: Told): Effect.Effect<A> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const said = line(context, told)
    return said === null ? Effect.succeed(answer) : Effect.as(said, answer)
  })

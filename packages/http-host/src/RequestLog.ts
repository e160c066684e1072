/**
 * What is logged of a request: a warning for an answer above 500, with what caused it, and every request where the operator
 * wants that. A 500 itself is a fault of ours, and was logged with its whole cause.
 *
 * *Gotchas.* While the database is away every request fails, so warnings come at a bounded pace.
 */
import * as LogPace from "@freehold/core/operation/LogPace"
import { Context, Effect, LogLevel, type Option } from "effect"

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

export const tell = Effect.fnUntraced(function*({ cause, code, facts, status }: Told) {
  const log = (line: Effect.Effect<void>) =>
    Effect.annotateLogs(line, { ...facts(), ...cause._tag === "Some" ? { cause: cause.value } : {} })
  if (status > 500 && code !== null) yield* failures(log(Effect.logWarning("request failed")))
  const level = (yield* AccessLog) ? "Info" : "Debug"
  if (yield* LogLevel.isEnabled(level)) {
    yield* log(level === "Info" ? Effect.logInfo("request") : Effect.logDebug("request"))
  }
})

/**
 * Tells that the bounds of `ServerBounds` close connections: a count by cause, and a line of the log for an address at most
 * once a minute. However many addresses there are, a minute has only so many lines.
 */
import * as Series from "@freehold/core/operation/Series"
import { Clock, Context, Effect, Metric } from "effect"
import type { Cause, OnCut } from "./Connections.ts"

/** Lines of one minute. */
const linesPerMinute = 20

const minute = 60_000

const causes = [
  "address",
  "all",
  "unfinished",
  "requests",
  "answer",
  "bytes",
  "pieces",
  "barred"
] as const satisfies ReadonlyArray<Cause>

const cut = Series.make(["bound"], (attributes) =>
  Metric.counter("freehold_http_connections_cut_total", {
    description: "Connections that were closed or refused because of a bound on what clients may hold.",
    incremental: true,
    attributes
  }))

/** What a server is given to tell of the connections that it cuts. */
export const make: Effect.Effect<OnCut> = Effect.gen(function*() {
  const run = Effect.runForkWith(yield* Effect.context())
  for (const bound of causes) cut.begin({ bound })
  const told = new Set<string>()
  let began = yield* Clock.currentTimeMillis
  /** Those that no line has told yet. */
  let untold = 0

  const tell = Effect.fnUntraced(function*(cause: Cause, address: string) {
    cut.of({ bound: cause }).updateUnsafe(1, Context.empty())
    const now = yield* Clock.currentTimeMillis
    // A clock that was set back begins a minute anew.
    if (now - began >= minute || now < began) {
      began = now
      told.clear()
    }
    untold++
    if (told.size >= linesPerMinute || told.has(address)) return
    told.add(address)
    const connections = untold
    untold = 0
    yield* Effect.logWarning("Connections were closed by a bound").pipe(
      Effect.annotateLogs({ cause, address, connections_since_last_line: connections })
    )
  })
  return (cause, address) => void run(tell(cause, address))
})

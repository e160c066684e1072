/**
 * What waits in the database, as gauges: the same for every process of an installation, whichever is asked.
 *
 * *Gotchas.* While the database is away the gauges keep their last values, and `freehold_database_up` is 0.
 */
import type { CellStanding } from "@freehold/adapters-pg/cell/Publication"
import * as WorkPg from "@freehold/adapters-pg/diagnosis/WorkPg"
import { DisabledReason } from "@freehold/core/webhook/WebhookEndpoints"
import { Duration, Effect, Metric } from "effect"

/** A database that takes longer than this is as good as away. */
const patience = Duration.seconds(5)

const up = Metric.gauge("freehold_database_up", { description: "1 when the database answered the last time." })

const labelled = (name: string, description: string, label: string) => {
  const made = new Map<string, Metric.Gauge<number>>()
  return (value: string) => {
    const known = made.get(value) ?? Metric.gauge(name, { description, attributes: { [label]: value } })
    made.set(value, known)
    return known
  }
}

const due = labelled(
  "freehold_queue_due",
  `Work that is due, by queue: events, deliveries, research. Counted up to ${WorkPg.countedAtMost}.`,
  "queue"
)
const lag = labelled("freehold_queue_lag_seconds", "For how long the oldest due work of a queue has been due.", "queue")
const deliveries = labelled(
  "freehold_webhook_deliveries",
  `Deliveries that are in flight, or wait for a later moment. Counted up to ${WorkPg.countedAtMost}.`,
  "state"
)
const running = Metric.gauge("freehold_research_running", { description: "Items of research that are worked on." })
const endpoints = labelled(
  "freehold_webhook_endpoints",
  "Endpoints, by state: active, failing (the last delivery failed), or why they ended: failed (too often in a row), gone, private_address, disabled, deleted, superseded.",
  "state"
)
const importRuns = labelled("freehold_import_runs", "Imports that ended, by kind.", "kind")
const importRows = labelled("freehold_import_rows", "Rows that imports inserted or updated, by kind.", "kind")
const importedAt = labelled(
  "freehold_import_last_timestamp_seconds",
  "When the last import of a kind ended, in seconds since 1970.",
  "kind"
)

const cells = labelled(
  "freehold_cells",
  "Cells of an importing installation, by state: receiving, away (PostgreSQL keeps its log for them), lost (it does not any more).",
  "state"
)

const stateOf = ({ behind, receiving }: CellStanding) => behind === null ? "lost" : receiving ? "receiving" : "away"

/**
 * Told from the start: of what begins at 1, Prometheus sees no increase. What was disabled for its failures has `failed`, since
 * `failing` is what still works.
 */
const endpointStates = ["active", "failed", ...DisabledReason.literals]

const publish = Effect.fnUntraced(function*(work: WorkPg.Work) {
  for (const queue of ["events", "deliveries", "research"] as const) {
    yield* Metric.update(due(queue), work[queue].due)
    yield* Metric.update(lag(queue), work[queue].lag)
  }
  yield* Metric.update(deliveries("in_flight"), work.deliveries.inFlight)
  yield* Metric.update(deliveries("waiting"), work.deliveries.waiting)
  yield* Metric.update(running, work.research.running)
  const counts = new Map(work.endpoints.map(({ count, state }) => [state, count]))
  for (const state of endpointStates) yield* Metric.update(endpoints(state), counts.get(state) ?? 0)
  for (const { kind, lastAt, rows, runs } of work.imports) {
    yield* Metric.update(importRuns(kind), runs)
    yield* Metric.update(importRows(kind), rows)
    yield* Metric.update(importedAt(kind), lastAt)
  }
  for (const state of ["receiving", "away", "lost"] as const) {
    yield* Metric.update(cells(state), work.cells.filter((cell) => stateOf(cell) === state).length)
  }
})

/** Asks the database once. */
export const refresh = WorkPg.read.pipe(
  Effect.timeout(patience),
  Effect.matchEffect({
    onFailure: () => Metric.update(up, 0),
    onSuccess: (work) => Effect.andThen(Metric.update(up, 1), publish(work))
  })
)

/** How the installation stands, as whoever runs it can tell: the lines of `freehold doctor`, and the work that waits. */
import { Context, type Effect, Schema } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

/** What one check found. */
export const Finding = Schema.Struct({
  check: Schema.String,
  /** `advice`: it works, and would work better otherwise. */
  outcome: Schema.Literals(["ok", "advice", "fault", "skipped"]),
  detail: Schema.String
})
export type Finding = typeof Finding.Type

/** Work that is due: how much, and for how many seconds the oldest of it has been. */
const Queue = { due: Schema.Int, lag: Schema.Finite }

/** The work that waits, and how the endpoints stand. */
export const WorkQueues = Schema.Struct({
  events: Schema.Struct(Queue),
  deliveries: Schema.Struct({ ...Queue, inFlight: Schema.Int, waiting: Schema.Int }),
  research: Schema.Struct({ ...Queue, running: Schema.Int }),
  /** `active`, `failing`, `failed` (disabled for its failures), or why else they were disabled. */
  endpoints: Schema.Array(Schema.Struct({ state: Schema.String, count: Schema.Int }))
})
export type WorkQueues = typeof WorkQueues.Type

/** Port: told by whoever put the installation together. */
export class Installation extends Context.Service<Installation, {
  /** What `freehold doctor` says, but for the laws, which an audit looks at. */
  readonly findings: Effect.Effect<ReadonlyArray<Finding>, TemporarilyUnavailable>
  readonly work: Effect.Effect<WorkQueues, TemporarilyUnavailable>
}>()("@freehold/core/operator/Installation") {}

/**
 * What grows with use, and how long it is kept. docs/retention.md has the table.
 *
 * Credits, what was bought with them, leads and their qualifications are kept for good: the ledger's laws are about all of
 * them. What is too old elsewhere is removed in steps that are each a short transaction.
 */
import { Context, Duration, type Effect, type Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

/** How long it is kept, by what the operator may set. */
export interface Kept {
  /** The data of deliveries that have ended. */
  readonly bodies: Duration.Duration
  /** Deliveries that have ended, their attempts, and that they were counted; and endpoints since another took their place. */
  readonly deliveries: Duration.Duration
  /** Events other than qualifications; as long as deliveries at least. */
  readonly events: Duration.Duration
}

/** What holds when nothing else was set. */
export const defaultKept: Kept = {
  bodies: Duration.days(30),
  deliveries: Duration.days(90),
  events: Duration.days(400)
}

/** Of what something is removed; of bodies and deliveries, in days over PostgreSQL and one by one in memory. */
export const kinds = [
  "bodies",
  "deliveries",
  "endpoints",
  "events",
  "idempotent_answers",
  "links",
  "sessions",
  "views",
  "imports",
  "notices",
  "administration",
  "finder"
] as const

/** One of them. */
export type Kind = typeof kinds[number]

/** What a step removed. */
export interface Swept {
  readonly removed: ReadonlyMap<Kind, number>
  /** A further step finds more. */
  readonly more: boolean
}

/** Port: removes what is too old. */
export class Retention extends Context.Service<Retention, {
  /**
   * One step at `now` (milliseconds), which removes at most `atMost` of each kind, or a day of it. None: another process is
   * at it.
   */
  sweep(request: {
    readonly kept: Kept
    readonly now: number
    readonly atMost: number
  }): Effect.Effect<Option.Option<Swept>, TemporarilyUnavailable>
}>()("@freehold/core/retention/Retention") {}

/**
 * Looks at everything that is stored and tells what breaks a law.
 *
 * The ports keep the laws; an auditor trusts none of them, nor the constraints of a database. What it finds is a fault of
 * a program or the work of a hand.
 */
import { Context, type Effect } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

/** A record that breaks a law. */
export interface Violation {
  /** null: it is nobody's. */
  readonly orgId: string | null
  /** Which record, for a person: `entry 7`, `grant welcome`. */
  readonly record: string
  /** What is wrong with it. */
  readonly fault: string
}

export interface LawReport {
  /** Its short name, the same in every version: `L1`, `deliveries`. */
  readonly law: string
  /** What holds, in one sentence. */
  readonly title: string
  /** All violations, also those that are not listed. */
  readonly count: number
  /** The first of them. */
  readonly violations: ReadonlyArray<Violation>
}

/** Tells of every law whether it holds. */
export class Auditor extends Context.Service<Auditor, {
  /** Every law in a fixed order, those that hold included, all from one snapshot, so that it is exact under load. */
  readonly audit: Effect.Effect<ReadonlyArray<LawReport>, TemporarilyUnavailable>
}>()("@freehold/core/credit/Auditor") {}

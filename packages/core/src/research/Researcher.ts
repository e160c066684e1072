/**
 * Who finds things out: the port behind a run.
 *
 * An implementation answers at once, or takes the job and answers later through `ResearchDesk.answer`; it may be asked
 * for the same job again, and then answers the same.
 */
import { Context, type Effect } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { ResearchJob } from "./ResearchRun.ts"
import type { Delivered } from "./ResearchRuns.ts"

export type Finding =
  | ({ readonly _tag: "Found" } & Delivered)
  /** There is nothing to find: the charge is given back. */
  | { readonly _tag: "Nothing" }
  /** The job was taken; the answer comes later. */
  | { readonly _tag: "Taken" }
  /** Not now: the job is given to the researcher again, a few times. */
  | { readonly _tag: "Unreachable"; readonly reason: string }

/** Port: whoever finds out what a run asks for. */
export class Researcher extends Context.Service<Researcher, {
  research(job: ResearchJob): Effect.Effect<Finding, TemporarilyUnavailable>
}>()("@freehold/core/research/Researcher") {}

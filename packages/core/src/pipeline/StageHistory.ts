/** The moves of a lead as they are shown, oldest first. */
import { Schema } from "effect"
import { Stage } from "../stage/Stage.ts"
import type { StageChange } from "./Pipeline.ts"

export const StageHistory = Schema.Array(Schema.Struct({
  version: Schema.Int,
  from: Schema.NullOr(Stage),
  to: Stage,
  at: Schema.String,
  by: Schema.String,
  by_agent: Schema.Boolean,
  deal_value: Schema.NullOr(Schema.Finite),
  reason_code: Schema.NullOr(Schema.String),
  note: Schema.NullOr(Schema.String)
}))

export const historyView = (history: ReadonlyArray<StageChange>): typeof StageHistory.Type =>
  history.map(({ actor, at, byAgent, dealValue, from, note, reasonCode, to, version }) => ({
    version,
    from,
    to,
    at,
    by: actor.name,
    by_agent: byAgent,
    deal_value: dealValue,
    reason_code: reasonCode,
    note
  }))

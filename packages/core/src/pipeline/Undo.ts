/**
 * Taking a move back: for a minute, by the member who made it, as long as nothing came after it.
 *
 * The lead becomes what it was before the move, whatever the table of moves says of the way back, and the history keeps
 * both. A first qualification stays: its event went out.
 */
import { Result } from "effect"
import { invalid, type InvalidInput } from "../operation/InvalidInput.ts"
import type { LeadState, Move } from "./Moves.ts"
import type { StageChange } from "./Pipeline.ts"
import { ChangedInFlight } from "./PipelineRefusals.ts"

const undoableMillis = 60_000

/** What a lead was once the change was made. */
const stateAfter = ({ dealValue, note, reasonCode, to }: StageChange): LeadState => ({
  status: to,
  dealValue,
  lossReasonCode: to === "lost" ? reasonCode : null,
  lossReasonNote: to === "lost" && reasonCode !== null ? note : null,
  disqualifiedReason: to === "disqualified" ? reasonCode : null
})

/** The move that takes the last one back, or why there is none. Pure. */
export const decideUndo = (
  history: ReadonlyArray<StageChange>,
  { memberId, now, version }: { readonly memberId: string | null; readonly version: number; readonly now: number }
): Result.Result<Move, ChangedInFlight | InvalidInput> => {
  const last = history.at(-1)
  const before = history.at(-2)
  if (last === undefined || last.version !== version) return Result.fail(new ChangedInFlight())
  if (before === undefined) return Result.fail(invalid("version", "A first qualification cannot be taken back"))
  if (last.byAgent || last.actor.id !== memberId) {
    return Result.fail(invalid("version", "Only whoever made a move can take it back"))
  }
  if (now - Date.parse(last.at) > undoableMillis) {
    return Result.fail(invalid("version", "A move can be taken back for a minute"))
  }
  const to = stateAfter(before)
  return Result.succeed({ from: last.to, to, note: to.lossReasonNote })
}

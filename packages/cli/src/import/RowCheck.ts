/** Whether a row that a map made can be used: what its cells lack, and what the row itself lacks. */
import type { Parsed, RowFault } from "@freehold/core/import/RowReading"
import { Result } from "effect"

/** A cell that could not be read is missing from the row: its own fault says more than that it is required. */
export const check = <R>(parsed: Parsed<R>, cellFaults: ReadonlyArray<RowFault>): Parsed<R> => {
  if (cellFaults.length === 0) return parsed
  const told = new Set(cellFaults.map(({ field }) => field))
  const others = Result.isFailure(parsed) ? parsed.failure.filter(({ field }) => !told.has(field)) : []
  return Result.fail([...cellFaults, ...others])
}

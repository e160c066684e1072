/** Names the batch that stands in the way of another one to whoever sees what it is about, and to nobody else. */
import { Effect, Option } from "effect"
import { BatchAlreadyRunning } from "./ResearchRefusals.ts"
import * as RunSight from "./RunSight.ts"

export const make = Effect.gen(function*() {
  const readRun = yield* RunSight.makeReader
  return Effect.fn("RunningBatch.told")(function*({ run_id }: BatchAlreadyRunning) {
    const run = run_id === null ? Option.none() : yield* readRun(run_id)
    return new BatchAlreadyRunning({ run_id: Option.isSome(run) ? run_id : null })
  })
})

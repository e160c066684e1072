/** Works on a draft: gathers the facts and has the email written. */
import { Effect, Option, Result } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { Drafter } from "./Drafter.ts"
import * as DraftFactsReader from "./DraftFactsReader.ts"
import type { Finding } from "./Researcher.ts"
import type { ResearchJob } from "./ResearchRun.ts"

export const make = Effect.gen(function*() {
  const drafter = yield* Drafter
  const factsOf = yield* DraftFactsReader.make

  return Effect.fn("DraftWork.write")(
    function*(job: ResearchJob): Effect.fn.Return<Finding, TemporarilyUnavailable> {
      const facts = yield* factsOf(job)
      if (Option.isNone(facts)) return { _tag: "Nothing" }
      const written = yield* Effect.result(drafter.draft(facts.value))
      return Result.isFailure(written)
        ? { _tag: "Unreachable", reason: written.failure.message }
        : { _tag: "Found", partial: false, rows: [], result: { _tag: "Draft", draft: written.success } }
    }
  )
})

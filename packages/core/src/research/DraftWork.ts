/** Works on a draft: gathers the facts and has the email written. */
import { Effect, Option, Result } from "effect"
import { isOneLine } from "../operation/PlainText.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { Drafter, DraftFailed } from "./Drafter.ts"
import * as DraftFactsReader from "./DraftFactsReader.ts"
import type { Finding } from "./Researcher.ts"
import type { Draft, ResearchJob } from "./ResearchRun.ts"

/** The draft, from whatever drafter: a subject of several lines would be a header of its own in the email. */
const fitting = (draft: Draft): Effect.Effect<Draft, DraftFailed> =>
  isOneLine(draft.subject)
    ? Effect.succeed(draft)
    : Effect.fail(new DraftFailed({ reason: "the subject of the draft has several lines" }))

export const make = Effect.gen(function*() {
  const drafter = yield* Drafter
  const factsOf = yield* DraftFactsReader.make

  return Effect.fn("DraftWork.write")(
    function*(job: ResearchJob): Effect.fn.Return<Finding, TemporarilyUnavailable> {
      const facts = yield* factsOf(job)
      if (Option.isNone(facts)) return { _tag: "Nothing" }
      const written = yield* Effect.result(Effect.flatMap(drafter.draft(facts.value), fitting))
      return Result.isFailure(written)
        ? { _tag: "Unreachable", reason: written.failure.message }
        : {
          _tag: "Found",
          partial: false,
          rows: [],
          result: { _tag: "Draft", draft: written.success, points: facts.value.strategy.points }
        }
    }
  )
})

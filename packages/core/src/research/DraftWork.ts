/** Works on a draft: gathers the facts and has the email written. */
import { Effect, Option, Result, Schema } from "effect"
import { isOneLine } from "../operation/PlainText.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { Drafter, DraftFailed } from "./Drafter.ts"
import * as DraftFactsReader from "./DraftFactsReader.ts"
import type { Finding } from "./Researcher.ts"
import { Draft, type ResearchJob } from "./ResearchRun.ts"

const isDraft = Schema.is(Draft)

/** Why it is none to keep; null: it may be kept. A draft of other lengths is not read again; a second line would be a header. */
const faultOf = (draft: Draft): string | null => {
  if (!isDraft(draft)) return "the draft is empty or too long"
  return isOneLine(draft.subject) ? null : "the subject of the draft has several lines"
}

/** The draft, from whatever drafter. */
const fitting = (draft: Draft): Effect.Effect<Draft, DraftFailed> => {
  const reason = faultOf(draft)
  return reason === null ? Effect.succeed(draft) : Effect.fail(new DraftFailed({ reason }))
}

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

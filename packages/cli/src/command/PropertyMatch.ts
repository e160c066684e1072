/** `freehold property match`: records of two sources that are of one place. */
import * as MatchDecision from "@freehold/core/operator/MatchDecision"
import * as PlaceMatcher from "@freehold/core/property/PlaceMatcher"
import { type ListedPair, PlaceMatches } from "@freehold/core/property/PlaceMatches"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { examiningImports } from "../LazyComposition.ts"
import { accountable, accountably } from "../Operator.ts"
import { json, print, table } from "../Output.ts"
import * as ProgressBar from "../ProgressBar.ts"
import { askedOf, countiesOf, matchFlags, shownOf, wantedOf } from "./MatchFlags.ts"
import { percent, printCounts, printPage, told } from "./MatchOutput.ts"
import { runAlone } from "./MatchRun.ts"

const lines = (items: ReadonlyArray<ListedPair>): string =>
  table(
    ["id", "confidence", "retires", "address", "stays", "address", "why"],
    items.map(({ confidence, evidence, from, id, into }) => [
      id,
      percent(confidence),
      from.key,
      from.address,
      into.key,
      into.address,
      told(evidence)
    ])
  )

const runComparing = Effect.fnUntraced(function*(input: {
  readonly all: boolean
  readonly dryRun: boolean
  readonly county: ReadonlyArray<string>
}) {
  const matches = yield* PlaceMatches
  const { run } = yield* PlaceMatcher.make
  const comparing = run({
    all: input.all,
    only: countiesOf(input.county),
    onProgress: ({ counties, of, records }) => ProgressBar.show({ done: counties, of, count: records, unit: "records" })
  })
  return yield* runAlone(matches, input.dryRun, comparing)
})

/** `freehold property match`. */
export const matchProperties = Command.make(
  "match",
  {
    ...matchFlags(
      "pairs of records",
      "Both are of one place: merge them, which cannot be undone",
      "They are of two places: never propose the pair again"
    ),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    const wanted = yield* wantedOf(input)
    const matching = Effect.gen(function*() {
      if (wanted === "review") {
        const found = yield* PlaceMatches.use((matches) =>
          matches.list({
            state: "proposed",
            ...askedOf(input)
          })
        )
        return yield* printPage({ json: input.json, limit: shownOf(input) }, found, lines)
      }
      if (wanted === "decide") {
        const { ofPlace } = yield* MatchDecision.make
        const decided = yield* Effect.forEach([
          ...input.accept.map((id) => ["accepted", id] as const),
          ...input.reject.map((id) => ["rejected", id] as const)
        ], ([decision, id]) => accountably(input, ofPlace(id, decision), ({ noted }) => noted))
        return yield* print(
          input.json,
          {
            items: decided.map(({ moved, pair: { from, id, into, state } }) => ({
              id,
              state,
              from: from.key,
              into: into.key,
              moved
            }))
          },
          ({ items }) =>
            table(["id", "state", "from", "into"], items.map(({ from, id, into, state }) => [id, state, from, into]))
        )
      }
      const counts = yield* runComparing(input)
      yield* printCounts(input, counts, "freehold property match")
    })
    yield* Effect.provide(matching, examiningImports)
  })
).pipe(
  Command.withDescription("Find records of two sources that are of one place, and merge those that you accept"),
  Command.withExamples([
    { command: "freehold property match", description: "Compare what changed since the last time" },
    { command: "freehold property match --review", description: "Pairs about which somebody has to decide" },
    {
      command: "freehold property match --accept 17 --reject 18",
      description: "Merge one pair, and keep another apart"
    }
  ])
)

/** `freehold property match`: records of two sources that are of one place. */
import * as PlaceMatcher from "@freehold/core/property/PlaceMatcher"
import { type ListedPair, PlaceMatches } from "@freehold/core/property/PlaceMatches"
import { PropertyMerges } from "@freehold/core/property/PropertyMerges"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { examiningImports } from "../LazyComposition.ts"
import { accountable, accountably } from "../Operator.ts"
import { json, print, table } from "../Output.ts"
import * as ProgressBar from "../ProgressBar.ts"
import { askedOf, countiesOf, matchFlags, wantedOf } from "./MatchFlags.ts"
import { percent, printCounts, printPage, told } from "./MatchOutput.ts"
import { knownAs, runAlone } from "./MatchRun.ts"

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

const pairOf = (id: string) =>
  PlaceMatches.use((matches) => matches.find(id)).pipe(
    Effect.flatMap(knownAs(id)),
    Effect.filterOrFail(
      ({ state }) => state !== "accepted",
      ({ from, into }) =>
        new CommandRefused({ reason: `${from.key} and ${into.key} were merged; that cannot be undone` })
    )
  )

const accept = Effect.fnUntraced(function*(id: string) {
  const { from, into } = yield* pairOf(id)
  const merges = yield* PropertyMerges
  const merged = yield* PlaceMatches.use((matches) =>
    matches.accept(id, merges.merge({ from: from.id, into: into.id, dryRun: false }))
  )
  return { id, state: "accepted", from: merged.from.key, into: merged.into.key, moved: merged.moved }
})

const reject = Effect.fnUntraced(function*(id: string) {
  const { from, into } = yield* pairOf(id)
  yield* PlaceMatches.use((matches) => matches.reject(id))
  return { id, state: "rejected", from: from.key, into: into.key, moved: null }
})

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
    if (wanted === "review") {
      const found = yield* PlaceMatches.use((matches) =>
        matches.list({
          state: "proposed",
          ...askedOf(input)
        })
      )
      return yield* printPage(input, found, lines)
    }
    if (wanted === "decide") {
      const accepted = yield* Effect.forEach(input.accept, (id) =>
        accountably(input, accept(id), ({ from, into }) => ({
          action: "property.merged",
          orgId: null,
          subject: `${from} into ${into}`,
          before: null,
          after: null
        })))
      const rejected = yield* Effect.forEach(input.reject, (id) =>
        accountably(input, reject(id), ({ from, into }) => ({
          action: "match.rejected",
          orgId: null,
          subject: `${from} and ${into}`,
          before: null,
          after: null
        })))
      return yield* print(
        input.json,
        { items: [...accepted, ...rejected] },
        ({ items }) =>
          table(["id", "state", "from", "into"], items.map(({ from, id, into, state }) => [id, state, from, into]))
      )
    }
    const counts = yield* runComparing(input)
    yield* printCounts(input, counts, "freehold property match")
  }, Effect.provide(examiningImports))
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

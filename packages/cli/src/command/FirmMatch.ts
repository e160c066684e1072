/** `freehold firm match`: owners of county records become firms. */
import * as OwnerMatcher from "@freehold/core/firm/OwnerMatcher"
import { type ListedMatch, OwnerMatches } from "@freehold/core/firm/OwnerMatches"
import * as MatchDecision from "@freehold/core/operator/MatchDecision"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { examiningImports } from "../LazyComposition.ts"
import { accountable, accountably } from "../Operator.ts"
import { json, print, table } from "../Output.ts"
import * as ProgressBar from "../ProgressBar.ts"
import { askedOf, countiesOf, matchFlags, shownOf, wantedOf } from "./MatchFlags.ts"
import { percent, printCounts, printPage, told } from "./MatchOutput.ts"
import { runAlone } from "./MatchRun.ts"

const view = ({ confidence, evidence, firm, id, owner, state }: ListedMatch) => ({
  id,
  state,
  confidence,
  evidence,
  owner: { name: owner.name, county_fips: owner.countyFips, properties: owner.properties },
  firm
})

const lines = (items: ReadonlyArray<ReturnType<typeof view>>): string =>
  table(
    ["id", "confidence", "owner", "county", "properties", "firm", "why"],
    items.map(({ confidence, evidence, firm, id, owner }) => [
      id,
      percent(confidence),
      owner.name,
      owner.county_fips,
      owner.properties,
      firm.name,
      told(evidence)
    ])
  )

const runMatching = Effect.fnUntraced(function*(input: {
  readonly all: boolean
  readonly dryRun: boolean
  readonly county: ReadonlyArray<string>
}) {
  const matches = yield* OwnerMatches
  const { run } = yield* OwnerMatcher.make
  const matching = run({
    all: input.all,
    only: countiesOf(input.county),
    onProgress: ({ counties, of, owners }) => ProgressBar.show({ done: counties, of, count: owners, unit: "owners" })
  })
  return yield* runAlone(matches, input.dryRun, matching)
})

/** `freehold firm match`. */
export const matchFirms = Command.make(
  "match",
  {
    ...matchFlags(
      "owners and firms",
      "The owner is that firm: tie its properties",
      "It is not: untie its properties, and never propose it again"
    ),
    tied: Flag.Boolean("tied").pipe(
      Flag.withDescription("With --review: what was tied by the rules alone, with its evidence"),
      Flag.withDefault(false)
    ),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    const wanted = yield* wantedOf(input)
    const matching = Effect.gen(function*() {
      if (wanted === "review") {
        const found = yield* OwnerMatches.use((matches) =>
          matches.list({
            state: input.tied ? "tied" : "proposed",
            ...askedOf(input)
          })
        )
        return yield* printPage({ json: input.json, limit: shownOf(input) }, found.map(view), lines)
      }
      if (wanted === "decide") {
        const { ofOwner } = yield* MatchDecision.make
        const decided = yield* Effect.forEach([
          ...input.accept.map((id) => ["accepted", id] as const),
          ...input.reject.map((id) => ["rejected", id] as const)
        ], ([decision, id]) => accountably(input, ofOwner(id, decision), ({ noted }) => noted))
        return yield* print(
          input.json,
          { items: decided.map(({ match, settled }) => ({ ...view(match), ...settled })) },
          ({ items }) =>
            table(
              ["id", "state", "owner", "firm", "tied", "untied"],
              items.map(({ firm, id, owner, state, tied, untied }) => [id, state, owner.name, firm.name, tied, untied])
            )
        )
      }
      const counts = yield* runMatching(input)
      yield* printCounts(input, counts, "freehold firm match")
    })
    yield* Effect.provide(matching, examiningImports)
  })
).pipe(
  Command.withDescription(
    "Tie the properties of companies and public bodies to firms, by the owners of county records"
  ),
  Command.withExamples([
    { command: "freehold firm match --dry-run", description: "What would come of it" },
    { command: "freehold firm match --review", description: "Owners and firms about which somebody has to decide" },
    { command: "freehold firm match --accept 17 --reject 18", description: "Decide about two of them" },
    { command: "freehold firm match --review --tied --json", description: "Every tie of the rules with its evidence" }
  ])
)

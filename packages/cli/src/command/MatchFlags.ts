/** What `freehold firm match` and `freehold property match` have in common: their flags, and how they are read. */
import { Effect, Option } from "effect"
import { CliError, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { wholeNumberFlag } from "./NumberFlag.ts"

const mostDecisions = 1000

const decisions = (name: "accept" | "reject", meaning: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("ID"),
    Flag.withDescription(`${meaning}; may be given more than once`),
    Flag.between(0, mostDecisions),
    Flag.withDefault([])
  )

/** `counted`: what a match is about; `undo`: what rejecting does beside. */
export const matchFlags = (counted: string, accepting: string, rejecting: string) => ({
  county: Flag.String("county").pipe(
    Flag.withMetavar("FIPS"),
    Flag.withDescription("This county alone; may be given more than once"),
    Flag.filter((county) => /^\d{5}$/.test(county), () => "Expected 5 digits"),
    Flag.between(0, 100),
    Flag.withDefault([])
  ),
  all: Flag.Boolean("all").pipe(
    Flag.withDescription("Also counties that did not change since they were matched"),
    Flag.withDefault(false)
  ),
  dryRun: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("Tell what would come of it, and keep nothing; imports wait meanwhile"),
    Flag.withDefault(false)
  ),
  review: Flag.Boolean("review").pipe(
    Flag.withDescription(`List ${counted} about which somebody has to decide, the most confident first`),
    Flag.withDefault(false)
  ),
  accept: decisions("accept", accepting),
  reject: decisions("reject", rejecting),
  limit: wholeNumberFlag("limit", { least: 1, most: 1000 }).pipe(
    Flag.withDescription("Of a list, at most so many"),
    Flag.withDefault(50)
  ),
  after: Flag.String("after").pipe(
    Flag.withMetavar("ID"),
    Flag.withDescription("Of a list, what comes after this one"),
    Flag.filter((id) => /^\d{1,18}$/.test(id), (id) => `Expected the number of a match, got ${id}`),
    Flag.optional
  )
})

/** What is wanted of the command. */
export type Wanted = "run" | "review" | "decide"

/** A list, decisions or a run: one of the three. */
export const wantedOf = Effect.fnUntraced(function*(input: {
  readonly review: boolean
  readonly all: boolean
  readonly dryRun: boolean
  readonly accept: ReadonlyArray<string>
  readonly reject: ReadonlyArray<string>
}): Effect.fn.Return<Wanted, CliError.UserError> {
  const decides = input.accept.length + input.reject.length > 0
  const runs = input.all || input.dryRun
  if (Number(input.review) + Number(decides) + Number(runs) > 1) {
    return yield* new CliError.UserError({
      cause: new CommandRefused({
        reason: "Expected one of --review, --accept or --reject, and a run with --all or --dry-run"
      })
    })
  }
  return input.review ? "review" : decides ? "decide" : "run"
})

/** What a review lists, one more than it shows. */
export const askedOf = ({ after, county, limit }: {
  readonly county: ReadonlyArray<string>
  readonly after: Option.Option<string>
  readonly limit: number
}) => ({ countyFips: countiesOf(county), after: Option.getOrNull(after), limit: limit + 1 })

/** The counties that were named; null: none, which means all. */
export const countiesOf = (named: ReadonlyArray<string>): ReadonlyArray<string> | null =>
  named.length === 0 ? null : named

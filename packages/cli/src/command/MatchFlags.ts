/** What `freehold firm match` and `freehold property match` have in common: their flags, and how they are read. */
import { Effect, Option } from "effect"
import { type CliError, Flag } from "effect/cli"
import { wrongUsage } from "../WrongUsage.ts"
import { wholeNumberFlag } from "./NumberFlag.ts"

const mostDecisions = 1000

const shownByDefault = 50

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
    Flag.withDescription(`Of a list, at most so many; ${shownByDefault} by default`),
    Flag.optional
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

/** A list, decisions or a run: one of the three. What is said of a list belongs to one, so that it never begins a run. */
export const wantedOf = Effect.fnUntraced(function*(input: {
  readonly review: boolean
  readonly all: boolean
  readonly dryRun: boolean
  readonly accept: ReadonlyArray<string>
  readonly reject: ReadonlyArray<string>
  readonly limit: Option.Option<number>
  readonly after: Option.Option<string>
  readonly tied?: boolean
}): Effect.fn.Return<Wanted, CliError.UserError> {
  const decides = input.accept.length + input.reject.length > 0
  const runs = input.all || input.dryRun
  if (Number(input.review) + Number(decides) + Number(runs) > 1) {
    return yield* wrongUsage("Expected one of --review, --accept or --reject, and a run with --all or --dry-run")
  }
  if (!input.review && (input.tied === true || Option.isSome(input.limit) || Option.isSome(input.after))) {
    return yield* wrongUsage(`Expected --review with --limit, --after${input.tied === undefined ? "" : " or --tied"}`)
  }
  return input.review ? "review" : decides ? "decide" : "run"
})

/** How many of a list are shown. */
export const shownOf = ({ limit }: { readonly limit: Option.Option<number> }): number =>
  Option.getOrElse(limit, () => shownByDefault)

/** What a review lists, one more than it shows. */
export const askedOf = (input: {
  readonly county: ReadonlyArray<string>
  readonly after: Option.Option<string>
  readonly limit: Option.Option<number>
}) => ({ countyFips: countiesOf(input.county), after: Option.getOrNull(input.after), limit: shownOf(input) + 1 })

/** The counties that were named; null: none, which means all. */
export const countiesOf = (named: ReadonlyArray<string>): ReadonlyArray<string> | null =>
  named.length === 0 ? null : named

/** What the operator decides about a match: by a command or in the app, done in one way and written down in the same words. */
import { Effect, Option, Schema } from "effect"
import { OwnerMatches } from "../firm/OwnerMatches.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { PlaceMatches } from "../property/PlaceMatches.ts"
import { PropertyMerges } from "../property/PropertyMerges.ts"
import type { OperatorNoted } from "./OperatorNote.ts"

/** Whether it is so. */
export const MatchDecision = Schema.Literals(["accepted", "rejected"])
/** Whether it is so. */
export type MatchDecision = typeof MatchDecision.Type

/** There is no match of that number. */
export class NoSuchMatch extends Schema.TaggedError<NoSuchMatch>()("NoSuchMatch", { id: Schema.String }) {
  override get message() {
    return `there is no match ${this.id}`
  }
}

/** The two records are one since then, which nothing undoes. */
export class MergedAlready extends Schema.TaggedError<MergedAlready>()("MergedAlready", {
  from: Schema.String,
  into: Schema.String
}) {
  override get message() {
    return `${this.from} and ${this.into} were merged; that cannot be undone`
  }
}

const found = <A>(
  id: string,
  match: Effect.Effect<Option.Option<A>, TemporarilyUnavailable>
): Effect.Effect<A, NoSuchMatch | TemporarilyUnavailable> =>
  Effect.flatMap(match, Option.match({ onNone: () => Effect.fail(new NoSuchMatch({ id })), onSome: Effect.succeed }))

const actions = { accepted: "match.accepted", rejected: "match.rejected" } as const

export const make = Effect.gen(function*() {
  const owners = yield* OwnerMatches
  const places = yield* PlaceMatches
  const merges = yield* PropertyMerges

  /** Whether an owner is a firm: ties or unties its properties. */
  const ofOwner = Effect.fn("MatchDecision.ofOwner")(function*(id: string, decision: MatchDecision) {
    const { match, settled } = yield* found(id, owners.decide(id, decision))
    const noted: OperatorNoted = {
      orgId: null,
      action: actions[decision],
      subject: `owner ${match.owner.name} of ${match.owner.countyFips}, firm ${match.firm.key}`,
      before: null,
      after: { ...settled }
    }
    return { match, settled, noted }
  })

  /** Whether two records are of one place: merges them, or keeps them apart. */
  const ofPlace = Effect.fn("MatchDecision.ofPlace")(function*(id: string, decision: MatchDecision) {
    const pair = yield* found(id, places.find(id))
    const { from, into, state } = pair
    if (state === "accepted") return yield* new MergedAlready({ from: from.key, into: into.key })
    if (decision === "rejected") {
      yield* places.reject(id)
      const noted: OperatorNoted = {
        orgId: null,
        action: actions.rejected,
        subject: `${from.key} and ${into.key}`,
        before: null,
        after: null
      }
      return { pair: { ...pair, state: decision }, moved: null, noted }
    }
    const merged = yield* places.accept(id, merges.merge({ from: from.id, into: into.id, dryRun: false }))
    const noted: OperatorNoted = {
      orgId: null,
      action: "property.merged",
      subject: `${merged.from.key} into ${merged.into.key}`,
      before: { id: merged.from.id, key: merged.from.key },
      after: { id: merged.into.id, key: merged.into.key, moved: merged.moved }
    }
    return { pair: { ...pair, state: decision }, moved: merged.moved, noted }
  })

  return { ofOwner, ofPlace }
})

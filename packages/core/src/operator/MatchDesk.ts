/** Shows the operator's people what was matched and what is proposed, and does what they decide. */
import { Effect } from "effect"
import type { OperatorHandlerOf } from "../access/Operator.ts"
import { type ListedMatch, OwnerMatches } from "../firm/OwnerMatches.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { PlaceMatches } from "../property/PlaceMatches.ts"
import * as MatchDecision from "./MatchDecision.ts"
import {
  type DecideOwnerMatch,
  type DecidePlaceMatch,
  type ListOwnerMatches,
  type ListPlaceMatches,
  matchesAPage
} from "./MatchOperations.ts"
import * as OperatorWork from "./OperatorWork.ts"

const ownerView = ({ owner: { countyFips, name, properties }, ...match }: ListedMatch) => ({
  ...match,
  owner: { name, county_fips: countyFips, properties }
})

const asked = <State>({ county_fips: county, cursor, state }: {
  readonly state: State
  readonly county_fips?: string
  readonly cursor?: string
}) => ({ state, countyFips: county === undefined ? null : [county], after: cursor ?? null, limit: matchesAPage + 1 })

/** A page of what was found, which was asked for with one more. */
const pageOf = <Item extends { readonly id: string }>(found: ReadonlyArray<Item>) => {
  const items = found.slice(0, matchesAPage)
  return { items, next_cursor: found.length > matchesAPage ? items.at(-1)?.id ?? null : null }
}

export const make = Effect.gen(function*() {
  const owners = yield* OwnerMatches
  const places = yield* PlaceMatches
  const decision = yield* MatchDecision.make
  const { act } = yield* OperatorWork.make

  const listOwners: OperatorHandlerOf<typeof ListOwnerMatches> = Effect.fn("MatchDesk.listOwners")((input) =>
    Effect.map(owners.list(asked(input)), (found) => pageOf(found.map(ownerView)))
  )

  const listPlaces: OperatorHandlerOf<typeof ListPlaceMatches> = Effect.fn("MatchDesk.listPlaces")((input) =>
    Effect.map(places.list(asked(input)), pageOf)
  )

  const decideOwner: OperatorHandlerOf<typeof DecideOwnerMatch> = Effect.fn("MatchDesk.decideOwner")((input) =>
    act(
      input.reason,
      Effect.map(
        decision.ofOwner(input.id, input.decision).pipe(
          Effect.catchTag("NoSuchMatch", ({ message }) => Effect.fail(invalid("id", message)))
        ),
        ({ match, noted, settled }) => [{ ...ownerView(match), ...settled }, noted] as const
      )
    )
  )

  const decidePlace: OperatorHandlerOf<typeof DecidePlaceMatch> = Effect.fn("MatchDesk.decidePlace")((input) =>
    act(
      input.reason,
      Effect.map(
        decision.ofPlace(input.id, input.decision).pipe(
          Effect.catchTag(
            ["NoSuchMatch", "MergedAlready", "MergeRefused"],
            ({ message }) => Effect.fail(invalid("id", message))
          )
        ),
        ({ moved, noted, pair }) => [{ ...pair, moved }, noted] as const
      )
    )
  )

  return { listOwners, listPlaces, decideOwner, decidePlace }
})

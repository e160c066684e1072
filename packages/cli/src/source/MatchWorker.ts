/**
 * Matches owners with firms, and records with each other, in counties that changed: after syncs and imports, in the background of
 * a server or a worker. Any number may run: one matches, the others look again later.
 */
import * as Publication from "@freehold/adapters-pg/cell/Publication"
import * as OwnerMatcher from "@freehold/core/firm/OwnerMatcher"
import { OwnerMatches } from "@freehold/core/firm/OwnerMatches"
import * as Persistence from "@freehold/core/operation/Persistence"
import * as PlaceMatcher from "@freehold/core/property/PlaceMatcher"
import { PlaceMatches } from "@freehold/core/property/PlaceMatches"
import { Duration, Effect, Layer } from "effect"
import { Settings } from "../Settings.ts"

const poll = Duration.seconds(20)

const persistently = Persistence.make("matching")

const changed = { all: false, only: null }

const run = Effect.fn("MatchWorker.run")(function*() {
  const owners = yield* OwnerMatches
  const places = yield* PlaceMatches
  const ownerMatcher = yield* OwnerMatcher.make
  const placeMatcher = yield* PlaceMatcher.make

  const matchOwners = Effect.gen(function*() {
    const { counties, firms, proposed, tied, untied } = yield* ownerMatcher.run(changed)
    if (counties > 0) {
      yield* Effect.logInfo(
        `matching: owners of ${counties} counties: ${firms} firms made, ${tied} properties tied, ${untied} untied, ${proposed} proposed`
      )
    }
  })
  const matchPlaces = Effect.gen(function*() {
    const { counties, proposed } = yield* placeMatcher.run(changed)
    if (counties > 0) yield* Effect.logInfo(`matching: records of ${counties} counties: ${proposed} pairs proposed`)
  })

  while (true) {
    yield* persistently(
      "match what changed",
      Effect.andThen(owners.alone(matchOwners), places.alone(matchPlaces))
    )
    yield* Effect.sleep(poll)
  }
})

/** In the background for as long as the layer lives, where it is switched on; a cell receives what its importer matched. */
export const layer = Layer.effectDiscard(Effect.gen(function*() {
  const { matching } = yield* Settings
  if (matching && (yield* Effect.orDie(Publication.cellName)) === null) yield* Effect.forkScoped(run())
}))

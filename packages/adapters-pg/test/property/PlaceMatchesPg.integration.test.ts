/** `PlaceMatches` over PostgreSQL against its contract. */
import * as PlaceMatchesPg from "@freehold/adapters-pg/property/PlaceMatchesPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { placeMatchesContract } from "@freehold/core/testing/PlaceMatchesContract"
import { Layer } from "effect"

placeMatchesContract(
  "over PostgreSQL",
  Layer.merge(PlaceMatchesPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

/** `MapPoints` over PostgreSQL against its contract. */
import * as MapPointsPg from "@freehold/adapters-pg/map/MapPointsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { mapPointsContract } from "@freehold/core/testing/MapPointsContract"
import { Layer } from "effect"

mapPointsContract(
  "over PostgreSQL",
  Layer.mergeAll(MapPointsPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

/** `MapPoints` over PostgreSQL against its contract. */
import * as MapPointsPg from "@freehold/adapters-pg/map/MapPointsPg"
import * as PropertyMergesPg from "@freehold/adapters-pg/property/PropertyMergesPg"
import * as SuppressionsPg from "@freehold/adapters-pg/suppression/SuppressionsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { mapPointsContract, mapsAsInMemory } from "@freehold/core/testing/MapPointsContract"
import { Layer } from "effect"

const layer = Layer.mergeAll(MapPointsPg.layer, PropertyMergesPg.layer, SuppressionsPg.layer, SeederPg.layer).pipe(
  Layer.provide(TestDatabase.layer)
)

mapPointsContract("over PostgreSQL", layer)
mapsAsInMemory("over PostgreSQL", layer, { runs: 25 })

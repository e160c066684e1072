/** `Properties` over PostgreSQL against its contract. */
import * as PropertiesPg from "@freehold/adapters-pg/property/PropertiesPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { propertiesContract } from "@freehold/core/testing/PropertiesContract"
import { Layer } from "effect"

propertiesContract(
  "over PostgreSQL",
  Layer.mergeAll(PropertiesPg.layer, SeederPg.layer).pipe(
    Layer.provide(TestDatabase.layer)
  )
)

/** `PropertyLookup` over PostgreSQL against its contract. */
import * as PropertyLookupPg from "@freehold/adapters-pg/property/PropertyLookupPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { propertyLookupContract } from "@freehold/core/testing/PropertyLookupContract"
import { Layer } from "effect"

propertyLookupContract(
  "over PostgreSQL",
  Layer.merge(PropertyLookupPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

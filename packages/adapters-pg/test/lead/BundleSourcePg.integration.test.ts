/** `BundleSource` over PostgreSQL against its contract. */
import * as BundleSourcePg from "@freehold/adapters-pg/lead/BundleSourcePg"
import * as PropertiesPg from "@freehold/adapters-pg/property/PropertiesPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { bundleSourceContract } from "@freehold/core/testing/BundleSourceContract"
import { Layer } from "effect"

bundleSourceContract(
  "over PostgreSQL",
  Layer.mergeAll(BundleSourcePg.layer, PropertiesPg.layer, SeederPg.layer).pipe(
    Layer.provide(TestDatabase.layer)
  )
)

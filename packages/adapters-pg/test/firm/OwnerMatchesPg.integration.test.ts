/** `OwnerMatches` over PostgreSQL against its contract. */
import * as OwnerMatchesPg from "@freehold/adapters-pg/firm/OwnerMatchesPg"
import * as PropertyMergesPg from "@freehold/adapters-pg/property/PropertyMergesPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { ownerMatchesContract } from "@freehold/core/testing/OwnerMatchesContract"
import { Layer } from "effect"

ownerMatchesContract(
  "over PostgreSQL",
  Layer.mergeAll(OwnerMatchesPg.layer, PropertyMergesPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

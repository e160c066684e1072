/** `OwnerMatches` over PostgreSQL against its contract. */
import * as OwnerMatchesPg from "@freehold/adapters-pg/firm/OwnerMatchesPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { ownerMatchesContract } from "@freehold/core/testing/OwnerMatchesContract"
import { Layer } from "effect"

ownerMatchesContract(
  "over PostgreSQL",
  Layer.merge(OwnerMatchesPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

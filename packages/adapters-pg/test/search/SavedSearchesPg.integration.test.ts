/** `SavedSearches` over PostgreSQL against its contract. */
import * as SavedSearchesPg from "@freehold/adapters-pg/search/SavedSearchesPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { savedSearchesContract } from "@freehold/core/testing/SavedSearchesContract"
import { Layer } from "effect"

savedSearchesContract(
  "over PostgreSQL",
  Layer.mergeAll(SavedSearchesPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

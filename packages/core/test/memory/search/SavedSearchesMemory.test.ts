/** `SavedSearches` in memory against its contract. */
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as SavedSearchesMemory from "@freehold/core/memory/search/SavedSearchesMemory"
import { savedSearchesContract } from "@freehold/core/testing/SavedSearchesContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

savedSearchesContract(
  "in memory",
  Layer.mergeAll(SavedSearchesMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

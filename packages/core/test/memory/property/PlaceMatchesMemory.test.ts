/** `PlaceMatches` in memory against its contract. */
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PlaceMatchesMemory from "@freehold/core/memory/property/PlaceMatchesMemory"
import { placeMatchesContract } from "@freehold/core/testing/PlaceMatchesContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

placeMatchesContract(
  "in memory",
  Layer.merge(PlaceMatchesMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

/** `MapPoints` in memory against its contract. */
import * as MapPointsMemory from "@freehold/core/memory/map/MapPointsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { mapPointsContract } from "@freehold/core/testing/MapPointsContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

mapPointsContract(
  "in memory",
  Layer.mergeAll(MapPointsMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

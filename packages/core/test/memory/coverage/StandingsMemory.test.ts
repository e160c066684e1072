/** `Standings` in memory against its contract. */
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as StandingsMemory from "@freehold/core/memory/coverage/StandingsMemory"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { standingsContract } from "@freehold/core/testing/StandingsContract"
import { Layer } from "effect"

standingsContract(
  "in memory",
  Layer.merge(StandingsMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

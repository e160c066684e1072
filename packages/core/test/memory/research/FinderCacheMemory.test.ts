/** `FinderCache` in memory against its contract. */
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as FinderCacheMemory from "@freehold/core/memory/research/FinderCacheMemory"
import * as RetentionMemory from "@freehold/core/memory/retention/RetentionMemory"
import { finderCacheContract } from "@freehold/core/testing/FinderCacheContract"
import { Layer } from "effect"

finderCacheContract(
  "in memory",
  Layer.merge(FinderCacheMemory.layer, RetentionMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

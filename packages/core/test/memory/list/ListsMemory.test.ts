/** `Lists` in memory against its contract. */
import * as ListsMemory from "@freehold/core/memory/list/ListsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { listsContract } from "@freehold/core/testing/ListsContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

listsContract(
  "in memory",
  Layer.mergeAll(ListsMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

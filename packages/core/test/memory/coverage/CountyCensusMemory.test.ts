/** `CountyCensus` in memory against its contract. */
import * as CountyCensusMemory from "@freehold/core/memory/coverage/CountyCensusMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { countyCensusContract } from "@freehold/core/testing/CountyCensusContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

countyCensusContract(
  "in memory",
  Layer.mergeAll(CountyCensusMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

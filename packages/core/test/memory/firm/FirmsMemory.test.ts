/** `Firms` in memory against its contract. */
import * as FirmsMemory from "@freehold/core/memory/firm/FirmsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { firmsContract } from "@freehold/core/testing/FirmsContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

firmsContract(
  "in memory",
  Layer.merge(FirmsMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

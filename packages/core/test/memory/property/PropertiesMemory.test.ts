/** `Properties` in memory against its contract. */
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PropertiesMemory from "@freehold/core/memory/property/PropertiesMemory"
import { propertiesContract } from "@freehold/core/testing/PropertiesContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

propertiesContract(
  "in memory",
  Layer.mergeAll(PropertiesMemory.layer, SeederMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  )
)

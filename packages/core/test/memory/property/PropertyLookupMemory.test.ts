/** `PropertyLookup` in memory against its contract. */
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PropertyLookupMemory from "@freehold/core/memory/property/PropertyLookupMemory"
import { propertyLookupContract } from "@freehold/core/testing/PropertyLookupContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

propertyLookupContract(
  "in memory",
  Layer.merge(PropertyLookupMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

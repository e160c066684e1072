/** The search in memory against the contract of searches. */
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PropertySearchMemory from "@freehold/core/memory/property/PropertySearchMemory"
import { propertySearchContract } from "@freehold/core/testing/PropertySearchContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

propertySearchContract(
  "in memory",
  Layer.merge(PropertySearchMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

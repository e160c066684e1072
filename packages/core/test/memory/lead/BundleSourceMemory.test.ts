/** `BundleSource` in memory against its contract. */
import * as BundleSourceMemory from "@freehold/core/memory/lead/BundleSourceMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PropertiesMemory from "@freehold/core/memory/property/PropertiesMemory"
import { bundleSourceContract } from "@freehold/core/testing/BundleSourceContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

bundleSourceContract(
  "in memory",
  Layer.mergeAll(BundleSourceMemory.layer, PropertiesMemory.layer, SeederMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  )
)

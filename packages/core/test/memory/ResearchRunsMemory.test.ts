/** `ResearchRuns` in memory against its contract. */
import * as LedgerMemory from "@freehold/core/memory/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PropertiesMemory from "@freehold/core/memory/PropertiesMemory"
import * as PropertyMergesMemory from "@freehold/core/memory/PropertyMergesMemory"
import * as ResearchRunsMemory from "@freehold/core/memory/ResearchRunsMemory"
import { researchRunsContract } from "@freehold/core/testing/ResearchRunsContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

researchRunsContract(
  "in memory",
  Layer.mergeAll(ResearchRunsMemory.layer, PropertiesMemory.layer, PropertyMergesMemory.layer, SeederMemory.layer).pipe(
    Layer.provideMerge(LedgerMemory.layer),
    Layer.provide(MemoryState.layer),
    Layer.merge(SecureRandom.layerWebCrypto)
  ),
  { histories: 40 }
)

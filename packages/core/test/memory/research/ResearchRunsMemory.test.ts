/** `ResearchRuns` in memory against its contract. */
import * as ContactsMemory from "@freehold/core/memory/contact/ContactsMemory"
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PipelineMemory from "@freehold/core/memory/pipeline/PipelineMemory"
import * as PropertiesMemory from "@freehold/core/memory/property/PropertiesMemory"
import * as PropertyMergesMemory from "@freehold/core/memory/property/PropertyMergesMemory"
import * as ResearchRunsMemory from "@freehold/core/memory/research/ResearchRunsMemory"
import { researchRunsContract } from "@freehold/core/testing/ResearchRunsContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

researchRunsContract(
  "in memory",
  Layer.mergeAll(
    ResearchRunsMemory.layer,
    ContactsMemory.layer,
    PipelineMemory.layer,
    PropertiesMemory.layer,
    PropertyMergesMemory.layer,
    SeederMemory.layer
  ).pipe(
    Layer.provideMerge(LedgerMemory.layer),
    Layer.provide(MemoryState.layer),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  ),
  { histories: 40 }
)

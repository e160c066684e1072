/** `OwnerMatches` in memory against its contract. */
import * as OwnerMatchesMemory from "@freehold/core/memory/firm/OwnerMatchesMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PropertyMergesMemory from "@freehold/core/memory/property/PropertyMergesMemory"
import { ownerMatchesContract } from "@freehold/core/testing/OwnerMatchesContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

ownerMatchesContract(
  "in memory",
  Layer.mergeAll(OwnerMatchesMemory.layer, PropertyMergesMemory.layer, SeederMemory.layer).pipe(
    Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto])
  )
)

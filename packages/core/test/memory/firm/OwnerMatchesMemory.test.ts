/** `OwnerMatches` in memory against its contract. */
import * as OwnerMatchesMemory from "@freehold/core/memory/firm/OwnerMatchesMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { ownerMatchesContract } from "@freehold/core/testing/OwnerMatchesContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

ownerMatchesContract(
  "in memory",
  Layer.merge(OwnerMatchesMemory.layer, SeederMemory.layer).pipe(
    Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto])
  )
)

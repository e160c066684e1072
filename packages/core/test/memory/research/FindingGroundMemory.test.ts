/** `FindingGround` in memory against its contract. */
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as FindingGroundMemory from "@freehold/core/memory/research/FindingGroundMemory"
import * as SuppressionsMemory from "@freehold/core/memory/suppression/SuppressionsMemory"
import { findingGroundContract } from "@freehold/core/testing/FindingGroundContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

findingGroundContract(
  "in memory",
  Layer.mergeAll(FindingGroundMemory.layer, SuppressionsMemory.layer, SeederMemory.layer).pipe(
    Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto])
  )
)

/** `Suppressions` in memory against its contract. */
import * as ContactsMemory from "@freehold/core/memory/contact/ContactsMemory"
import * as BundleSourceMemory from "@freehold/core/memory/lead/BundleSourceMemory"
import * as ListsMemory from "@freehold/core/memory/list/ListsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as PropertiesMemory from "@freehold/core/memory/property/PropertiesMemory"
import * as PropertyMergesMemory from "@freehold/core/memory/property/PropertyMergesMemory"
import * as PropertySearchMemory from "@freehold/core/memory/property/PropertySearchMemory"
import * as SuppressionsMemory from "@freehold/core/memory/suppression/SuppressionsMemory"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { suppressionContract } from "@freehold/core/testing/SuppressionContract"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

suppressionContract(
  "in memory",
  Layer.mergeAll(
    BundleSourceMemory.layer,
    ContactsMemory.layer,
    ListsMemory.layer,
    PropertiesMemory.layer,
    PropertyMergesMemory.layer,
    PropertySearchMemory.layer,
    SeederMemory.layer,
    SuppressionsMemory.layer
  ).pipe(Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto]))
)

/** `PropertyMerges` in memory against its contract. */
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import * as CustomerAccountsMemory from "@freehold/core/memory/customer/CustomerAccountsMemory"
import * as BundleSourceMemory from "@freehold/core/memory/lead/BundleSourceMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as NotesMemory from "@freehold/core/memory/note/NotesMemory"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import * as PipelineMemory from "@freehold/core/memory/pipeline/PipelineMemory"
import * as PropertiesMemory from "@freehold/core/memory/property/PropertiesMemory"
import * as PropertyMergesMemory from "@freehold/core/memory/property/PropertyMergesMemory"
import { propertyMergesContract } from "@freehold/core/testing/PropertyMergesContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"

propertyMergesContract(
  "in memory",
  Layer.mergeAll(
    BundleSourceMemory.layer,
    CustomerAccountsMemory.layer,
    LedgerMemory.layer,
    NotesMemory.layer,
    OrganizationsMemory.layer,
    PipelineMemory.layer,
    PropertiesMemory.layer,
    PropertyMergesMemory.layer,
    SeederMemory.layer
  ).pipe(
    Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto])
  )
)

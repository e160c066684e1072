/** `PropertyMerges` in memory against its contract. */
import * as BundleSourceMemory from "@freehold/core/memory/BundleSourceMemory"
import * as CustomerAccountsMemory from "@freehold/core/memory/CustomerAccountsMemory"
import * as LedgerMemory from "@freehold/core/memory/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as NotesMemory from "@freehold/core/memory/NotesMemory"
import * as OrganizationsMemory from "@freehold/core/memory/OrganizationsMemory"
import * as PipelineMemory from "@freehold/core/memory/PipelineMemory"
import * as PropertiesMemory from "@freehold/core/memory/PropertiesMemory"
import * as PropertyMergesMemory from "@freehold/core/memory/PropertyMergesMemory"
import { propertyMergesContract } from "@freehold/core/testing/PropertyMergesContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

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
    Layer.provide(MemoryState.layer)
  )
)

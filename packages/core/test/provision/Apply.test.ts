import * as KeyRingMemory from "@freehold/core/memory/access/KeyRingMemory"
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { applyContract } from "@freehold/core/testing/ApplyContract"
import { Layer } from "effect"

applyContract(
  "memory",
  Layer.mergeAll(OrganizationsMemory.layer, KeyRingMemory.layer, LedgerMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  )
)

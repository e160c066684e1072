import * as LedgerMemory from "@freehold/core/memory/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/OrganizationsMemory"
import { ledgerContract } from "@freehold/core/testing/LedgerContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

ledgerContract(
  "memory",
  Layer.mergeAll(LedgerMemory.layer, OrganizationsMemory.layer, SeederMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  ),
  200
)

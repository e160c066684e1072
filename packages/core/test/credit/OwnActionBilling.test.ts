/** Own actions over the ledger in memory. */
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { ownActionContract } from "@freehold/core/testing/OwnActionContract"
import { Layer } from "effect"

ownActionContract(
  "memory",
  Layer.merge(LedgerMemory.layer, OrganizationsMemory.layer).pipe(Layer.provide(MemoryState.layer)),
  100
)

import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import * as LedgerReportMemory from "@freehold/core/memory/credit/LedgerReportMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { ledgerReportContract } from "@freehold/core/testing/LedgerReportContract"
import { Layer } from "effect"

ledgerReportContract(
  "memory",
  Layer.mergeAll(LedgerMemory.layer, LedgerReportMemory.layer, OrganizationsMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  )
)

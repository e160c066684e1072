import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { ledgerContract } from "@freehold/core/testing/LedgerContract"
import { limitsContract } from "@freehold/core/testing/LimitsContract"
import { memberSpendingContract } from "@freehold/core/testing/MemberSpendingContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

const ports = Layer.mergeAll(LedgerMemory.layer, OrganizationsMemory.layer, SeederMemory.layer).pipe(
  Layer.provide(MemoryState.layer)
)

ledgerContract("memory", ports, 200)
limitsContract("memory", ports, 200)
memberSpendingContract("memory", ports, 100)

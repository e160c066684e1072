import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { ledgerContract } from "@freehold/core/testing/LedgerContract"
import { limitsContract } from "@freehold/core/testing/LimitsContract"
import { memberSpendingContract } from "@freehold/core/testing/MemberSpendingContract"
import { ownActionContract } from "@freehold/core/testing/OwnActionContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"
import * as LedgerSqlite from "../src/LedgerSqlite.ts"

const ports = Layer.mergeAll(LedgerSqlite.layer(":memory:"), OrganizationsMemory.layer, SeederMemory.layer).pipe(
  Layer.provide(MemoryState.layer)
)

ledgerContract("SQLite", ports)
limitsContract("SQLite", ports)
memberSpendingContract("SQLite", ports)
ownActionContract("SQLite", ports)

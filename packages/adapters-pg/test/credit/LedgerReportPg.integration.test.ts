/** `LedgerReport` over PostgreSQL: the contract. */
import { ledgerReportContract } from "@freehold/core/testing/LedgerReportContract"
import { Layer } from "effect"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as LedgerReportPg from "../../src/credit/LedgerReportPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

ledgerReportContract(
  "PostgreSQL",
  Layer.mergeAll(LedgerPg.layer, LedgerReportPg.layer, OrganizationsPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

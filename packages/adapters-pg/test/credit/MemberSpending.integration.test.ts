import { memberSpendingContract } from "@freehold/core/testing/MemberSpendingContract"
import { Layer } from "effect"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

memberSpendingContract(
  "PostgreSQL",
  Layer.merge(LedgerPg.layer, OrganizationsPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

import { applyContract } from "@freehold/core/testing/ApplyContract"
import { Layer } from "effect"
import * as KeyRingPg from "../../src/access/KeyRingPg.ts"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

applyContract(
  "PostgreSQL",
  Layer.mergeAll(OrganizationsPg.layer, KeyRingPg.layer, LedgerPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

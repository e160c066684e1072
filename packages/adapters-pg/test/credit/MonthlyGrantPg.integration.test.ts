import { monthlyGrantContract } from "@freehold/core/testing/MonthlyGrantContract"
import { Layer } from "effect"
import * as KeyRingPg from "../../src/access/KeyRingPg.ts"
import * as AllotmentsPg from "../../src/credit/AllotmentsPg.ts"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const ports = Layer.mergeAll(AllotmentsPg.layer, KeyRingPg.layer, LedgerPg.layer, OrganizationsPg.layer)

monthlyGrantContract("PostgreSQL", ports.pipe(Layer.provide(TestDatabase.layer)), 20)

/** Own actions over the ledger in PostgreSQL. */
import { ownActionContract } from "@freehold/core/testing/OwnActionContract"
import { Layer } from "effect"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

ownActionContract("PostgreSQL", Layer.provide(Layer.merge(LedgerPg.layer, OrganizationsPg.layer), TestDatabase.layer))

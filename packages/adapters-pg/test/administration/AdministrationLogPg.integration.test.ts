/** `AdministrationLog` over PostgreSQL: the contract. */
import { administrationLogContract } from "@freehold/core/testing/AdministrationLogContract"
import { Layer } from "effect"
import * as AdministrationLogPg from "../../src/administration/AdministrationLogPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

administrationLogContract(
  "PostgreSQL",
  Layer.mergeAll(AdministrationLogPg.layer, OrganizationsPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

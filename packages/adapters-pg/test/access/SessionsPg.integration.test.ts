/** `Sessions` over PostgreSQL: the contract. */
import { sessionsContract } from "@freehold/core/testing/SessionsContract"
import { Layer } from "effect"
import * as SessionsPg from "../../src/access/SessionsPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

sessionsContract(
  "PostgreSQL",
  Layer.mergeAll(SessionsPg.layer, OrganizationsPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

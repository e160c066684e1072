/** `OperatorSessions` over PostgreSQL: the contract. */
import { operatorSessionsContract } from "@freehold/core/testing/OperatorSessionsContract"
import { Layer } from "effect"
import * as OperatorSessionsPg from "../../src/access/OperatorSessionsPg.ts"
import * as SessionsPg from "../../src/access/SessionsPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

operatorSessionsContract(
  "PostgreSQL",
  Layer.mergeAll(OperatorSessionsPg.layer, SessionsPg.layer, OrganizationsPg.layer).pipe(
    Layer.provide(TestDatabase.layer)
  )
)

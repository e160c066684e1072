/** `OperatorRequests` over PostgreSQL against its contract. */
import * as OperatorRequestsPg from "@freehold/adapters-pg/request/OperatorRequestsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { operatorRequestsContract } from "@freehold/core/testing/OperatorRequestsContract"
import { Layer } from "effect"

operatorRequestsContract(
  "over PostgreSQL",
  Layer.mergeAll(OperatorRequestsPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

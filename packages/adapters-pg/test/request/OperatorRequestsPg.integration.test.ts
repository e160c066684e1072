/** `OperatorRequests` over PostgreSQL against its contract, and which of the pools it reads on. */
import { assert, layer } from "@effect/vitest"
import * as OperatorRequestsPg from "@freehold/adapters-pg/request/OperatorRequestsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { OperatorRequests } from "@freehold/core/request/OperatorRequests"
import { operatorRequestsContract } from "@freehold/core/testing/OperatorRequestsContract"
import { Effect, Layer } from "effect"

operatorRequestsContract(
  "over PostgreSQL",
  Layer.mergeAll(OperatorRequestsPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))
)

layer(
  OperatorRequestsPg.layer.pipe(Layer.provide(TestDatabase.ledgerAway), Layer.provide(TestDatabase.layer)),
  { excludeTestServices: true }
)("OperatorRequestsPg", (it) => {
  it.effect("is listed without the connections of the ledger", () =>
    Effect.gen(function*() {
      const requests = yield* OperatorRequests
      const found = yield* requests.list({ orgId: null, status: null, limit: 9, offset: 0 })
      assert.deepStrictEqual(found, { requests: [], total: 0 })
    }))
})

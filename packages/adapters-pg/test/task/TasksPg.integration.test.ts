/** Which of the pools `Tasks` reads on: its contract is beside that of `Notes`. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as TasksPg from "@freehold/adapters-pg/task/TasksPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Tasks } from "@freehold/core/task/Tasks"
import { id, orgId, sample } from "@freehold/core/testing/SampleSeed"
import { startOver } from "@freehold/core/testing/Seed"
import { Effect, Layer, Option } from "effect"

const layer = Layer.mergeAll(Layer.provide(TasksPg.layer, TestDatabase.ledgerAway), SeederPg.layer).pipe(
  Layer.provide(TestDatabase.layer)
)

withLayer(layer, { excludeTestServices: true })("TasksPg", (it) => {
  it.effect("is read without the connections of the ledger", () =>
    Effect.gen(function*() {
      yield* startOver(sample)
      const tasks = yield* Tasks
      const page = { orgId, propertyId: null, status: null, limit: 9, offset: 0 }
      const visible = { nationwide: true, stateFips: [], countyFips: [] }
      const agenda = yield* tasks.agenda({ ...page, visible, assigneeId: null, dueBefore: null })
      assert.deepStrictEqual(agenda.tasks.map((task) => task.id), [id(302), id(301), id(303)])
      assert.strictEqual((yield* tasks.list(page)).total, 3)
      assert.isTrue(Option.isSome(yield* tasks.find(orgId, id(301))))
    }))
})

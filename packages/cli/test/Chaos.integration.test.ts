/** Faults from outside while two workers deliver; `pnpm chaos` has all of them, with more deliveries. */
import { Redacted } from "effect"
import { assert, it } from "vitest"
import { faultsOf, play } from "../testing/chaos/Chaos.ts"
import * as Faults from "../testing/chaos/Faults.ts"
import { main } from "./Freehold.ts"
import { freshDatabase } from "./FreshDatabase.ts"

it.each([
  Faults.killed("ended"),
  Faults.stopped("ended")
])("$name: nothing is lost, no more is repeated than was in flight, and everything is billed once", async (fault) => {
  const database = await freshDatabase()
  const row = await play({ url: Redacted.make(database.url), main }, fault, 200)
  assert.deepStrictEqual(faultsOf(row), [], JSON.stringify(row))
  await database.drop()
})

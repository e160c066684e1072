/**
 * Faults from outside while two workers deliver; `pnpm chaos` has all of them, with more deliveries. A worker that stands still
 * may hold locks until the database ends its session, so the tests go on beside each other.
 */
import { Redacted } from "effect"
import { assert, it } from "vitest"
import { faultsOf, play } from "../testing/chaos/Chaos.ts"
import * as Faults from "../testing/chaos/Faults.ts"
import { main } from "./Freehold.ts"
import { migratedDatabase } from "./FreshDatabase.ts"

it.concurrent.each([
  Faults.killed("ended"),
  Faults.stopped("ended")
])(
  "$name: nothing is lost, no more is repeated than was in flight, and everything is billed once (W1)",
  async (fault) => {
    const database = await migratedDatabase()
    const row = await play({ url: Redacted.make(database.url), main }, fault, 200)
    assert.deepStrictEqual(faultsOf(row), [], JSON.stringify(row))
    await database.drop()
  }
)

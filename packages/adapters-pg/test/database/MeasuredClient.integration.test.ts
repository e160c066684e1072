/** Statements that are always the same, over a real server: what they answer, and who still sees them. */
import { assert, layer } from "@effect/vitest"
import * as Turn from "@freehold/core/load/Turn"
import { Effect, Exit } from "effect"
import { SqlClient, Statement } from "effect/sql"
import * as Database from "../../src/database/Database.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

layer(TestDatabase.layer)("Prepared statements", (it) => {
  it.effect("answer by their parameters, again and again", () =>
    Effect.gen(function*() {
      const { prepared } = yield* Database.Admission
      const sum = prepared<{ readonly sum: number }>("SELECT $1::integer + $2::integer AS sum")
      const answers = yield* Effect.forEach([1, 2, 3], (each) => sum([each, 10]), { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, [[{ sum: 11 }], [{ sum: 12 }], [{ sum: 13 }]])
    }))

  it.effect("fail as any statement does", () =>
    Effect.gen(function*() {
      const { prepared } = yield* Database.Admission
      const exit = yield* Effect.exit(prepared("SELECT 1 / $1::integer")([0]))
      assert.isTrue(Exit.isFailure(exit))
      const failure = yield* Effect.flip(prepared("SELECT 1 / $1::integer")([0]))
      assert.strictEqual(Database.failureOf(failure).code, "22012")
    }))

  it.effect("go on in the turn of whose work they are, as all statements do", () =>
    Effect.gen(function*() {
      const { prepared } = yield* Database.Admission
      const sql = yield* SqlClient.SqlClient
      const steps: Array<string> = []
      const turn = Effect.sync(() => void steps.push("turn"))
      for (
        const [name, statement] of Object.entries({
          prepared: prepared("SELECT 1 AS n")([]),
          plain: sql`SELECT 1 AS n`
        })
      ) {
        const rows = yield* Effect.provideService(statement, Turn.Own, turn)
        steps.push(name)
        assert.deepStrictEqual(rows, [{ n: 1 }])
      }
      assert.deepStrictEqual(steps, ["turn", "prepared", "turn", "plain"])
    }))

  it.effect("are seen by whoever looks at statements", () =>
    Effect.gen(function*() {
      const { prepared } = yield* Database.Admission
      const seen: Array<readonly [sql: string, parameters: ReadonlyArray<unknown>]> = []
      const note: Statement.Transformer = (statement) =>
        Effect.sync(() => {
          seen.push(statement.compile())
          return statement
        })
      const rows = yield* Effect.provideService(
        prepared("SELECT $1::text AS word")(["seen"]),
        Statement.CurrentTransformer,
        note
      )
      assert.deepStrictEqual(rows, [{ word: "seen" }])
      assert.deepStrictEqual(seen.map(([text, parameters]) => [text, [...parameters]]), [[
        "SELECT $1::text AS word",
        ["seen"]
      ]])
    }))
})

/** What a server tells of its settings, and whether the statements mend them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as TuningPg from "../../src/diagnosis/TuningPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { judge, type Machine, rules } from "../../src/tuning/Tuning.ts"

const unknown: Machine = { memory: null, processors: null, disk: null, connections: 100, shared: false, lz4: false }

/** As a session that begins now has it. */
const anew = <A, E>(use: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.flatMap(TestDatabase.Url, (url) => TestDatabase.administer(url, () => use))

const found = Effect.flatMap(
  TuningPg.standing,
  (standing) => Effect.succeed({ ...standing, misfits: judge(unknown, standing.inForce).misfits })
)

describe("TuningPg", () => {
  it.live("reads every setting of the table, sizes in bytes", () =>
    Effect.gen(function*() {
      const { connections, inForce } = yield* anew(TuningPg.standing)
      assert.deepStrictEqual([...inForce.keys()].toSorted(), Object.keys(rules).toSorted())
      for (const name of ["shared_buffers", "max_wal_size", "work_mem"] as const) {
        assert.isAbove(Number(inForce.get(name)), 1_000_000)
      }
      assert.isAbove(connections, 10)
    }).pipe(Effect.provide(TestDatabase.layer)))

  it.live("mends a setting of sessions by a statement that its owner may run", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [here] = yield* sql<{ readonly name: string }>`SELECT current_database() AS name`
      yield* sql`ALTER DATABASE ${sql(here?.name ?? "")} SET random_page_cost = 4`
      const before = yield* anew(found)
      const misfit = before.misfits.find(({ name }) => name === "random_page_cost")
      assert.deepInclude(misfit, { found: "4", best: "1.1" })
      if (misfit === undefined) return
      const [statement = "", then] = before.mend(misfit).split("; ")
      assert.match(statement, /^ALTER DATABASE freehold_test_\w+ SET random_page_cost = '1\.1'$/)
      assert.strictEqual(then, "new connections have it")
      yield* sql.unsafe(statement)
      const after = yield* anew(found)
      assert.isFalse(after.misfits.some(({ name }) => name === "random_page_cost"))
    }).pipe(Effect.provide(TestDatabase.layer)))

  it.live("says of others that the server is restarted, or reads them again", () =>
    Effect.gen(function*() {
      const { mend } = yield* anew(TuningPg.standing)
      const because = { found: "128MB", why: "" }
      assert.strictEqual(
        mend({ ...because, name: "shared_buffers", best: "4GB" }),
        "ALTER SYSTEM SET shared_buffers = '4GB', and restart PostgreSQL"
      )
      assert.strictEqual(
        mend({ ...because, name: "max_wal_size", best: "8GB" }),
        "ALTER SYSTEM SET max_wal_size = '8GB', and SELECT pg_reload_conf()"
      )
    }).pipe(Effect.provide(TestDatabase.layer)))
})

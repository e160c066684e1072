/** What an operator's machine does to the embedded server, and what its clients must not be able to do. */
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Redacted, Schedule } from "effect"
import * as Fs from "node:fs"
import { join } from "node:path"
import * as Publication from "../../src/cell/Publication.ts"
import { subscriptionOf } from "../../src/cell/SharedTables.ts"
import { unavailable } from "../../src/database/Availability.ts"
import * as Database from "../../src/database/Database.ts"
import * as Pools from "../../src/database/Pools.ts"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.ts"
import { largestLog } from "../../src/embedded/PostgresLog.ts"
import * as Migrations from "../../src/migrations/Migrations.ts"
import { emptyFolder, eventually, folder, guardPid, query, runs, serverPid, until, user } from "./EmbeddedScene.ts"

const logs = (dataDirectory: string): ReadonlyArray<string> =>
  Fs.readdirSync(join(dataDirectory, "postgres")).filter((name) => name.startsWith("server.log")).toSorted()

/** A session that would not end by itself, once it has begun. */
const heldSession = Effect.fnUntraced(function*(url: Redacted.Redacted) {
  const session = yield* Effect.forkChild(Effect.exit(query(url, "SELECT pg_sleep(3600)")))
  yield* Effect.repeat(query(url, "SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(3600)'"), {
    until: (rows) => rows.length > 0,
    schedule: Schedule.spaced("10 millis")
  })
  return session
})

it.live("says at once that its folder cannot be made, wherever that is", () =>
  Effect.gen(function*() {
    const file = join(yield* emptyFolder, "file")
    Fs.writeFileSync(file, "")
    // Nobody makes a folder in the first of them, and the system says that it is not there.
    for (const dataDirectory of ["/proc/none/below", file, join(file, "below")]) {
      const { message } = yield* Effect.flip(EmbeddedPostgres.start({ dataDirectory }))
      assert.isTrue(message.startsWith(`the embedded PostgreSQL in ${dataDirectory} does not run: `), message)
    }
  }))

for (const signal of ["SIGTERM", "SIGINT", "SIGQUIT"] as const) {
  it.live(`asked to stop by ${signal} while somebody is connected, it is back for everybody`, () =>
    Effect.gen(function*() {
      const dataDirectory = yield* folder
      const only = yield* user(dataDirectory)
      const guard = yield* guardPid(dataDirectory)
      const pid = serverPid(dataDirectory)
      const held = yield* heldSession(only.url)
      process.kill(pid, signal)
      yield* until(() => !runs(pid))
      assert.deepStrictEqual(yield* eventually(query(only.url, "SELECT 1 AS one")), [{ one: 1 }])
      assert.strictEqual(yield* guardPid(dataDirectory), guard)
      assert.strictEqual((yield* Fiber.join(held))._tag, "Failure")
    }))
}

it.live("a new guard stops what its predecessor was asked to stop", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const only = yield* user(dataDirectory)
    const guard = yield* guardPid(dataDirectory)
    const pid = serverPid(dataDirectory)
    yield* heldSession(only.url)
    process.kill(guard, "SIGSTOP")
    process.kill(pid, "SIGTERM")
    const state = () => Fs.readFileSync(join(dataDirectory, "postgres", "data", "postmaster.pid"), "utf8")
    yield* until(() => state().includes("stopping"))
    process.kill(guard, "SIGKILL")
    yield* until(() => !runs(pid))
    assert.deepStrictEqual(yield* eventually(query(only.url, "SELECT 1 AS one")), [{ one: 1 }])
  }))

it.live("keeps what clients send out of its log", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const { url } = yield* user(dataDirectory)
    const file = join(dataDirectory, "postgres", "server.log")
    const before = Fs.statSync(file).size
    const sent = "told-by-a-client".repeat(10_000)
    yield* Effect.flip(query(url, `SELECT 1 / 0 AS "${sent}"`))
    yield* Effect.flip(query(url, `SELECT pg_terminate_backend(pg_backend_pid()) /* ${sent} */`))
    yield* until(() => Fs.readFileSync(file, "utf8").includes("terminating connection"))
    assert.include(Fs.readFileSync(file, "utf8"), "division by zero")
    assert.notInclude(Fs.readFileSync(file, "utf8"), "told-by-a-client")
    assert.isBelow(Fs.statSync(file).size - before, 2000)
  }))

it.live("keeps its logs below a bound while it runs", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    yield* user(dataDirectory)
    const file = join(dataDirectory, "postgres", "server.log")
    for (let round = 1; round <= 3; round++) {
      Fs.appendFileSync(file, `round ${round} ${"x".repeat(largestLog)}\n`)
      yield* until(() => Fs.statSync(file).size < largestLog)
      assert.deepStrictEqual(logs(dataDirectory), ["server.log", "server.log.1"])
      assert.include(Fs.readFileSync(`${file}.1`, "utf8"), `round ${round}`)
      assert.isBelow(Fs.statSync(`${file}.1`).size, 2 * largestLog)
    }
  }))

it.live("takes away what guards left behind that could not become one", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const leftovers = ["claim.2147483646", "claim.2147483645.new"].map((name) => join(dataDirectory, "postgres", name))
    for (const leftover of leftovers) Fs.writeFileSync(leftover, "")
    const first = yield* user(dataDirectory)
    assert.deepStrictEqual(leftovers.filter((leftover) => Fs.existsSync(leftover)), [])
    yield* first.leave
    assert.deepStrictEqual(
      Fs.readdirSync(join(dataDirectory, "postgres")).filter((name) => name.startsWith("claim.")),
      []
    )
  }))

/** Writes that many megabytes beside its memory. */
const spilling = (sql: PgClient.PgClient, megabytes: number) =>
  sql<{ readonly count: number }>`
    WITH written AS MATERIALIZED (SELECT repeat('x', 1000000) FROM generate_series(1, ${megabytes}::integer))
    SELECT count(*)::integer AS count FROM written`

const mostFiles = (sql: PgClient.PgClient) => sql`SELECT current_setting('temp_file_limit') AS most`

const manner = Pools.toEmbedded(Pools.directly)

it.live("ends what a request would write beside its memory without a bound, and nothing of it stays; a command has none", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const { url } = yield* user(dataDirectory)
    yield* Effect.gen(function*() {
      const reads = yield* Database.Reads
      for (const sql of [yield* Database.Admission, yield* Database.Pipeline, yield* PgClient.PgClient, reads]) {
        assert.deepStrictEqual(yield* mostFiles(sql), [{ most: "1GB" }])
      }
      const ended = yield* Effect.flip(spilling(reads, 1200))
      assert.deepStrictEqual(Database.failureOf(ended), {
        code: "53400",
        message: "temporary file size exceeds \"temp_file_limit\" (1048576kB)"
      })
      assert.strictEqual((yield* Effect.flip(unavailable(ended)))._tag, "TEMPORARILY_UNAVAILABLE")
      assert.deepStrictEqual(Fs.readdirSync(join(dataDirectory, "postgres", "data", "base", "pgsql_tmp")), [])
      assert.deepStrictEqual(yield* spilling(reads, 30), [{ count: 30 }])
    }).pipe(Effect.provide(Database.layerServing({ url, manner })))
    yield* Effect.gen(function*() {
      for (const sql of [yield* PgClient.PgClient, yield* Database.Reads]) {
        assert.deepStrictEqual(yield* mostFiles(sql), [{ most: "-1" }])
      }
    }).pipe(Effect.provide(Database.layer({ url, manner })))
  }))

it.live("lets a role of another server bound its temporary files once a superuser has let it", () =>
  Effect.gen(function*() {
    const { url } = yield* EmbeddedPostgres.start({ dataDirectory: yield* folder, durable: false })
    yield* query(url, "CREATE ROLE ordinary LOGIN PASSWORD 'made-up'")
    const own = new URL(Redacted.value(url))
    own.username = "ordinary"
    own.password = "made-up"
    const asked = Database.Reads.use(mostFiles).pipe(
      Effect.provide(Database.layerServing({ url: Redacted.make(own.href), manner }), { local: true })
    )
    assert.deepStrictEqual(Database.failureOf(yield* Effect.flip(asked)), {
      code: "42501",
      message: "permission denied to set parameter \"temp_file_limit\""
    })
    yield* query(url, "GRANT SET ON PARAMETER temp_file_limit TO ordinary")
    assert.deepStrictEqual(yield* asked, [{ most: "1GB" }])
  }))

it.live("gives up a cell that stays away before the log that is kept for it grows without bound, and says so", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const { url } = yield* EmbeddedPostgres.start({
      dataDirectory,
      durable: false,
      tuning: { max_slot_wal_keep_size: "64MB", min_wal_size: "32MB", max_wal_size: "32MB" }
    })
    yield* Effect.gen(function*() {
      yield* Migrations.run
      const sql = yield* PgClient.PgClient
      // As a cell that joined and went away left it.
      yield* sql`INSERT INTO cell (name, migration) VALUES ('west', 1)`
      yield* sql`SELECT pg_create_logical_replication_slot(${subscriptionOf("west")}, 'pgoutput')::text`
      const [fresh] = yield* Publication.cells
      assert.isNotNull(fresh?.behind ?? null)
      for (let round = 0; round < 10; round++) {
        yield* sql`SELECT pg_logical_emit_message(false, 'sample', repeat('x', 16000000))::text`
        yield* sql`CHECKPOINT`
      }
      const [lost] = yield* Publication.cells
      assert.deepInclude(lost, { name: "west", receiving: false, behind: null })
      const [kept] = yield* sql<{ readonly bytes: number }>`
        SELECT sum(size)::double precision AS bytes FROM pg_ls_waldir()`
      assert.isBelow(kept?.bytes ?? Infinity, 120e6)
    }).pipe(Effect.provide(Database.layer({ url })))
  }))

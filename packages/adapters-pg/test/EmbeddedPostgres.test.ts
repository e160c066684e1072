/** The life of the embedded server across processes that come, leave and are killed. */
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Schedule, Schema, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"
import * as Database from "../src/Database.ts"
import * as EmbeddedPostgres from "../src/EmbeddedPostgres.ts"
import { canReach } from "../src/internal/PostgresAccount.ts"

interface Account {
  readonly uid: number
  readonly gid: number
}

const program = fileURLToPath(new URL("EmbeddedPostgresUser.ts", import.meta.url))

const emptyFolder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(join(inject("postgres").folder, "embedded-"))),
  (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true, force: true }))
)

/** A data directory of which a server was made once: copying it is quicker than making one for each test. */
const seed = Effect.runSync(Effect.cached(
  Effect.gen(function*() {
    const dataDirectory = Fs.mkdtempSync(join(inject("postgres").folder, "seed-"))
    yield* Effect.scoped(EmbeddedPostgres.start({ dataDirectory, durable: false }))
    return dataDirectory
  })
))

const folder = Effect.gen(function*() {
  const path = yield* emptyFolder
  execFileSync("cp", ["-a", join(yield* seed, "postgres"), path])
  return path
})

interface User {
  readonly url: Redacted.Redacted
  /** Lets it end by itself and waits for that. */
  readonly leave: Effect.Effect<void>
  /** Sends the signal to its process group, as a terminal would, and waits for its end. */
  readonly signal: (name: NodeJS.Signals) => Effect.Effect<void>
}

const end = (child: ChildProcess, cause: () => void) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode === null && child.signalCode === null) child.once("exit", () => resume(Effect.void))
    else resume(Effect.void)
    cause()
  })

/** Another process that uses the server. */
const user = Effect.fnUntraced(function*(
  dataDirectory: string,
  account?: Account
): Effect.fn.Return<User, never, Scope.Scope> {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, dataDirectory], {
        cwd: "/",
        detached: true,
        stdio: ["pipe", "pipe", "inherit"],
        ...account
      })
    ),
    (started) => end(started, () => started.stdin.destroy())
  )
  const [line]: ReadonlyArray<unknown> = yield* Effect.promise(() => once(child.stdout.setEncoding("utf8"), "data"))
  return {
    url: Redacted.make(String(line).trim()),
    leave: end(child, () => child.stdin.end()),
    signal: (name) => end(child, () => process.kill(-(child.pid ?? 0), name))
  }
})

const query = (url: Redacted.Redacted, text: string) =>
  PgClient.PgClient.use((sql) => sql.unsafe(text)).pipe(
    Effect.provide(PgClient.layer({ url, maxConnections: 1 }), { local: true })
  )

const serverPid = (dataDirectory: string): number =>
  Number(Fs.readFileSync(join(dataDirectory, "postgres", "data", "postmaster.pid"), "utf8").split("\n")[0])

const Claim = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int }))

const guardPid = (dataDirectory: string) =>
  Effect.suspend(() => {
    const home = join(dataDirectory, "postgres")
    const name = Fs.readdirSync(home).findLast((file) => file.startsWith("guard.")) ?? ""
    return Schema.decodeEffect(Claim)(Fs.readFileSync(join(home, name), "utf8"))
  }).pipe(Effect.map(({ pid }) => pid))

/** A process whose parent was killed may stay behind as an entry without a program. */
const runs = (pid: number): boolean =>
  /^[^Z\s]/.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout)

const until = (condition: () => boolean) =>
  Effect.repeat(Effect.sync(condition), { until: (met) => met, schedule: Schedule.spaced("10 millis") })

/** Reconnects for as long as the server is being started again. */
const eventually = <A>(self: Effect.Effect<A, SqlError.SqlError>) =>
  Effect.retry(self, { while: Database.isUnavailable, schedule: Schedule.spaced("10 millis") })

it.live("keeps running when the first process leaves, and stops with the last", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const first = yield* user(dataDirectory)
    const second = yield* user(dataDirectory)
    assert.strictEqual(Redacted.value(second.url), Redacted.value(first.url))
    const pid = serverPid(dataDirectory)
    yield* first.leave
    assert.deepStrictEqual(yield* query(second.url, "SELECT 1 AS one"), [{ one: 1 }])
    yield* second.leave
    yield* until(() => !runs(pid))
  }))

it.live("an interrupt from the terminal of one process leaves the server to the others", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const first = yield* user(dataDirectory)
    const second = yield* user(dataDirectory)
    yield* first.signal("SIGINT")
    assert.deepStrictEqual(yield* query(second.url, "SELECT 1 AS one"), [{ one: 1 }])
  }))

it.live("keeps data, password and port from one start to the next", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const first = yield* user(dataDirectory)
    yield* query(first.url, "CREATE TABLE kept AS SELECT 7 AS seven")
    yield* first.leave
    const next = yield* user(dataDirectory)
    assert.strictEqual(Redacted.value(next.url), Redacted.value(first.url))
    assert.deepStrictEqual(yield* query(next.url, "SELECT seven FROM kept"), [{ seven: 7 }])
  }))

it.live("processes that start at the same moment share one server", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const users = yield* Effect.all([user(dataDirectory), user(dataDirectory), user(dataDirectory)], { concurrency: 3 })
    assert.strictEqual(new Set(users.map(({ url }) => Redacted.value(url))).size, 1)
    yield* Effect.forEach(users, ({ leave }) => leave, { concurrency: 3 })
    assert.isFalse(Fs.existsSync(join(dataDirectory, "postgres", "data", "postmaster.pid")))
  }))

it.live("stops when its only process is killed", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const only = yield* user(dataDirectory)
    const pid = serverPid(dataDirectory)
    yield* only.signal("SIGKILL")
    yield* until(() => !runs(pid))
  }))

it.live("outlives its guard, which its users replace", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const only = yield* user(dataDirectory)
    const pid = serverPid(dataDirectory)
    const guard = yield* guardPid(dataDirectory)
    process.kill(guard, "SIGKILL")
    yield* Effect.repeat(guardPid(dataDirectory), {
      until: (current) => current !== guard,
      schedule: Schedule.spaced("10 millis")
    })
    assert.deepStrictEqual(yield* query(only.url, "SELECT 1 AS one"), [{ one: 1 }])
    assert.strictEqual(serverPid(dataDirectory), pid)
    yield* only.leave
    yield* until(() => !runs(pid))
  }))

it.live("is started again at the same address when it is killed", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const only = yield* user(dataDirectory)
    yield* query(only.url, "CREATE TABLE kept AS SELECT 7 AS seven")
    const pid = serverPid(dataDirectory)
    process.kill(pid, "SIGKILL")
    yield* until(() => !runs(pid))
    assert.deepStrictEqual(yield* eventually(query(only.url, "SELECT seven FROM kept")), [{ seven: 7 }])
  }))

it.live("recovers at the next start after everything was killed", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const first = yield* user(dataDirectory)
    yield* query(first.url, "CREATE TABLE kept AS SELECT 7 AS seven")
    const pids = [yield* guardPid(dataDirectory), serverPid(dataDirectory)]
    // The guard first: it would start the server again.
    yield* Effect.forEach(pids, (pid) => Effect.sync(() => process.kill(pid, "SIGKILL")), { discard: true })
    yield* first.signal("SIGKILL")
    yield* until(() => !pids.some(runs))
    const next = yield* user(dataDirectory)
    assert.deepStrictEqual(yield* query(next.url, "SELECT seven FROM kept"), [{ seven: 7 }])
  }))

it.live("finds the running server again when guard and process were killed", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const first = yield* user(dataDirectory)
    const pid = serverPid(dataDirectory)
    process.kill(yield* guardPid(dataDirectory), "SIGKILL")
    yield* first.signal("SIGKILL")
    const next = yield* user(dataDirectory)
    assert.strictEqual(serverPid(dataDirectory), pid)
    yield* next.leave
    yield* until(() => !runs(pid))
  }))

it.live("a temporary one takes its folder with it", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    yield* Effect.scoped(EmbeddedPostgres.start({ dataDirectory, temporary: true }))
    yield* until(() => !Fs.existsSync(dataDirectory))
  }))

it.live("has the extensions that PostgreSQL comes with", () =>
  Effect.gen(function*() {
    const { url } = yield* EmbeddedPostgres.start({ dataDirectory: yield* folder, durable: false })
    yield* query(url, "CREATE EXTENSION pg_trgm")
    assert.deepStrictEqual(yield* query(url, "SELECT show_trgm('ab') AS parts"), [{ parts: ["  a", " ab", "ab "] }])
  }))

it.live("says which file stands in its way", () =>
  Effect.gen(function*() {
    const file = join(yield* emptyFolder, "occupied")
    Fs.writeFileSync(file, "")
    const failure = yield* Effect.flip(EmbeddedPostgres.start({ dataDirectory: file }))
    assert.include(failure.message, file)
  }))

const isRoot = process.getuid?.() === 0

/** The account without rights that every Unix has. */
const nobody: Account = { uid: 65534, gid: 65534 }

const reachable = [program, process.execPath].every((file) => canReach(nobody, dirname(file)))

it.live.skipIf(isRoot && !reachable)(
  "runs for an ordinary user (who can reach this checkout and Node)",
  () =>
    Effect.gen(function*() {
      const dataDirectory = yield* emptyFolder
      if (isRoot) Fs.chownSync(dataDirectory, nobody.uid, nobody.gid)
      const ordinary = yield* user(dataDirectory, isRoot ? nobody : undefined)
      assert.deepStrictEqual(yield* query(ordinary.url, "SELECT 1 AS one"), [{ one: 1 }])
      assert.strictEqual(
        Fs.statSync(join(dataDirectory, "postgres", "data")).uid,
        isRoot ? nobody.uid : process.getuid?.()
      )
      assert.strictEqual(Fs.statSync(join(dataDirectory, "postgres", "password")).mode & 0o777, 0o600)
    })
)

it.live.skipIf(!isRoot)(
  "runs for root below a folder that only root may enter (needs root)",
  () =>
    Effect.gen(function*() {
      // `mkdtemp` makes a folder for its owner alone.
      const dataDirectory = join(yield* emptyFolder, "below")
      const root = yield* user(dataDirectory)
      assert.deepStrictEqual(yield* query(root.url, "SELECT 1 AS one"), [{ one: 1 }])
      assert.notStrictEqual(Fs.statSync(join(dataDirectory, "postgres", "data")).uid, 0)
    })
)

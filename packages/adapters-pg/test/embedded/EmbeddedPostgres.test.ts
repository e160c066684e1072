/** The life of the embedded server across processes that come, leave and are killed. */
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Schedule, Schema } from "effect"
import * as Fs from "node:fs"
import { join } from "node:path"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.ts"
import type { ServerAccount } from "../../src/embedded/PostgresAccount.ts"
import { thisMachine } from "../../src/tuning/ThisMachine.ts"
import { tuningFor } from "../../src/tuning/Tuning.ts"
import {
  emptyFolder,
  eventually,
  folder,
  guardPid,
  killTogether,
  program,
  query,
  runs,
  serverPid,
  until,
  user
} from "./EmbeddedScene.ts"
import { reachable } from "./Reachable.ts"

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
    yield* killTogether(dataDirectory, first, [serverPid(dataDirectory)])
    const next = yield* user(dataDirectory)
    assert.deepStrictEqual(yield* query(next.url, "SELECT seven FROM kept"), [{ seven: 7 }])
  }))

it.live("finds the running server again when guard and process were killed", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const first = yield* user(dataDirectory)
    const pid = serverPid(dataDirectory)
    yield* killTogether(dataDirectory, first)
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

const Shown = Schema.Tuple([Schema.Struct({ settings: Schema.Record(Schema.String, Schema.String) })])

const shown = (url: Redacted.Redacted) =>
  query(url, "SELECT json_object_agg(name, current_setting(name)) AS settings FROM pg_settings").pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Shown)),
    Effect.map(([{ settings }]) => settings)
  )

it.live("takes what fits the machine, and what was chosen instead", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* folder
    const fitting = tuningFor({
      ...thisMachine(dataDirectory),
      connections: 100,
      shared: true,
      lz4: false
    })
    yield* Effect.scoped(Effect.gen(function*() {
      const { url } = yield* EmbeddedPostgres.start({ dataDirectory, durable: false })
      assert.deepInclude(yield* shown(url), fitting)
    }))
    const tuning = { shared_buffers: "64MB", work_mem: "7MB", jit: "on" }
    const { url } = yield* EmbeddedPostgres.start({ dataDirectory, durable: false, tuning })
    assert.deepInclude(yield* shown(url), { ...fitting, ...tuning })
  }))

it.live("says which file stands in its way", () =>
  Effect.gen(function*() {
    const file = join(yield* emptyFolder, "occupied")
    Fs.writeFileSync(file, "")
    const failure = yield* Effect.flip(EmbeddedPostgres.start({ dataDirectory: file }))
    assert.include(failure.message, file)
  }))

/** The account without rights that every Unix has. */
const nobody: ServerAccount = { uid: 65534, gid: 65534 }

const isRoot = process.getuid?.() === 0

/** What everybody may enter, removed at the end. */
const openFolder = Effect.tap(emptyFolder, (path) => Effect.sync(() => Fs.chmodSync(path, 0o755)))

const ownerOfData = (dataDirectory: string): number => Fs.statSync(join(dataDirectory, "postgres", "data")).uid

it.live("runs for an ordinary user", () =>
  Effect.gen(function*() {
    const dataDirectory = yield* emptyFolder
    if (isRoot) Fs.chownSync(dataDirectory, nobody.uid, nobody.gid)
    const ordinary = isRoot
      ? yield* user(dataDirectory, { ...reachable(nobody, yield* openFolder, program), account: nobody })
      : yield* user(dataDirectory)
    assert.deepStrictEqual(yield* query(ordinary.url, "SELECT 1 AS one"), [{ one: 1 }])
    assert.strictEqual(ownerOfData(dataDirectory), isRoot ? nobody.uid : process.getuid?.())
    assert.strictEqual(Fs.statSync(join(dataDirectory, "postgres", "password")).mode & 0o777, 0o600)
  }))

it.live("runs below a folder that only its owner may enter, and never as root", () =>
  Effect.gen(function*() {
    // `mkdtemp` makes a folder for its owner alone.
    const dataDirectory = join(yield* emptyFolder, "below")
    const owner = yield* user(dataDirectory)
    assert.deepStrictEqual(yield* query(owner.url, "SELECT 1 AS one"), [{ one: 1 }])
    assert.strictEqual(ownerOfData(dataDirectory) === process.getuid?.(), !isRoot)
  }))

/** Embedded servers of their own, for tests, and other processes that use them. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schedule, Schema, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inject } from "vitest"
import * as Database from "../../src/database/Database.ts"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.ts"
import type { ServerAccount } from "../../src/embedded/PostgresAccount.ts"

export const program = fileURLToPath(new URL("EmbeddedPostgresUser.ts", import.meta.url))

export const emptyFolder = Effect.acquireRelease(
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

export const folder = Effect.gen(function*() {
  const path = yield* emptyFolder
  execFileSync("cp", ["-a", join(yield* seed, "postgres"), path])
  return path
})

export interface User {
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

/** Whose process it is, and where Node and the program are. */
interface Process {
  readonly account?: ServerAccount
  readonly node: string
  readonly program: string
}

/** Another process that uses the server. */
export const user = Effect.fnUntraced(function*(
  dataDirectory: string,
  { account, node, program: main }: Process = { node: process.execPath, program }
): Effect.fn.Return<User, never, Scope.Scope> {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(node, ["--disable-warning=ExperimentalWarning", main, dataDirectory], {
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

/**
 * Kills a process, its guard and the others so that none of them sees another one's end: the guard would stop or start the
 * server again, and the process would start another guard.
 */
export const killTogether = Effect.fnUntraced(function*(
  dataDirectory: string,
  { signal }: User,
  others: ReadonlyArray<number> = []
) {
  const guard = yield* guardPid(dataDirectory)
  process.kill(guard, "SIGSTOP")
  for (const pid of others) process.kill(pid, "SIGKILL")
  yield* signal("SIGKILL")
  process.kill(guard, "SIGKILL")
  yield* until(() => ![guard, ...others].some(runs))
})

export const query = (url: Redacted.Redacted, text: string) =>
  PgClient.PgClient.use((sql) => sql.unsafe(text)).pipe(
    Effect.provide(PgClient.layer({ url, maxConnections: 1 }), { local: true })
  )

export const serverPid = (dataDirectory: string): number =>
  Number(Fs.readFileSync(join(dataDirectory, "postgres", "data", "postmaster.pid"), "utf8").split("\n")[0])

const Claim = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int }))

export const guardPid = (dataDirectory: string) =>
  Effect.suspend(() => {
    const home = join(dataDirectory, "postgres")
    const name = Fs.readdirSync(home).findLast((file) => file.startsWith("guard.")) ?? ""
    return Schema.decodeEffect(Claim)(Fs.readFileSync(join(home, name), "utf8"))
  }).pipe(Effect.map(({ pid }) => pid))

/** A process whose parent was killed may stay behind as an entry without a program. */
export const runs = (pid: number): boolean =>
  /^[^Z\s]/.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout)

export const until = (condition: () => boolean) =>
  Effect.repeat(Effect.sync(condition), { until: (met) => met, schedule: Schedule.spaced("10 millis") })

/** Reconnects for as long as the server is being started again. */
export const eventually = <A>(self: Effect.Effect<A, SqlError.SqlError>) =>
  Effect.retry(self, { while: Database.isUnavailable, schedule: Schedule.spaced("10 millis") })

/**
 * A primary of one's own and a standby that streams from it, made of the programs that come with the embedded server: for
 * tests of replicas, which nobody else may write to meanwhile.
 *
 * The package has no `pg_basebackup`, so the standby begins as a copy of the primary's files between `pg_backup_start` and
 * `pg_backup_stop`.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schedule, type Scope } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Net from "node:net"
import * as Path from "node:path"
import * as EmbeddedPostgres from "../embedded/EmbeddedPostgres.ts"
import { serverAccount } from "../embedded/PostgresAccount.ts"
import { prepareBinaries } from "../embedded/PostgresBinaries.ts"
import { administer } from "./TestDatabase.ts"

export interface StandbyServer {
  readonly url: Redacted.Redacted
  /** Its log is received and not replayed, so that it lags. */
  readonly pause: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
  /** Makes it a primary. */
  readonly promote: Effect.Effect<void>
  /** Ends it at once. */
  readonly kill: Effect.Effect<void>
}

const maxConnections = 100

/** A primary whose commits wait for its log, though not for the disk. */
export const primary = (folder: string): Effect.Effect<Redacted.Redacted, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { url } = yield* EmbeddedPostgres.start({
      dataDirectory: folder,
      durable: false,
      temporary: true,
      maxConnections
    })
    yield* administer(url, (sql) => sql`ALTER ROLE freehold SET synchronous_commit = on`)
    return url
  }).pipe(Effect.orDie)

const freePort = async (): Promise<number> => {
  const probe = Net.createServer()
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve))
  const address = probe.address()
  probe.close()
  await once(probe, "close")
  return address !== null && typeof address === "object" ? address.port : 0
}

/** A standby may have no less of these than its primary. */
const noLess = ["max_connections", "max_worker_processes", "max_wal_senders", "max_locks_per_transaction"]

/** Of the server that runs, and of no use to a copy. */
const left = /\/(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+|pg_stat_tmp\/.+)$/

/** Gives it to the account that runs the server, where that is another one. */
const handOver = (folder: string, account: ReturnType<typeof serverAccount>): void => {
  if (account === undefined) return
  for (const name of Fs.readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    Fs.chownSync(Path.join(folder, name), account.uid, account.gid)
  }
  Fs.chownSync(folder, account.uid, account.gid)
}

const onItself = (url: Redacted.Redacted, statement: string) =>
  Effect.asVoid(Effect.orDie(administer(url, (sql) => sql.unsafe(statement))))

/** A standby of the primary in that folder, until the scope closes. It accepts connections. */
export const start = Effect.fn("StandbyServer.start")(function*(
  of: { readonly folder: string; readonly url: Redacted.Redacted },
  folder: string
): Effect.fn.Return<StandbyServer, never, Scope.Scope> {
  const primaryData = Path.join(of.folder, "postgres", "data")
  const data = Path.join(folder, "data")
  const account = serverAccount(primaryData)
  Fs.mkdirSync(data, { recursive: true })
  // The account has to get there.
  Fs.chmodSync(folder, 0o711)
  const required = yield* administer(of.url, (sql) =>
    Effect.gen(function*() {
      yield* sql`SELECT pg_backup_start('standby', true)`
      Fs.cpSync(primaryData, data, { recursive: true, filter: (source) => !left.test(source) })
      const [stopped] = yield* sql<{ readonly label: string }>`SELECT labelfile AS label FROM pg_backup_stop(false)`
      Fs.writeFileSync(Path.join(data, "backup_label"), stopped?.label ?? "")
      return yield* sql<{ readonly name: string; readonly setting: string }>`
        SELECT name, setting FROM pg_settings WHERE ${sql.in("name", noLess)}`
    })).pipe(Effect.orDie)
  Fs.writeFileSync(Path.join(data, "standby.signal"), "")
  handOver(data, account)
  Fs.chmodSync(data, 0o700)

  const port = yield* Effect.promise(freePort)
  const { password, port: primaryPort, username } = new URL(Redacted.value(of.url))
  const settings = {
    ...Object.fromEntries(required.map(({ name, setting }) => [name, setting])),
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=${username} password=${password}`,
    wal_receiver_status_interval: 1,
    fsync: "off",
    timezone: "UTC"
  }
  const { postgres } = prepareBinaries(account)
  const log = Fs.openSync(Path.join(folder, "server.log"), "a")
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(
        postgres,
        ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
        {
          cwd: data,
          env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
          stdio: ["ignore", log, log],
          ...account
        }
      )
    ),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, "exit")
        child.kill("SIGQUIT")
        await ended
      })
  )
  const url = new URL(Redacted.value(of.url))
  url.port = String(port)
  const address = Redacted.make(url.href)
  yield* Effect.flatMap(PgClient.PgClient, (sql) => sql`SELECT 1`).pipe(
    Effect.provide(PgClient.layer({ url: address, maxConnections: 1 }), { local: true }),
    Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 1000 }),
    Effect.orDie
  )
  return {
    url: address,
    pause: onItself(address, "SELECT pg_wal_replay_pause()"),
    resume: onItself(address, "SELECT pg_wal_replay_resume()"),
    promote: onItself(address, "SELECT pg_promote()"),
    kill: Effect.sync(() => void server.kill("SIGQUIT"))
  }
})

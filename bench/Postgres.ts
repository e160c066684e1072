/**
 * The one PostgreSQL of a run: the embedded one, durable, in a temporary data directory, with a migrated template of
 * which every benchmark takes copies. Both sides of a comparison use the same server and the same copy.
 */
import { PgClient } from "@effect/sql-pg"
import * as EmbeddedPostgres from "@freehold/adapters-pg/embedded/EmbeddedPostgres"
import * as Migrations from "@freehold/adapters-pg/migrations/Migrations"
import { Context, Effect, Layer, Redacted, Schema, type Scope } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Child from "./Child.ts"

export class Postgres extends Context.Service<Postgres, {
  readonly url: Redacted.Redacted
  readonly version: string
  /** For files of the run; vanishes with it. */
  readonly folder: string
  /** A fresh database with the product's schema, until the scope closes. */
  readonly database: (name: string) => Effect.Effect<Redacted.Redacted, SqlError.SqlError, Scope.Scope>
}>()("@freehold/bench/Postgres") {}

/** Runs statements on one connection of their own. */
export const withClient = <A, E, R>(
  url: Redacted.Redacted,
  use: (sql: PgClient.PgClient) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, Exclude<R, PgClient.PgClient | SqlClient.SqlClient>> =>
  Effect.flatMap(PgClient.PgClient, use).pipe(
    Effect.provide(PgClient.layer({ url, maxConnections: 1 }), { local: true })
  )

const named = (server: Redacted.Redacted, name: string): Redacted.Redacted => {
  const url = new URL(Redacted.value(server))
  url.pathname = `/${name}`
  return Redacted.make(url.href)
}

/** How libpq's programs find a database, without its password among their arguments. */
export const environmentOf = (database: Redacted.Redacted): Readonly<Record<string, string>> => {
  const { hostname, password, pathname, port, username } = new URL(Redacted.value(database))
  return { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) }
}

/** Writes out what earlier work left to write, so that no measurement pays for another. */
export const settle = (database: Redacted.Redacted) => withClient(database, (sql) => sql`CHECKPOINT`)

const Pid = Schema.Tuple([Schema.Struct({ pid: Schema.Int })])

/** Processor seconds of the server so far, with all of its processes; NaN where the system does not tell. */
export const serverCpuSeconds = Effect.fnUntraced(function*(database: Redacted.Redacted) {
  return yield* withClient(database, (sql) =>
    Effect.gen(function*() {
      const [{ pid }] = yield* Schema.decodeUnknownEffect(Pid)(yield* sql`SELECT pg_backend_pid() AS pid`)
      return Child.familyCpuSeconds(pid)
    }))
})

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "freehold-bench-"))
    // Started by root, PostgreSQL runs as another user.
    chmodSync(path, 0o711)
    return path
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const Version = Schema.Tuple([Schema.Struct({ server_version: Schema.String })])

export const layer: Layer.Layer<
  Postgres,
  EmbeddedPostgres.EmbeddedPostgresFailed | SqlError.SqlError | Schema.SchemaError
> = Layer.effect(
  Postgres,
  Effect.gen(function*() {
    const path = yield* folder
    const { url } = yield* EmbeddedPostgres.start({ dataDirectory: path, temporary: true })
    const template = "bench_template"
    yield* withClient(url, (sql) => sql`CREATE DATABASE ${sql(template)}`)
    yield* Effect.orDie(withClient(named(url, template), () => Migrations.run))
    const rows = yield* withClient(url, (sql) => sql`SHOW server_version`)
    const [{ server_version }] = yield* Schema.decodeUnknownEffect(Version)(rows)
    return Postgres.of({
      url,
      version: server_version,
      folder: path,
      database: (name) =>
        Effect.acquireRelease(
          withClient(url, (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)}`).pipe(
            Effect.as(named(url, name))
          ),
          () => Effect.orDie(withClient(url, (sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`))
        )
    })
  })
)

/**
 * A fresh, migrated database for a test, dropped when the test is over.
 *
 * It is a copy of a template that the global setup of the test run migrated once, so it takes some tens of milliseconds.
 * The server is real: the embedded one, started once a run, or that of `TEST_DATABASE_URL`.
 *
 * *Gotchas*
 *
 * - Waiting for the database takes real time: use `layer(TestDatabase.layer, { excludeTestServices: true })`, or keep to
 *   statements without time limits under the test clock.
 * - Every `layer(...)` block and every `Effect.provide` of a test gets a database of its own; within a block it is shared.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import * as Database from "../database/Database.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this test run, made known by its global setup. */
    readonly postgres: {
      readonly url: string
      /** A migrated database that nobody is connected to. */
      readonly template: string
      /** Vanishes with the run, with all that is in it. */
      readonly folder: string
    }
  }
}

/** The address of the fresh database, for what runs in a process of its own. */
export class Url extends Context.Service<Url, Redacted.Redacted>()("@freehold/adapters-pg/testing/TestDatabase/Url") {}

/** The age in it tells a later run on the same server which databases a killed run left behind. */
export const uniqueName = (): string =>
  `freehold_test_${Math.trunc((performance.timeOrigin + performance.now()) / 1000)}_${randomBytes(6).toString("hex")}`

/** Runs statements as the server's owner, on a connection of their own. */
export const administer = <A, E, R>(
  url: Redacted.Redacted,
  use: (sql: PgClient.PgClient) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, PgClient.PgClient | SqlClient.SqlClient>> =>
  Effect.flatMap(PgClient.PgClient, use).pipe(
    Effect.provide(Layer.orDie(PgClient.layer({ url, maxConnections: 1 })), { local: true })
  )

/** The same server, another database. */
export const inDatabase = (server: Redacted.Redacted, name: string): Redacted.Redacted => {
  const url = new URL(Redacted.value(server))
  url.pathname = `/${name}`
  return Redacted.make(url.href)
}

/** A copy of the template, until the scope closes. */
export const copyOf = (
  server: Redacted.Redacted,
  template: string
): Effect.Effect<Redacted.Redacted, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const name = uniqueName()
      return Effect.as(administer(server, (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)}`), name)
    }),
    (name) => Effect.orDie(administer(server, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`))
  ).pipe(
    Effect.map((name) => inDatabase(server, name)),
    Effect.orDie
  )

const fresh = (template: (migrated: string) => string) =>
  Effect.suspend(() => {
    const postgres = inject("postgres")
    return copyOf(Redacted.make(postgres.url), template(postgres.template))
  })

/** The address of a fresh, migrated database, until the scope closes. */
export const make: Effect.Effect<Redacted.Redacted, never, Scope.Scope> = fresh((migrated) => migrated)

/** The address of a fresh database without any table, until the scope closes. */
export const makeEmpty: Effect.Effect<Redacted.Redacted, never, Scope.Scope> = fresh(() => "template0")

const clients = Layer.unwrap(
  Effect.map(Url, (url) => Database.layer({ url, applicationName: "freehold test", maxConnections: 6 }))
)

/** The clients of a fresh, migrated database, with few connections, so that many files can run side by side. */
export const layer: Layer.Layer<Database.Clients | Url> = clients.pipe(
  Layer.provideMerge(Layer.effect(Url, make)),
  Layer.orDie
)

/** The ledger's connections lead nowhere: what is answered all the same takes none of them. */
export const ledgerAway: Layer.Layer<SqlClient.SqlClient> = Layer.effect(
  SqlClient.SqlClient,
  SqlClient.SqlClient
).pipe(
  Layer.provide(Database.layer({ url: Redacted.make("postgres://sample@127.0.0.1:1/sample") })),
  Layer.orDie
)

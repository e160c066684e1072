/**
 * One PostgreSQL server for a whole test run, and on it one migrated template that the tests copy.
 *
 * The server is that of `TEST_DATABASE_URL` (its user must be allowed to create databases), or an embedded one in a
 * temporary folder, which vanishes with the run also when the run is killed. On a server of one's own a killed run
 * leaves its databases behind; a later run removes those that are older than an hour and unused.
 */
import { Config, Effect, Exit, Option, Redacted, Scope } from "effect"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import * as EmbeddedPostgres from "../src/embedded/EmbeddedPostgres.ts"
import * as Migrations from "../src/migrations/Migrations.ts"
import { administer, inDatabase, uniqueName } from "../src/testing/TestDatabase.ts"

const sweep = (server: Redacted.Redacted) =>
  administer(server, (sql) =>
    Effect.gen(function*() {
      const leftovers = yield* sql<{ readonly name: string }>`
        SELECT datname AS name FROM pg_database
        WHERE datname ~ '^freehold_test_[0-9]+_'
          AND to_timestamp(split_part(datname, '_', 3)::bigint) < now() - interval '1 hour'
          AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE pg_stat_activity.datname = pg_database.datname)`
      yield* Effect.forEach(leftovers, ({ name }) => sql`DROP DATABASE IF EXISTS ${sql(name)}`, { discard: true })
    }))

/** Drops the template, and what a test made of it for others under a name that begins with its own. */
const dropAll = (server: Redacted.Redacted, template: string) =>
  administer(server, (sql) =>
    Effect.gen(function*() {
      const made = yield* sql<{ readonly name: string }>`
        SELECT datname AS name FROM pg_database WHERE starts_with(datname, ${template})`
      yield* Effect.forEach(made, ({ name }) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`, { discard: true })
    }))

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "freehold-test-"))
    // Tests run programs as other users in there.
    chmodSync(folder, 0o711)
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const startServer = Effect.fnUntraced(function*(folder: string) {
  const given = yield* Config.option(Config.Redacted("TEST_DATABASE_URL"))
  if (Option.isSome(given)) {
    yield* sweep(given.value)
    return given.value
  }
  const { url } = yield* EmbeddedPostgres.start({
    dataDirectory: folder,
    durable: false,
    temporary: true,
    maxConnections: 300,
    // Databases are made and dropped by the hundred, and each time all buffers are looked through.
    tuning: { shared_buffers: "256MB" }
  })
  // Whether a table is swept while a test counts what is read of it is not to be left to chance.
  yield* administer(url, (sql) => Effect.andThen(sql`ALTER SYSTEM SET autovacuum = off`, sql`SELECT pg_reload_conf()`))
  return url
})

const prepare = Effect.gen(function*() {
  const folder = yield* temporaryFolder
  const server = yield* startServer(folder)
  const template = yield* Effect.acquireRelease(
    Effect.suspend(() => {
      const name = uniqueName()
      return Effect.as(administer(server, (sql) => sql`CREATE DATABASE ${sql(name)}`), name)
    }),
    (name) => Effect.orDie(dropAll(server, name))
  )
  yield* administer(inDatabase(server, template), () => Migrations.run)
  return { url: Redacted.value(server), template, folder }
})

const scope = Scope.makeUnsafe()

export const setup = async (project: TestProject): Promise<void> =>
  project.provide("postgres", await Effect.runPromise(Scope.provide(prepare, scope)))

export const teardown = (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void))

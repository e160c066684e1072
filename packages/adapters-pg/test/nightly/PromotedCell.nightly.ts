/**
 * The server of a cell is lost and its standby is promoted: what it lacks is told, and it lacks nothing when it was waited for.
 *
 * The importing installation is a database of the test run's server. All data is made up.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, type Redacted, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import { Importer } from "../../src/cell/Importer.ts"
import * as Publication from "../../src/cell/Publication.ts"
import { subscriptionOf } from "../../src/cell/SharedTables.ts"
import * as Subscription from "../../src/cell/Subscription.ts"
import * as Migrations from "../../src/migrations/Migrations.ts"
import * as StandbyServer from "../../src/testing/StandbyServer.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { at, once } from "../cell/TwoCells.ts"

const clientTo = (url: Redacted.Redacted) =>
  Effect.map(Layer.build(Layer.orDie(PgClient.layer({ url, maxConnections: 2 }))), Context.get(PgClient.PgClient))

const suppressed = (sql: PgClient.PgClient) =>
  Effect.map(
    sql<{ readonly name: string }>`SELECT name FROM suppressed_owner ORDER BY name`,
    (rows) => rows.map(({ name }) => name)
  )

/** The standby does not hear of what comes from now on. */
const cutOff = Effect.fnUntraced(function*(url: Redacted.Redacted, standby: PgClient.PgClient) {
  const [found] = yield* TestDatabase.administer(url, (sql) =>
    sql<{ readonly file: string; readonly loaded: string }>`
      SELECT current_setting('hba_file') AS file, pg_conf_load_time()::text AS loaded`)
  const { file = "", loaded = "" } = found ?? {}
  writeFileSync(file, `host replication all all reject\n${readFileSync(file, "utf8")}`)
  yield* TestDatabase.administer(url, (sql) => sql`SELECT pg_reload_conf()`)
  // Each on a connection of its own, which the server takes by what it has read last.
  yield* once(TestDatabase.administer(url, (sql) => sql`SELECT WHERE pg_conf_load_time() > ${loaded}::timestamptz`))
  yield* TestDatabase.administer(url, (sql) => sql`SELECT pg_terminate_backend(pid) FROM pg_stat_replication`)
  yield* once(standby`SELECT FROM pg_stat_wal_receiver HAVING count(*) = 0`)
})

/** Answers what the promoted server has, of two suppressions of which the standby itself did not hear the second one, and how it receives. */
const promoted = Effect.fnUntraced(function*(isWaitedFor: boolean) {
  const name = `p${randomBytes(3).toString("hex")}`
  const folder = mkdtempSync(join(inject("postgres").folder, "promoted-"))
  chmodSync(folder, 0o711)
  const importerUrl = yield* TestDatabase.make
  const importer = yield* clientTo(importerUrl)
  yield* at(importer)(Publication.publish({ dryRun: false }))
  const suppress = (owner: string) =>
    importer`INSERT INTO suppressed_owner (name_key, name) VALUES (${owner}, ${owner})`
  const inCell = (sql: PgClient.PgClient) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(at(sql), Effect.provideService(Importer, importer))

  const lost = yield* Scope.make()
  const primary = join(folder, "primary")
  const url = yield* Scope.provide(StandbyServer.primary(primary), lost)
  const sql = yield* Scope.provide(clientTo(url), lost)
  yield* at(sql)(Migrations.run)
  const joins = inCell(sql)(Subscription.join({ name, url: importerUrl, dryRun: false, nothingLost: false }))
  yield* joins
  yield* once(sql`SELECT FROM pg_subscription_rel WHERE srsubstate <> 'r' HAVING count(*) = 0`)
  const standby = yield* StandbyServer.start({ folder: primary, url }, join(folder, "standby"))
  const there = yield* clientTo(standby.url)
  yield* Effect.addFinalizer(() =>
    Effect.orDie(inCell(there)(Effect.andThen(Subscription.leave(), Subscription.forgetAtImporter(name))))
  )
  if (isWaitedFor) {
    yield* sql`ALTER SYSTEM SET synchronous_standby_names = '*'`
    yield* sql`SELECT pg_reload_conf()`
    yield* once(sql`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)
    // As an earlier version joined it.
    const isOutrunning = Effect.map(inCell(sql)(Subscription.receiving), (cell) => cell?.outrunning)
    yield* sql`ALTER SUBSCRIPTION ${sql(subscriptionOf(name))} SET (synchronous_commit = off)`
    assert.isTrue(yield* isOutrunning)
    yield* joins
    assert.isFalse(yield* isOutrunning)
  }
  yield* suppress("first")
  yield* once(there`SELECT FROM suppressed_owner WHERE name = 'first'`)
  yield* cutOff(url, there)
  yield* suppress("second")
  const [written] = yield* importer<{ readonly lsn: string }>`SELECT pg_current_wal_insert_lsn()::text AS lsn`
  yield* once(
    isWaitedFor
      ? sql`SELECT FROM pg_stat_activity WHERE backend_type LIKE 'logical replication %' AND wait_event = 'SyncRep'`
      : importer`
        SELECT FROM pg_replication_slots
        WHERE slot_name = ${subscriptionOf(name)} AND confirmed_flush_lsn >= ${written?.lsn ?? ""}::pg_lsn`
  )
  yield* Scope.close(lost, Exit.void)
  yield* standby.promote
  yield* suppress("third")
  yield* once(there`SELECT FROM suppressed_owner WHERE name = 'third'`)
  return { has: yield* suppressed(there), cell: yield* inCell(there)(Subscription.receiving) }
})

describe("a cell whose standby was promoted", () => {
  it.live("is told where the standby was not waited for, and lacked something", () =>
    Effect.gen(function*() {
      const { cell, has } = yield* promoted(false)
      assert.deepStrictEqual(has, ["first", "third"])
      assert.containSubset(cell, { enabled: true, receiving: true, promoted: true })
    }).pipe(Effect.scoped))

  it.live("lacks nothing where the standby was waited for", () =>
    Effect.gen(function*() {
      const { has } = yield* promoted(true)
      assert.deepStrictEqual(has, ["first", "second", "third"])
    }).pipe(Effect.scoped))
})

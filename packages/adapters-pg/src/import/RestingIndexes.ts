/**
 * The indexes of searches rest while the first properties are loaded: made of all rows at once they cost a fraction of what
 * they cost row by row. So do those of people, and those that hold how many contacts a property has, while the first
 * contacts are loaded. What is unique, and what loads themselves look up by, stays.
 *
 * A table remembers them, written in the transaction that drops them, so that whatever becomes of the process they are
 * made again: by the end of the import, by the next one, by a server or worker that finds nobody loading, or by a
 * migration.
 *
 * *Gotchas*
 *
 * - Meanwhile a search reads the whole table. So they rest only where nearly all there is came by this very import; those of properties
 *   that were there before, only where nobody is who could search.
 * - Whoever writes properties, or people, waits while they are made; who reads does not.
 */
import type { ImportKind } from "@freehold/core/import/ImportKind"
import type { ImportedSoFar } from "@freehold/core/import/ImportStore"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Deferred, Duration, Effect, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as ContactCounts from "../contact/ContactCounts.ts"
import { alone } from "../database/Alone.ts"
import { transaction } from "../database/Transaction.ts"
import { commitLater } from "./ImportBatches.ts"

/** Whoever holds it loads the first properties. */
const work = "first load"

/** Indexes that are made at once. */
const atOnce = 2

/** How long somebody may keep the table from being changed before the indexes stay where they are. */
const patience = Duration.seconds(5)

/** What has indexes rest while the first of it is loaded. */
export type FirstLoaded = Extract<ImportKind, "properties" | "contacts">

export const isFirstLoaded = (kind: ImportKind): kind is FirstLoaded => kind === "properties" || kind === "contacts"

/**
 * Of properties those of searches and look-ups, which leave retired ones out. With contacts all that is theirs but what is unique; and of
 * properties what holds the counts of their contacts: where no index does, a property's new version is entered into none, as long as
 * there is room beside the one before.
 */
const resting: Readonly<Record<FirstLoaded, string>> = {
  properties: `i.indrelid = 'property'::regclass AND NOT i.indisunique
    AND pg_get_expr(i.indpred, i.indrelid) = '(retired_into IS NULL)'`,
  contacts: `NOT i.indisunique AND (
    i.indrelid IN ('contact'::regclass, 'contact_reach'::regclass)
    OR i.indrelid = 'property'::regclass AND EXISTS (
      SELECT FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
        AND a.attname = ANY('{${ContactCounts.columns.join(",")}}')
    )
  )`
}

/** The slowest to make first. */
const remember = (sql: SqlClient.SqlClient, kind: FirstLoaded) =>
  sql<{ readonly name: string }>`
    INSERT INTO resting_index (name, definition, place)
    SELECT c.relname, pg_get_indexdef(i.indexrelid),
      row_number() OVER (ORDER BY m.amname = 'btree', i.indnatts DESC, c.relname)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
    WHERE ${sql.literal(resting[kind])}
    RETURNING name`

/** Whether the table holds more rows than that. */
const holdsMore = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, table: "property" | "contact", rows: number) {
  const beyond = yield* sql`SELECT FROM ${sql(table)} OFFSET ${rows}::bigint LIMIT 1`
  return beyond.length > 0
})

/** Of contacts that are to come, one for so many properties is enough. */
const propertiesForOne = 10

/**
 * Whether nearly all that there is came by this import. Contacts have to be many besides, since the indexes of all properties are
 * made for them, and nobody may be there who searches.
 */
const isFirstLoad = Effect.fnUntraced(function*(
  sql: SqlClient.SqlClient,
  kind: FirstLoaded,
  { inserted, left }: ImportedSoFar
) {
  const hardlyMore = inserted + Math.ceil(inserted / 10)
  if (kind === "properties") return !(yield* holdsMore(sql, "property", hardlyMore))
  if (left === null || (yield* holdsMore(sql, "contact", hardlyMore))) return false
  if ((yield* sql`SELECT FROM organization LIMIT 1`).length > 0) return false
  return !(yield* holdsMore(sql, "property", left * propertiesForOne))
})

/** In the order in which loads of the kind come to them: who is loading has the first until the end. */
const tables: Readonly<Record<FirstLoaded, string>> = {
  properties: "property",
  contacts: "contact, property, contact_reach"
}

/** Drops them, if it is a first load. */
const drop = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, kind: FirstLoaded, soFar: ImportedSoFar) {
  if (!(yield* isFirstLoad(sql, kind, soFar))) return
  yield* sql`SELECT set_config('lock_timeout', ${String(Duration.toMillis(patience))}, true)`
  yield* sql`LOCK TABLE ${sql.literal(tables[kind])} IN ACCESS EXCLUSIVE MODE`
  const names = yield* remember(sql, kind)
  if (names.length > 0) yield* sql.unsafe(`DROP INDEX ${names.map(({ name }) => `"${name}"`).join(", ")}`)
})

/**
 * Lets them rest until the scope closes or they are made, if it is the first load of the kind that asks.
 * Without effect where another import is at it already, somebody else keeps the table busy, or the indexes belong to another role.
 */
export const rest = (
  sql: SqlClient.SqlClient,
  kind: FirstLoaded,
  soFar: ImportedSoFar
): Effect.Effect<void, TemporarilyUnavailable, Scope.Scope> =>
  Effect.gen(function*() {
    const dropped = yield* Deferred.make<void>()
    const dropping = transaction(sql, drop(sql, kind, soFar)).pipe(
      // They rest for speed alone: an import goes on without.
      Effect.catchTag(
        "SqlError",
        (error) => Effect.logDebug("the indexes stay while the first rows are loaded", error)
      ),
      Effect.andThen(Deferred.succeed(dropped, undefined))
    )
    yield* alone(sql, work)(Effect.andThen(dropping, Effect.never)).pipe(
      Effect.ensuring(Deferred.succeed(dropped, undefined)),
      Effect.forkScoped
    )
    yield* Deferred.await(dropped)
  })

/** Makes one that nobody else is making; false: there is none. */
const makeOne = (sql: SqlClient.SqlClient) =>
  transaction(
    sql,
    Effect.gen(function*() {
      // It is there with all its pages, or still remembered.
      yield* commitLater(sql)
      yield* sql`SET LOCAL statement_timeout = 0`
      yield* sql`SET LOCAL max_parallel_maintenance_workers = 0`
      const [next] = yield* sql<{ readonly definition: string }>`
        DELETE FROM resting_index WHERE name = (
          SELECT name FROM resting_index ORDER BY place FOR UPDATE SKIP LOCKED LIMIT 1
        ) RETURNING definition`
      if (next === undefined) return false
      yield* sql.unsafe(next.definition)
      return true
    })
  )

/** Makes those that rest, and waits for those that others are making. */
export const restore = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const making = Effect.repeat(makeOne(sql), { while: (made) => made })
  while ((yield* sql`SELECT FROM resting_index LIMIT 1`).length > 0) {
    yield* Effect.all(Array.from({ length: atOnce }, () => making), { concurrency: atOnce, discard: true })
    yield* sql`SELECT FROM resting_index FOR SHARE`
  }
})

/** Makes those that an import left which is gone. */
export const restoreAbandoned = (sql: SqlClient.SqlClient) => alone(sql, work)(restore(sql))

/** Makes them within the transaction at hand; before the table that remembers them, there are none. */
export const restoreWithin = Effect.gen(function*(): Effect.fn.Return<void, SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly present: boolean }>`SELECT to_regclass('resting_index') IS NOT NULL AS present`
  if (found?.present !== true) return
  const resting = yield* sql<{ readonly definition: string }>`DELETE FROM resting_index RETURNING definition`
  for (const { definition } of resting) yield* sql.unsafe(definition)
})

/** What the loads of all kinds of rows share: their outcome, their order, their references to other records. */
import type { ImportKind } from "@freehold/core/import/ImportKind"
import type { LoadOutcome, RejectedRow } from "@freehold/core/import/ImportStore"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../database/BulkWrite.ts"

/**
 * Whoever decides who may be listed, or which records are one, waits here for all who load, and they for it; to the end of
 * the transaction.
 */
export const takeTurn = (sql: SqlClient.SqlClient) => sql`SELECT pg_advisory_xact_lock(hashtext('freehold import'))`

/**
 * The transaction's end does not wait for the disk. What it wrote is there before anything that is written later, so what
 * settles an import keeps its loads as well; until then, what a crash takes is loaded again.
 */
const laterCommit = "set_config('synchronous_commit', 'off', true)"

export const commitLater = (sql: SqlClient.SqlClient) => sql`SELECT ${sql.literal(laterCommit)}`

/**
 * Whoever loads is beside others who load, and waits for those who take a turn; to the end of the transaction, which is that
 * of `commitLater`: each batch begins so, and what it asks for one by one it waits for one by one.
 */
export const joinIn = (sql: SqlClient.SqlClient) =>
  sql`SELECT pg_advisory_xact_lock_shared(hashtext('freehold import')), ${sql.literal(laterCommit)}`

/** As `joinIn`, but one load of the kind after the other. */
export const joinInAlone = (sql: SqlClient.SqlClient, kind: ImportKind) =>
  sql`
    SELECT pg_advisory_xact_lock_shared(hashtext('freehold import')),
      pg_advisory_xact_lock(hashtext('freehold import'), hashtext(${kind})), ${sql.literal(laterCommit)}`

/** Takes `commitLater` back. */
export const commitNow = (sql: SqlClient.SqlClient) => sql`SET LOCAL synchronous_commit TO DEFAULT`

/** A row and its place in the batch. */
export interface Placed<R> {
  readonly index: number
  readonly row: R
}

/** The outcome as it grows. Every row is counted once, or rejected. */
export class Tally {
  inserted = 0
  updated = 0
  unchanged = 0
  readonly rejected: Array<RejectedRow> = []

  reject(index: number, field: string | null, reason: string): void {
    this.rejected.push({ index, field, reason })
  }

  /** Counts `rows` loaded rows, of which `inserted` were new and `changed` were stored and differed. */
  count(rows: number, inserted: number, changed: number): void {
    this.inserted += inserted
    this.updated += changed
    this.unchanged += rows - inserted - changed
  }

  get outcome(): LoadOutcome {
    const { inserted, rejected, unchanged, updated } = this
    return { inserted, updated, unchanged, rejected }
  }
}

/**
 * Rounds in which no key stands twice, so that loading them one after the other is loading the rows one after the
 * other. A row that is `alone` has a round of its own, after all before it.
 */
export const rounds = <R>(
  rows: ReadonlyArray<Placed<R>>,
  keyOf: (row: R) => string,
  alone: (row: R) => boolean = () => false
): ReadonlyArray<ReadonlyArray<Placed<R>>> => {
  const all: Array<Array<Placed<R>>> = []
  let first = 0
  let seen = new Map<string, number>()
  for (const placed of rows) {
    if (alone(placed.row)) {
      all.push([placed])
      first = all.length
      seen = new Map()
      continue
    }
    const key = keyOf(placed.row)
    const earlier = seen.get(key) ?? 0
    seen.set(key, earlier + 1)
    const round = all[first + earlier]
    if (round === undefined) all.push([placed])
    else round.push(placed)
  }
  return all
}

export const place = <R>(rows: ReadonlyArray<R>): ReadonlyArray<Placed<R>> => rows.map((row, index) => ({ index, row }))

/** Ids by key of the properties that there are; a retired one stands for its survivor. */
export const propertyIds = Effect.fnUntraced(function*(keys: ReadonlySet<string>) {
  if (keys.size === 0) return new Map<string, string>()
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly key: string; readonly id: string }>`
    SELECT key, coalesce(retired_into, id)::text AS id FROM property WHERE key = ANY(${textArray(Array.from(keys))})`
  return new Map(rows.map(({ id, key }) => [key, id]))
})

/** Where a property is, and what it is known by. */
export interface Place {
  readonly id: string
  /** Null: it is retired. */
  readonly county: string | null
}

/** The places of survivors, by their ids. */
const placesOf = Effect.fnUntraced(function*(ids: ReadonlySet<string>) {
  if (ids.size === 0) return new Map<string, Place>()
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Place>`
    SELECT id::text AS id, CASE WHEN retired_into IS NULL THEN county_fips END AS county
    FROM property WHERE id = ANY(${textArray(Array.from(ids))}::uuid[])
    FOR KEY SHARE`
  return new Map(rows.map((row): readonly [string, Place] => [row.id, row]))
})

/**
 * As `propertyIds`, with their counties. They stay there to the end of the transaction: the lock is the one that a reference
 * to them takes anyway.
 */
export const propertyPlaces = Effect.fnUntraced(function*(keys: ReadonlySet<string>) {
  if (keys.size === 0) return new Map<string, Place>()
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<Place & { readonly key: string; readonly retiredInto: string | null }>`
    SELECT key, id::text AS id, county_fips AS county, retired_into::text AS "retiredInto"
    FROM property WHERE key = ANY(${textArray(Array.from(keys))})
    FOR KEY SHARE`
  // They are few: with them alone, the others need not be looked up by their ids as well.
  const survivors = yield* placesOf(new Set(found.flatMap(({ retiredInto }) => retiredInto ?? [])))
  return new Map(found.flatMap(({ county, id, key, retiredInto }): ReadonlyArray<readonly [string, Place]> => {
    const place = retiredInto === null ? { id, county } : survivors.get(retiredInto)
    return place === undefined ? [] : [[key, place]]
  }))
})

/** Runs statements whose rows bring the county that `propertyPlaces` told, so that no trigger looks for it row by row. */
export const placed = <A, E, R>(sql: SqlClient.SqlClient, effect: Effect.Effect<A, E, R>) => {
  const set = (value: "on" | "off") => sql`SELECT set_config('freehold.placed', ${value}, true)`
  return Effect.andThen(set("on"), Effect.tap(effect, () => set("off")))
}

interface Keyed {
  readonly key: string
  readonly id: string
  readonly idGiven: boolean
}

export interface StoredKey {
  readonly key: string
  readonly id: string
}

/**
 * Rows whose id fits: the key is new or stored with this id, and no other key has it. The others are rejected.
 * `stored` holds the records that have one of the rows' keys or ids.
 */
export const withFittingIds = <R extends Keyed>(
  rows: ReadonlyArray<Placed<R>>,
  stored: ReadonlyArray<StoredKey>,
  tally: Tally
): ReadonlyArray<Placed<R>> => {
  const byKey = new Map(stored.map(({ id, key }) => [key, id]))
  const owners = new Map(stored.map(({ id, key }) => [id, key]))
  return rows.filter(({ index, row }) => {
    const storedId = byKey.get(row.key)
    if (storedId !== undefined) {
      if (!row.idGiven || row.id === storedId) return true
      tally.reject(index, "id", `differs from the id ${storedId} that this key has`)
      return false
    }
    const owner = owners.get(row.id)
    if (owner !== undefined && owner !== row.key) {
      tally.reject(index, "id", `is already that of the key ${owner}`)
      return false
    }
    owners.set(row.id, row.key)
    return true
  })
}

/** The records of a table that have one of the rows' keys or ids. */
export const storedKeys = Effect.fnUntraced(function*(
  table: "firm" | "property_change",
  rows: ReadonlyArray<Placed<Keyed>>
) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<StoredKey>`
    SELECT key, id::text AS id FROM ${sql(table)}
    WHERE key = ANY(${textArray(rows.map(({ row }) => row.key))})
      OR id = ANY(${textArray(rows.map(({ row }) => row.id))}::uuid[])`
})

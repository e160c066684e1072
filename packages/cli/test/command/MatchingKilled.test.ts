/**
 * `freehold firm match` and `freehold property match`, killed in the middle: what the next run makes of it is what one makes that
 * nobody disturbed.
 */
import { assert, it } from "@effect/vitest"
import { administer, copyOf } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted, Schedule } from "effect"
import type { SqlClient } from "effect/sql"
import { once } from "node:events"
import { afterAll, beforeAll, describe, inject } from "vitest"
import { type Environment, runJson, start } from "../Freehold.ts"
import { type FreshDatabase, migratedDatabase } from "../FreshDatabase.ts"
import { ndjson } from "../Sample.ts"

/** Made up, in two counties of one state: owners that found firms over both, and spellings that only a known place makes sure. */
const owned = [
  ["1", "53901", "NONESUCH REALTY LLC"],
  ["2", "53902", "Nonesuch Rlty, L.L.C."],
  ["3", "53901", "CITY OF NONESUCH"],
  ["4", "53901", "NONESUCH CITY OF"],
  ["5", "53901", "CITY OF NONE SUCH"],
  ["6", "53902", "MADEUP LLC"],
  ["7", "53902", "MADEUP, L L C"],
  ["8", "53902", "MADE UP LLC"],
  ["9", "53902", "MADEUP HARBOR HOLDINGS LLC"],
  ["10", "53902", "MADEUP HARBRO HOLDINGS LLC"]
].map(([number, countyFips, recordOwner]) => ({ key: `assessor:${number}`, countyFips, recordOwner }))

const place = { zip: "98101", buildingSqft: 52_000, yearBuilt: 1987 }

const placed = ["53901", "53902"].flatMap((countyFips) => [
  { ...place, key: `lots:${countyFips}`, countyFips, address: "1110 3RD AVE", apn: `SAMPLE-${countyFips}` },
  { ...place, key: `energy:${countyFips}`, countyFips, address: "1110 Third Avenue" }
])

interface Stop {
  /** What the matching writes to when it is stopped. */
  readonly table: string
  /** What it had begun to write is kept all the same: the database had it already. */
  readonly kept: boolean
}

describe("matching that is killed", () => {
  let seeded: FreshDatabase
  const environmentOf = (url: string): Environment => ({
    DATABASE_URL: url,
    FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64")
  })

  beforeAll(async () => {
    seeded = await migratedDatabase()
    const env = environmentOf(seeded.url)
    await runJson(["import", "properties", "-"], env, ndjson([...owned, ...placed]))
    await runJson(
      ["import", "firms", "-"],
      env,
      ndjson([{
        key: "harbor",
        name: "Madeup Harbor Holdings, LLC",
        properties: [{ propertyKey: "assessor:9", role: "owner" }]
      }])
    )
  })

  afterAll(() => seeded.drop())

  const copied = Effect.suspend(() =>
    copyOf(Redacted.make(inject("postgres").url), new URL(seeded.url).pathname.slice(1))
  )

  const run = (args: ReadonlyArray<string>, url: Redacted.Redacted) =>
    Effect.promise(() => runJson(args, environmentOf(Redacted.value(url))))

  /** Starts the command, kills it when it waits to write to the table, and lets the database go on. */
  const killed = (args: ReadonlyArray<string>, { kept, table }: Stop, url: Redacted.Redacted) =>
    administer(url, (sql) =>
      Effect.gen(function*() {
        const waiting = sql<{ readonly pid: number }>`
          SELECT pid FROM pg_locks JOIN pg_database d ON d.oid = database
          WHERE NOT granted AND relation = ${table}::regclass AND d.datname = current_database()`
        const pid = yield* sql.withTransaction(Effect.gen(function*() {
          yield* sql`LOCK TABLE ${sql(table)} IN SHARE MODE`
          const child = start(args, environmentOf(Redacted.value(url)))
          const found = yield* Effect.repeat(waiting, {
            until: (rows) => rows.length > 0 || child.exitCode !== null,
            schedule: Schedule.spaced("10 millis")
          })
          assert.lengthOf(found, 1, `${args.join(" ")} never wrote to ${table}`)
          yield* Effect.promise(async () => {
            const gone = once(child, "exit")
            child.kill("SIGKILL")
            await gone
          })
          const [{ pid = 0 } = {}] = found
          if (!kept) yield* sql`SELECT pg_terminate_backend(${pid})`
          return pid
        }))
        yield* Effect.repeat(sql`SELECT FROM pg_stat_activity WHERE pid = ${pid}`, {
          until: (rows) => rows.length === 0,
          schedule: Schedule.spaced("10 millis")
        })
      }))

  const matching = (
    args: ReadonlyArray<string>,
    stops: ReadonlyArray<Stop>,
    outcome: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<object>, unknown>
  ) =>
    Effect.gen(function*() {
      const undisturbed = yield* copied
      yield* run(args, undisturbed)
      const expected = yield* administer(undisturbed, outcome)
      assert.isNotEmpty(expected)
      yield* Effect.forEach(
        stops,
        (stop) =>
          Effect.gen(function*() {
            const url = yield* copied
            yield* killed(args, stop, url)
            yield* run(args, url)
            assert.deepStrictEqual(yield* administer(url, outcome), expected, JSON.stringify(stop))
          }),
        { concurrency: 2 }
      )
    }).pipe(Effect.scoped)

  it.live("goes on with owners to the same matches and ties, wherever it was", () =>
    matching(
      ["firm", "match"],
      [
        { table: "firm_form", kept: false },
        { table: "owner", kept: true },
        { table: "owner_match", kept: false },
        { table: "firm", kept: false },
        { table: "firm", kept: true },
        { table: "property_firm", kept: false },
        { table: "property_firm", kept: true },
        { table: "matched_county", kept: false }
      ],
      (sql) =>
        sql<object>`
          SELECT o.name AS owner, f.key AS firm, m.state, m.confidence, m.evidence, (
            SELECT array_agg(p.key ORDER BY p.key) FROM owner_tie t JOIN property p ON p.id = t.property_id
            JOIN property_firm pf ON pf.property_id = t.property_id AND pf.firm_id = t.firm_id AND pf.role = 'owner'
            WHERE t.owner_id = o.owner_id AND t.firm_id = f.id
          ) AS properties
          FROM owner_match m JOIN owner o USING (owner_id) JOIN firm f ON f.id = m.firm_id ORDER BY 1, 2`
    ))

  it.live("goes on with records to the same pairs, wherever it was", () =>
    matching(
      ["property", "match"],
      [
        { table: "place_match", kept: false },
        { table: "place_match", kept: true },
        { table: "matched_county", kept: false },
        { table: "matched_county", kept: true }
      ],
      (sql) =>
        sql<object>`
          SELECT a.key AS one, b.key AS other, m.state, m.confidence, m.evidence
          FROM place_match m JOIN property a ON a.id = m.one_id JOIN property b ON b.id = m.other_id ORDER BY 1, 2`
    ))
})

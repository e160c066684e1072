/**
 * Reads from a standby that streams from a primary: they see what was committed before they began, whether the standby
 * follows, lags, is gone or was made a primary.
 */
import { assert, it } from "@effect/vitest"
import { Duration, Effect, Metric, Option, Redacted, type Scope } from "effect"
import { chmodSync, mkdtempSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import * as Database from "../../src/database/Database.ts"
import { inTwo } from "../../src/database/InTwo.ts"
import * as ReplicaHosts from "../../src/database/ReplicaHosts.ts"
import * as Replicas from "../../src/database/Replicas.ts"
import * as StandbyServer from "../../src/testing/StandbyServer.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const pair: Effect.Effect<
  { readonly url: Redacted.Redacted; readonly standby: StandbyServer.StandbyServer },
  never,
  Scope.Scope
> = Effect.gen(function*() {
  const folder = mkdtempSync(join(inject("postgres").folder, "pair-"))
  chmodSync(folder, 0o711)
  const primary = join(folder, "primary")
  const url = yield* StandbyServer.primary(primary)
  yield* TestDatabase.administer(url, (sql) => sql`CREATE TABLE written (n integer)`).pipe(Effect.orDie)
  return { url, standby: yield* StandbyServer.start({ folder: primary, url }, join(folder, "standby")) }
})

const hostsOf = (address: string) => Option.getOrThrow(ReplicaHosts.parse(address))

/** So that a standby which follows is waited for, however busy the machine is. */
const patient: Replicas.Bounds = { maxLag: Duration.minutes(2), patience: Duration.minutes(2) }

/** So that one which does not is soon passed over. */
const impatient: Replicas.Bounds = { maxLag: Duration.millis(500), patience: Duration.millis(200) }

const served = (url: Redacted.Redacted, replicas: string, replicaBounds: Replicas.Bounds) =>
  Database.layerServing({ url, replicas: Option.some(hostsOf(replicas)), replicaBounds })

interface Seen {
  readonly standby: boolean
  readonly most: number | null
}

/** Writes a number, and reads at once what is there and where. */
const writeAndRead = Effect.fnUntraced(function*(n: number) {
  const sql = yield* Database.Reads
  const { rows } = yield* Database.Replica
  yield* sql`INSERT INTO written VALUES (${n})`
  const [seen] = yield* rows<Seen>(sql`SELECT pg_is_in_recovery() AS standby, max(n) AS most FROM written`)
  return seen
})

/** The only replica's trouble, once it is as wanted. */
const troubled = (wanted: (trouble: string | null) => boolean) =>
  Effect.flatMap(Database.Replica, ({ standing }) =>
    Effect.repeat(Effect.delay(standing, "10 millis"), {
      until: ([standby]) => standby !== undefined && wanted(standby.trouble)
    }))

it.live("a read sees what was committed before it, from whichever server can show it (P6)", () =>
  Effect.scoped(Effect.gen(function*() {
    const { standby, url } = yield* pair
    const address = Redacted.value(standby.url)
    yield* Effect.gen(function*() {
      // Other work keeps the log busy meanwhile.
      for (let n = 1; n <= 50; n++) assert.strictEqual((yield* writeAndRead(n))?.most, n)
      const replica = yield* Database.Replica
      yield* Effect.repeat(replica.read((sql) => sql<Seen>`SELECT pg_is_in_recovery() AS standby`), {
        until: ([row]) => row?.standby === true
      })

      // It lags: at first it is waited for in vain, then it is passed over.
      yield* standby.pause
      assert.deepStrictEqual(yield* writeAndRead(100), { standby: false, most: 100 })
      yield* troubled((trouble) => trouble === "it lags more than 500ms")
      assert.deepStrictEqual(yield* writeAndRead(101), { standby: false, most: 101 })
      const lag = yield* Metric.value(
        Metric.withAttributes(Replicas.metrics.lagSeconds, { replica: new URL(address).host })
      )
      assert.isAtLeast(Number(lag.value), 0.5)

      yield* standby.resume
      yield* troubled((trouble) => trouble === null)
      for (let n = 102, isFollowing = false; !isFollowing; n++) {
        const seen = yield* writeAndRead(n)
        assert.strictEqual(seen?.most, n)
        isFollowing = seen?.standby === true
      }
    }).pipe(Effect.provide(served(url, address, impatient)))

    // A host that is away is passed over, and a database of another name is never read.
    const { host, pathname } = new URL(address)
    yield* Effect.gen(function*() {
      for (let n = 10_000; n < 10_006; n++) assert.deepStrictEqual(yield* writeAndRead(n), { standby: true, most: n })
      // A standby shares a snapshot as the primary does.
      const inHalves = yield* (yield* Database.Replica).read((sql) => {
        const half = sql<Seen>`SELECT pg_is_in_recovery() AS standby, max(n) AS most FROM written`
        return inTwo(sql, [half, half], (halves) => Effect.succeed(halves.flat()))
      })
      assert.deepStrictEqual(inHalves, Array.from({ length: 2 }, () => ({ standby: true, most: 10_005 })))
    }).pipe(
      Effect.provide(
        served(url, address.replace(host, `127.0.0.1:1,${host}`) + "?target_session_attrs=standby", patient)
      )
    )
    yield* Effect.gen(function*() {
      assert.deepStrictEqual(yield* writeAndRead(20_000), { standby: false, most: 20_000 })
      yield* troubled((trouble) => trouble === "its address names another database")
    }).pipe(Effect.provide(served(url, address.replace(pathname, "/template1"), patient)))

    // One that was made a primary goes its own way.
    yield* Effect.gen(function*() {
      assert.deepStrictEqual(yield* writeAndRead(30_000), { standby: true, most: 30_000 })
      yield* standby.promote
      assert.deepStrictEqual(yield* writeAndRead(30_001), { standby: false, most: 30_001 })
      yield* troubled((trouble) => trouble === "it is no standby")
    }).pipe(Effect.provide(served(url, address, patient)))
  })))

it.live("a replica that ends in the middle of a read is replaced by the primary, which finishes it (P6)", () =>
  Effect.scoped(Effect.gen(function*() {
    const { standby, url } = yield* pair
    yield* Effect.gen(function*() {
      const { read } = yield* Database.Replica
      let asked = 0
      const [row] = yield* read((sql) =>
        Effect.gen(function*() {
          if (asked++ === 0) yield* standby.kill
          return yield* sql<
            Seen
          >`SELECT pg_is_in_recovery() AS standby, pg_sleep(CASE WHEN pg_is_in_recovery() THEN 60 ELSE 0 END)`
        })
      )
      assert.strictEqual(row?.standby, false)
      assert.strictEqual(asked, 2)
      yield* troubled((trouble) => trouble?.startsWith("it does not answer") === true)
    }).pipe(Effect.provide(served(url, Redacted.value(standby.url), patient)))
  })))

it.live("a read that would write too much beside its memory is asked of no other server, and the replica is read on", () =>
  Effect.scoped(Effect.gen(function*() {
    const { standby, url } = yield* pair
    yield* TestDatabase.administer(url, (sql) => sql`ALTER ROLE freehold SET temp_file_limit = '1MB'`)
    yield* Effect.gen(function*() {
      // The role has it there as well now.
      assert.deepStrictEqual(yield* writeAndRead(1), { standby: true, most: 1 })
      const { read, standing } = yield* Database.Replica
      let asked = 0
      const ended = yield* Effect.flip(read((sql) => {
        asked++
        return sql`
          WITH written AS MATERIALIZED (SELECT repeat('x', 1000000) FROM generate_series(1, 30))
          SELECT count(*) FROM written`
      }))
      assert.strictEqual(Database.failureOf(ended).code, "53400")
      assert.strictEqual(asked, 1)
      assert.deepInclude((yield* standing)[0], { trouble: null })
    }).pipe(Effect.provide(served(url, Redacted.value(standby.url), patient)))
  })))

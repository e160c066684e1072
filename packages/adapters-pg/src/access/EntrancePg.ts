/**
 * `Entrance` over PostgreSQL: addresses and key are counted by one statement, pipelined with those of other requests.
 *
 * Requests that are counted together all have room in the minutes and in the day, or nothing is counted: then each is asked for by
 * itself, and only then somebody is refused.
 */
import { Entrance, type Outcome } from "@freehold/core/access/Entrance"
import type { Authorization, OrganizationMoved } from "@freehold/core/access/KeyRing"
import * as Span from "@freehold/core/operation/Span"
import { addressKey } from "@freehold/core/rate/AddressLimiter"
import type { RateLimited } from "@freehold/core/rate/RateRefusals"
import type { Counted } from "@freehold/core/rate/RateWindow"
import { Effect, Exit, Layer, Option } from "effect"
import type { SqlError } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { AddressWindows, counting, type Row as Window } from "../rate/AddressWindows.ts"
import * as AuthorizedKey from "./AuthorizedKey.ts"

/** Without a key where there is none of the hash, or nobody is let in. */
type Key = AuthorizedKey.Row | { readonly key_id: null }

type Row = Window & Key

/** Those addresses of which not all requests had room, of which none was counted. */
type RowOfSeveral = { readonly refused: ReadonlyArray<string> } & Key

const keyOf = (row: Key): AuthorizedKey.Row | undefined => row.key_id === null ? undefined : row

/** The counter as it was when so many that were counted with it were still to come. */
const before = (counted: Counted, later: number): Counted => ({ ...counted, used: counted.used - later })

/** What each of so many requests comes to that were counted together. */
const spread = ({ day, minute, ...rest }: Authorization, requests: number): ReadonlyArray<Authorization> =>
  Array.from({ length: requests }, (_, at) => {
    const later = requests - 1 - at
    return { ...rest, minute: before(minute, later), day: day === null ? null : before(day, later) }
  })

const isAdmitted = ({ day, minute }: Authorization): boolean => minute.admitted && (day === null || day.admitted)

export const layer: Layer.Layer<never, never, Database.Admission> = Layer.effect(
  Entrance,
  Effect.gen(function*() {
    const sql = yield* Database.Admission
    const windows = yield* AddressWindows
    const keys = AuthorizedKey.make(sql)

    // Whom the address refuses, nothing of the key is counted or told.
    const one = sql.prepared<Row>(`
      SELECT a.admitted, a.started_at, k.*
      FROM ${counting("$1", "$2")} AS a
      LEFT JOIN LATERAL ${
      AuthorizedKey.authorizing("CASE WHEN a.admitted THEN decode($3::text, 'hex') END", "$2", "$4")
    } AS k
        ON true`)
    const several = sql.prepared<RowOfSeveral>(`
      SELECT a.refused, k.*
      FROM (
        SELECT coalesce(sum(g.requests) FILTER (WHERE c.admitted), 0) AS let_in,
          coalesce(array_agg(g.key) FILTER (WHERE NOT c.admitted), '{}') AS refused
        FROM unnest($1::text[], $5::integer[]) AS g(key, requests)
        CROSS JOIN LATERAL ${counting("g.key", "$2", "g.requests")} AS c
      ) AS a
      LEFT JOIN LATERAL ${
      AuthorizedKey.authorizing("CASE WHEN a.let_in > 0 THEN decode($3::text, 'hex') END", "$2", "$4", "a.let_in")
    } AS k ON true`)
    /** A request of the address whose `addressKey` is given, and of the key. */
    const admit = (key: string, secretHash: string, now: number): Effect.Effect<Outcome> => {
      const refused = windows.known(key, now)
      if (refused !== undefined) return Effect.succeed(Exit.fail(refused))
      const read = ([row]: ReadonlyArray<Row>): Effect.Effect<
        Option.Option<Authorization>,
        RateLimited | OrganizationMoved | SqlError.SqlError
      > => {
        if (row === undefined) return Effect.die(new Error("an address has a window"))
        const exceeded = windows.counted(row, key, now)
        return exceeded === undefined ? keys.read(keyOf(row), secretHash, now) : Effect.fail(exceeded)
      }
      return one([key, now, secretHash, keys.revision(secretHash)]).pipe(
        Effect.flatMap(read),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("TEMPORARILY_UNAVAILABLE", (away) => Effect.andThen(windows.alone(key), Effect.fail(away))),
        Effect.exit
      )
    }

    /** What so many requests come to that have room with their addresses. */
    const keyed = (
      row: RowOfSeveral,
      requests: number,
      secretHash: string,
      now: number
    ): Effect.Effect<ReadonlyArray<Outcome>, SqlError.SqlError> => {
      const each = (outcome: Outcome) => Array.from({ length: requests }, () => outcome)
      return keys.read(keyOf(row), secretHash, now).pipe(
        Effect.flatMap((found): Effect.Effect<ReadonlyArray<Outcome>> => {
          if (Option.isNone(found)) return Effect.succeed(each(Exit.succeed(found)))
          return requests === 1 || isAdmitted(found.value)
            ? Effect.succeed(spread(found.value, requests).map((one) => Exit.succeed(Option.some(one))))
            : Effect.forEach(each(Exit.succeed(found)), () => Effect.exit(keys.authorize(secretHash, now)))
        }),
        Effect.catchTag("OrganizationMoved", (moved) => Effect.succeed(each(Exit.fail(moved))))
      )
    }

    /** As `admit`, several of them. */
    const admitSeveral = Effect.fnUntraced(function*(
      addresses: ReadonlyArray<string>,
      secretHash: string,
      now: number
    ) {
      const counts = new Map<string, number>()
      for (const key of addresses) {
        if (windows.known(key, now) === undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
      }
      // All take the rows of addresses in one order, so that no two of them wait for each other.
      const asked = [...counts.keys()].sort()
      const [row] = yield* several([
        asked,
        now,
        secretHash,
        keys.revision(secretHash),
        asked.map((key) => counts.get(key))
      ])
      if (row === undefined) return yield* Effect.die(new Error("addresses have windows"))
      const isLetIn = (key: string) => counts.has(key) && !row.refused.includes(key)
      const letIn = addresses.filter(isLetIn).length
      const outcomes = letIn === 0 ? [] : yield* keyed(row, letIn, secretHash, now)
      let next = 0
      return yield* Effect.forEach(addresses, (key) => {
        if (!isLetIn(key)) return admit(key, secretHash, now)
        const outcome = outcomes[next++]
        return outcome === undefined ? Effect.die(new Error("a request comes to something")) : Effect.succeed(outcome)
      })
    })

    const inTurn = (addresses: ReadonlyArray<string>, secretHash: string, now: number) =>
      Effect.forEach(addresses, (key) => admit(key, secretHash, now))

    return Option.some({
      admit: (addresses, secretHash, now) => {
        const [first, ...others] = addresses.map(addressKey)
        if (first === undefined) return Effect.succeed([])
        const admitted = others.length === 0
          ? Effect.map(admit(first, secretHash, now), (outcome) => [outcome])
          : Effect.catch(
            admitSeveral([first, ...others], secretHash, now),
            () => inTurn([first, ...others], secretHash, now)
          )
        return Span.named("Entrance.admit")(admitted)
      }
    })
  })
).pipe(Layer.provide(AddressWindows.layer))

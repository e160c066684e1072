/** `Entrance` over PostgreSQL: address and key are counted by one statement, pipelined with those of other requests. */
import { Entrance } from "@freehold/core/access/Entrance"
import type { Authorization, OrganizationMoved } from "@freehold/core/access/KeyRing"
import * as Span from "@freehold/core/operation/Span"
import { addressKey } from "@freehold/core/rate/AddressLimiter"
import type { RateLimited } from "@freehold/core/rate/RateRefusals"
import { Effect, Layer, Option } from "effect"
import type { SqlError } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { AddressWindows, counting, type Row as Window } from "../rate/AddressWindows.ts"
import * as AuthorizedKey from "./AuthorizedKey.ts"

/** Without a key where there is none of the hash, or the address is refused. */
type Row = Window & (AuthorizedKey.Row | { readonly key_id: null })

export const layer: Layer.Layer<never, never, Database.Admission> = Layer.effect(
  Entrance,
  Effect.gen(function*() {
    const sql = yield* Database.Admission
    const windows = yield* AddressWindows
    const keys = AuthorizedKey.make(sql)
    // Whom the address refuses, nothing of the key is counted or told.
    const hash = "CASE WHEN a.admitted THEN decode($3::text, 'hex') END"
    const statement = sql.prepared<Row>(`
      SELECT a.admitted, a.started_at, k.*
      FROM ${counting("$1", "$2")} AS a LEFT JOIN LATERAL ${AuthorizedKey.authorizing(hash, "$2", "$4")} AS k ON true`)

    return Option.some({
      admit: (address, secretHash, now) => {
        const key = addressKey(address)
        const refused = windows.known(key, now)
        if (refused !== undefined) return Effect.fail(refused)
        const read = ([row]: ReadonlyArray<Row>): Effect.Effect<
          Option.Option<Authorization>,
          RateLimited | OrganizationMoved | SqlError.SqlError
        > => {
          if (row === undefined) return Effect.die(new Error("an address has a window"))
          const exceeded = windows.counted(row, key, now)
          return exceeded === undefined
            ? keys.read(row.key_id === null ? undefined : row, secretHash, now)
            : Effect.fail(exceeded)
        }
        return statement([key, now, secretHash, keys.revision(secretHash)]).pipe(
          Effect.flatMap(read),
          Effect.catchTag("SqlError", unavailable),
          Effect.catchTag("TEMPORARILY_UNAVAILABLE", (away) => Effect.andThen(windows.alone(key), Effect.fail(away))),
          Span.named("Entrance.admit")
        )
      }
    })
  })
).pipe(Layer.provide(AddressWindows.layer))

/** `Entrance` over PostgreSQL: address and key are counted by one statement, pipelined with those of other requests. */
import { Entrance } from "@freehold/core/access/Entrance"
import * as Span from "@freehold/core/operation/Span"
import { addressKey } from "@freehold/core/rate/AddressLimiter"
import { Effect, Layer, Option } from "effect"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { AddressWindows, type Row as Window } from "../rate/AddressWindows.ts"
import * as AuthorizedKey from "./AuthorizedKey.ts"

/** Without a key where there is none of the hash, or the address is refused. */
type Row = Window & (AuthorizedKey.Row | { readonly key_id: null })

export const layer: Layer.Layer<never, never, Database.Admission> = Layer.effect(
  Entrance,
  Effect.gen(function*() {
    const sql = yield* Database.Admission
    const windows = yield* AddressWindows
    const keys = AuthorizedKey.make(sql)

    return Option.some({
      admit: Effect.fnUntraced(
        function*(address, secretHash, now) {
          const counted = addressKey(address)
          yield* windows.known(counted, now)
          // Whom the address refuses, nothing of the key is counted or told.
          const hash = sql`CASE WHEN a.admitted THEN decode(${secretHash}::text, 'hex') END`
          const [row] = yield* sql<Row>`
            SELECT a.admitted, a.started_at, k.*
            FROM ${windows.call(counted, now)} AS a LEFT JOIN LATERAL ${keys.call(hash, secretHash, now)} AS k ON true`
          if (row === undefined) return yield* Effect.die(new Error("an address has a window"))
          yield* windows.counted(row, counted, now)
          return yield* keys.read(row.key_id === null ? undefined : row, secretHash, now)
        },
        Effect.catchTag("SqlError", unavailable),
        (admitted, address) =>
          Effect.catchTag(
            admitted,
            "TEMPORARILY_UNAVAILABLE",
            (away) => Effect.andThen(windows.alone(addressKey(address)), Effect.fail(away))
          ),
        Span.named("Entrance.admit")
      )
    })
  })
).pipe(Layer.provide(AddressWindows.layer))

/**
 * `AddressLimiter` over PostgreSQL: exact over all processes of one database (`AddressWindows`). Where counting takes too long,
 * nobody is let in, since it may have been counted or not.
 */
import * as Span from "@freehold/core/operation/Span"
import * as TimeLimit from "@freehold/core/operation/TimeLimit"
import { addressKey, AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import { RateLimitUnavailable } from "@freehold/core/rate/RateRefusals"
import { Array, Clock, Effect, Layer, Option } from "effect"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { AddressWindows, counting, type Row } from "./AddressWindows.ts"

/** Milliseconds within which a request must have been counted. */
const patience = 2000

const retryAfterSeconds = 1

const tooLong = Effect.suspend(() => Effect.fail(new RateLimitUnavailable({ retryAfterSeconds })))

export const layer: Layer.Layer<AddressLimiter, never, Database.Admission> = Layer.effect(
  AddressLimiter,
  Effect.gen(function*() {
    const sql = yield* Database.Admission
    const windows = yield* AddressWindows

    const statement = sql.prepared<Row>(`SELECT * FROM ${counting("$1", "$2")}`)

    /** None: the database is away. */
    const count = (key: string, now: number) =>
      TimeLimit.within(
        statement([key, now]).pipe(
          Effect.catchTag("SqlError", unavailable),
          Effect.map(Array.head),
          Effect.catchTag("TEMPORARILY_UNAVAILABLE", () => Effect.succeedNone)
        ),
        { millis: patience, late: () => tooLong }
      )

    return AddressLimiter.of({
      admit: Effect.fnUntraced(function*(address) {
        const now = yield* Clock.currentTimeMillis
        const key = addressKey(address)
        const refused = windows.known(key, now)
        if (refused !== undefined) return yield* refused
        const row = yield* count(key, now)
        if (Option.isNone(row)) return yield* windows.alone(key)
        const exceeded = windows.counted(row.value, key, now)
        if (exceeded !== undefined) return yield* exceeded
      }, Span.named("AddressLimiter.admit"))
    })
  })
).pipe(Layer.provide(AddressWindows.layer))

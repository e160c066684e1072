/** `FinderCache` over PostgreSQL. What is too old is removed by `Retention`. */
import { FinderCache } from "@freehold/core/research/FinderCache"
import { Duration, Effect, Layer, Option, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"

/** `FinderCache` over PostgreSQL. */
export const layer: Layer.Layer<FinderCache, never, SqlClient.SqlClient> = Layer.effect(
  FinderCache,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return FinderCache.of({
      read: Effect.fn("FinderCache.read")(function*(name) {
        const [row] = yield* sql<{ readonly body: Schema.Json }>`
          SELECT body FROM finder_cache WHERE name = ${name} AND expires_at > now()`
        return Option.map(Option.fromUndefinedOr(row), ({ body }) => body)
      }, Effect.catchTag("SqlError", unavailable)),

      write: Effect.fn("FinderCache.write")(function*(name, value, keptFor) {
        yield* sql`
          INSERT INTO finder_cache (name, body, expires_at)
          VALUES (${name}, ${JSON.stringify(value)}::json,
            now() + ${Duration.toMillis(keptFor)}::double precision * interval '1 millisecond')
          ON CONFLICT (name) DO UPDATE SET body = excluded.body, expires_at = excluded.expires_at`
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)

/** `PageViews` over PostgreSQL: one call of `page_view_open`, which keeps concurrent openings of a member in line. */
import { PageViews, type ViewOutcome } from "@freehold/core/viewing/PageViews"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { writing } from "../database/Transaction.ts"

export const layer: Layer.Layer<PageViews, never, SqlClient.SqlClient> = Layer.effect(
  PageViews,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return PageViews.of({
      open: Effect.fn("PageViews.open")(
        function*({ memberId, now, orgId, pauseMillis, propertyId, windows }) {
          const [row] = yield* writing(sql<{ readonly paused_until: Date | null; readonly began: boolean }>`
            SELECT * FROM page_view_open(
              ${orgId}::text, ${memberId}::uuid, ${propertyId}::uuid, ${windows.map(({ millis }) => millis)}::bigint[],
              ${windows.map(({ most }) => most)}::integer[], ${pauseMillis}::bigint, ${now}::bigint
            )`)
          if (row === undefined) return yield* Effect.die("page_view_open answers whether the page is open")
          const { began, paused_until: until } = row
          const outcome: ViewOutcome = until === null
            ? { _tag: "Opened" }
            : { _tag: "Paused", until: until.getTime(), began }
          return outcome
        },
        Effect.catchTag("SqlError", unavailable)
      )
    })
  })
)

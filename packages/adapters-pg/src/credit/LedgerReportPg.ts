/** `LedgerReport` over PostgreSQL: each method is one statement that reads. */
import { EntryActor } from "@freehold/core/access/EntryActor"
import { Bucket } from "@freehold/core/credit/Bucket"
import { inBurnDownOrder } from "@freehold/core/credit/BurnDown"
import { LedgerEntry } from "@freehold/core/credit/LedgerEntry"
import { LedgerReport, type Spending } from "@freehold/core/credit/LedgerReport"
import { Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"

/** A sum of charges: of a day and an action, or else of whoever was charged. */
const SummedCharges = Schema.Struct({
  day: Schema.NullOr(Schema.String),
  action: Schema.NullOr(Schema.String),
  kind: Schema.NullOr(EntryActor.fields.kind),
  id: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  credits: Schema.Int,
  charges: Schema.Int
})

const Grant = Schema.Struct({
  ref: Schema.String,
  bucket: Bucket,
  remaining: Schema.Int,
  expiresAt: Schema.NullOr(Schema.Int)
})

const spendingOf = (sums: ReadonlyArray<typeof SummedCharges.Type>): Spending => ({
  days: sums.flatMap(({ action, charges, credits, day }) =>
    day === null || action === null ? [] : [{ day, action, credits, charges }]
  ),
  actors: sums.flatMap(({ charges, credits, id, kind, name }) =>
    kind === null ? [] : [{ kind, id, name, credits, charges }]
  )
})

export const layer: Layer.Layer<LedgerReport, never, Database.Reads> = Layer.effect(
  LedgerReport,
  Effect.gen(function*() {
    const reads = yield* Database.Reads

    const latest = SqlSchema.findAll({
      Request: Schema.Struct({
        orgId: Schema.String,
        before: Schema.NullOr(Schema.Int),
        limit: Schema.Int,
        kind: Schema.NullOr(Schema.String),
        action: Schema.NullOr(Schema.String),
        actorId: Schema.NullOr(Schema.String),
        since: Schema.NullOr(Schema.Number),
        until: Schema.NullOr(Schema.Number)
      }),
      Result: Schema.Struct({ entry: LedgerEntry }),
      execute: ({ action, actorId, before, kind, limit, orgId, since, until }) =>
        reads`
          SELECT credit_entry_json(e) - 'allocations' AS entry FROM credit_entry e
          WHERE e.org_id = ${orgId} AND (${before}::integer IS NULL OR e.entry < ${before}::integer)
            AND (${kind}::text IS NULL OR e.kind = ${kind}::text)
            AND (${action}::text IS NULL OR e.action = ${action}::text)
            AND (${actorId}::text IS NULL OR e.actor ->> 'id' = ${actorId}::text)
            AND (${since}::bigint IS NULL OR e.at >= from_millis(${since}::bigint))
            AND (${until}::bigint IS NULL OR e.at < from_millis(${until}::bigint))
          ORDER BY e.entry DESC LIMIT ${limit}`
    })

    const grants = SqlSchema.findAll({
      Request: Schema.Struct({ orgId: Schema.String, now: Schema.Number }),
      Result: Grant,
      execute: ({ now, orgId }) =>
        reads`
          SELECT ref, bucket, remaining, (extract(epoch FROM expires_at) * 1000)::double precision AS "expiresAt"
          FROM credit_grant
          WHERE org_id = ${orgId} AND remaining > 0
            AND (expires_at IS NULL OR expires_at > from_millis(${now}::bigint))
          ORDER BY entry`
    })

    const spending = SqlSchema.findAll({
      Request: Schema.Struct({ orgId: Schema.String, since: Schema.Number, until: Schema.Number }),
      Result: SummedCharges,
      execute: ({ orgId, since, until }) =>
        reads`
          WITH charge AS (
            SELECT to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, coalesce(e.action, '') COLLATE "C" AS action,
              e.actor ->> 'kind' AS kind, e.actor ->> 'id' AS id, e.actor ->> 'name' AS name, -e.credits AS credits, e.entry
            FROM credit_entry e
            WHERE e.org_id = ${orgId} AND e.kind = 'charge'
              AND e.at >= from_millis(${since}::bigint) AND e.at < from_millis(${until}::bigint)
              AND NOT EXISTS (SELECT FROM credit_entry r WHERE r.org_id = e.org_id AND r.refund_of = e.entry)
          )
          SELECT day, action, kind, id, (array_agg(name ORDER BY entry DESC))[1] AS name,
            sum(credits)::double precision AS credits, count(*)::integer AS charges
          FROM charge
          GROUP BY GROUPING SETS ((day, action), (kind, id))
          ORDER BY day, action, 6 DESC, id`
    })

    return LedgerReport.of({
      latest: Effect.fn("LedgerReport.latest")(
        function*(orgId, page) {
          const rows = yield* latest({ orgId, ...page })
          return rows.map(({ entry }) => entry)
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      grants: Effect.fn("LedgerReport.grants")(
        (orgId, now) => Effect.map(grants({ orgId, now }), inBurnDownOrder),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      spending: Effect.fn("LedgerReport.spending")(
        (orgId, span) => Effect.map(spending({ orgId, ...span }), spendingOf),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      )
    })
  })
)

/** `Pipeline` over PostgreSQL: a qualification is one call of `lead_qualify`. */
import { type Lead, type LeadRow, Pipeline, type PipelineActor } from "@freehold/core/pipeline/Pipeline"
import type { Stage } from "@freehold/core/pipeline/Stage"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "./internal/Availability.ts"

interface StoredLead {
  readonly status: Stage
  readonly deal_value: number | null
  readonly qualified_at: Date
  readonly qualified_by: PipelineActor
  readonly status_changed_at: Date
  readonly version: number
}

interface ListedLead extends StoredLead {
  readonly total: number
  /** null: the page lies behind the last lead. */
  readonly property_id: string | null
  readonly key: string
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
}

const toLead = (propertyId: string, row: StoredLead): Lead => ({
  propertyId,
  status: row.status,
  dealValue: row.deal_value,
  qualifiedAt: row.qualified_at.toISOString(),
  qualifiedBy: row.qualified_by,
  statusChangedAt: row.status_changed_at.toISOString(),
  version: row.version
})

export const layer: Layer.Layer<Pipeline, never, SqlClient.SqlClient> = Layer.effect(
  Pipeline,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    return Pipeline.of({
      qualify: Effect.fn("Pipeline.qualify")(function*({ actor, dealValue, eventId, now, orgId, partial, propertyId }) {
        const [row] = yield* sql<StoredLead & { readonly first_time: boolean }>`
          SELECT * FROM lead_qualify(
            ${orgId}::text, ${propertyId}::uuid, ${dealValue}::double precision, ${JSON.stringify(actor)}::jsonb,
            ${actor.kind === "agent"}, ${eventId}::uuid, ${partial}, to_timestamp(${now}::double precision / 1000)
          )`
        if (row === undefined) return yield* Effect.die("lead_qualify answers the lead that it made or found")
        return {
          lead: toLead(propertyId, row),
          eventId: row.first_time ? eventId : null,
          firstTime: row.first_time
        }
      }, Effect.catchTag("SqlError", unavailable)),

      list: Effect.fn("Pipeline.list")(function*(orgId, { limit, offset }) {
        const rows = yield* sql<ListedLead>`
          SELECT counted.total, l.*
          FROM (SELECT count(*)::integer AS total FROM lead WHERE org_id = ${orgId}) counted
          LEFT JOIN LATERAL (
            SELECT l.property_id, l.status, l.deal_value, l.qualified_at, l.qualified_by, l.status_changed_at, l.version,
              p.key, p.address, p.city, p.state
            FROM lead l JOIN property p ON p.id = l.property_id
            WHERE l.org_id = ${orgId}
            ORDER BY l.status_changed_at DESC, l.property_id
            LIMIT ${limit} OFFSET ${offset}
          ) l ON true`
        const leads = rows.flatMap((row): ReadonlyArray<LeadRow> =>
          row.property_id === null ? [] : [{
            ...toLead(row.property_id, row),
            propertyKey: row.key,
            address: row.address,
            city: row.city,
            state: row.state
          }]
        )
        return { leads, total: rows[0]?.total ?? 0 }
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)

/** `Board` over PostgreSQL: one statement, a row a stage. */
import { Board, type Card, type Column } from "@freehold/core/pipeline/Board"
import { Effect, Layer } from "effect"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { leadJson } from "../lead/LeadRowPg.ts"
import { isoTime } from "../property/PropertyRowPg.ts"

interface CardRow {
  readonly lead: Omit<Card, "propertyKey" | "address" | "city" | "state" | "nextTask">
  readonly place: Pick<Card, "propertyKey" | "address" | "city" | "state" | "nextTask">
}

interface ColumnRow extends Omit<Column, "cards"> {
  readonly cards: ReadonlyArray<CardRow>
}

const nextTask = `(
  SELECT json_build_object('title', t.title, 'dueAt', ${isoTime("t.due_at")}) FROM task t
  WHERE t.org_id = l.org_id AND t.property_id = l.property_id AND t.status = 'open'
  ORDER BY t.due_at NULLS LAST, t.created_at, t.id LIMIT 1)`

const placeJson = `json_build_object('propertyKey', p.key, 'address', p.address, 'city', p.city, 'state', p.state,
  'nextTask', ${nextTask})`

export const layer: Layer.Layer<Board, never, Database.Reads> = Layer.effect(
  Board,
  Effect.gen(function*() {
    const sql = yield* Database.Reads
    const { rowInArea } = Visibility.make(sql)
    const lead = sql.literal(leadJson)
    const place = sql.literal(placeJson)

    return Board.of({
      read: Effect.fn("Board.read")(function*(orgId, { limit, offset, ownerId, stages, unmovedSince, visible }) {
        const found = sql`
          FROM lead l JOIN property p ON p.id = l.property_id
          WHERE l.org_id = ${orgId} AND l.status = stage.status AND p.retired_into IS NULL AND ${rowInArea(visible)}
            AND (${ownerId}::uuid IS NULL OR l.owner_id = ${ownerId}::uuid)
            AND (${unmovedSince}::double precision IS NULL
              OR l.status_changed_at <= to_timestamp(${unmovedSince}::double precision / 1000))`
        const rows = yield* sql<ColumnRow>`
          SELECT stage.status, counted.total, counted.worth AS "dealValue", page.cards
          FROM unnest(${stages}::text[]) WITH ORDINALITY AS stage (status, position)
          CROSS JOIN LATERAL (
            SELECT count(*)::integer AS total, coalesce(sum(l.deal_value), 0) AS worth ${found}
          ) counted
          CROSS JOIN LATERAL (
            SELECT coalesce(
              json_agg(json_build_object('lead', ${lead}, 'place', ${place})
                ORDER BY l.status_changed_at DESC, l.property_id),
              '[]'
            ) AS cards
            FROM (
              SELECT l.* ${found}
              ORDER BY l.status_changed_at DESC, l.property_id
              LIMIT ${limit} OFFSET ${offset}
            ) l JOIN property p ON p.id = l.property_id
          ) page
          ORDER BY stage.position`
        return rows.map(({ cards, ...column }): Column => ({
          ...column,
          cards: cards.map(({ lead, place }) => ({ ...lead, ...place }))
        }))
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)

/**
 * `Pipeline` over PostgreSQL: a change is one call of `lead_change`.
 *
 * A change that counts towards a daily limit takes the organization's account first, as the ledger does, and counts with
 * the change in one statement: nothing is counted for a change that found another version.
 *
 * *Gotchas.* Of changes that count, one organization has at most one of a process's connections at once; its others wait
 * before they take one, so that they never stand in the way of other organizations.
 */
import type { PropertyStanding } from "@freehold/core/coverage/Standings"
import * as LedgerDecision from "@freehold/core/credit/LedgerDecision"
import * as Turns from "@freehold/core/credit/Turns"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import {
  type Counting,
  type CustomerStatus,
  type Lead,
  type LeadChange,
  type LeadRow,
  mostMoves,
  Pipeline,
  type StageChange
} from "@freehold/core/pipeline/Pipeline"
import { Array, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Visibility from "../coverage/Visibility.ts"
import { changeOf, Snapshot, snapshotOf } from "../credit/LedgerRows.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { storable } from "../database/StorableText.ts"
import { transaction, writing } from "../database/Transaction.ts"
import { customerOfReader, leadJson, leadOfReader } from "../lead/LeadRowPg.ts"
import { standingColumns } from "../property/PropertiesPg.ts"
import { isoTime } from "../property/PropertyRowPg.ts"

interface StandingRow extends PropertyStanding {
  readonly lead: Lead | null
  readonly customerStatus: CustomerStatus | null
}

interface LeadWithPlace {
  readonly lead: Lead
  readonly key: string
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
}

interface ListedRow extends Omit<LeadWithPlace, "lead"> {
  readonly total: number
  /** null: the page lies behind the last lead. */
  readonly lead: Lead | null
}

const rowOf = ({ address, city, key, lead, state }: LeadWithPlace): LeadRow => ({
  ...lead,
  propertyKey: key,
  address,
  city,
  state
})

const decodeSnapshot = Schema.decodeUnknownEffect(Snapshot)

const leadIn = (rows: ReadonlyArray<{ readonly lead: Lead }>): Option.Option<Lead> =>
  Option.map(Array.head(rows), (row) => row.lead)

const historyColumns = `version, from_status AS "from", to_status AS "to", ${isoTime("at")} AS at, actor,
  by_agent AS "byAgent", deal_value AS "dealValue", reason_code AS "reasonCode", note`

type Needed = SqlClient.SqlClient | Database.Pipeline | Database.Reads

export const layer: Layer.Layer<Pipeline, never, Needed> = Layer.effect(
  Pipeline,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const pipelined = yield* Database.Pipeline
    const reads = yield* Database.Reads
    const { rowInArea } = Visibility.make(reads)
    const turns = Turns.make()
    const standing = pipelined.literal(
      `${standingColumns}, ${leadOfReader} AS lead, ${customerOfReader} AS "customerStatus"`
    )
    const lead = sql.literal(leadJson)
    const history = pipelined.literal(historyColumns)

    const changed = (change: LeadChange) =>
      sql`lead_change(
        ${change.orgId}::text, ${change.propertyId}::uuid, ${change.expected}::integer,
        ${change.move === null ? null : JSON.stringify(change.move)}::jsonb, ${change.customerStatus}::text,
        ${JSON.stringify(change.actor)}::jsonb, ${change.owner?.id ?? null}::uuid, ${change.owner?.name ?? null}::text,
        ${change.eventId}::uuid, ${change.partial}, to_timestamp(${change.now}::double precision / 1000)
      )`

    const write = (change: LeadChange) =>
      Effect.map(sql<{ readonly lead: Lead }>`SELECT ${lead} AS lead FROM ${changed(change)} l`, leadIn)

    /** What is counted is read after the account was taken, and written for the row of a change that took effect. */
    const writeCounting = <E>(change: LeadChange, { decide, usage }: Counting<E>) =>
      transaction(
        sql,
        Effect.gen(function*(): Effect.fn.Return<
          Result.Result<Option.Option<Lead>, E>,
          SqlError.SqlError | Schema.SchemaError
        > {
          const { now, orgId, propertyId } = change
          const [row] = yield* sql<{ readonly snapshot: unknown }>`
            SELECT snapshot
            FROM ledger_open(${orgId}::text, 'Property', ${propertyId}::text, false, ${JSON.stringify(usage)}::jsonb)`
          const snapshot = snapshotOf(yield* decodeSnapshot(row?.snapshot))
          const counted = decide(snapshot.usage)
          // A refusal is a value within the transaction, so that what fails there is the database alone.
          if (Result.isFailure(counted)) return Result.fail(counted.failure)
          const subject = { _tag: "Property", propertyId } as const
          const decision = LedgerDecision.decide(undefined, { counted: counted.success })
          const count = changeOf({ now, subject, usage }, snapshot, decision)
          if (count === null) return Result.succeed(yield* write(change))
          const rows = yield* sql<{ readonly lead: Lead }>`
            SELECT ${lead} AS lead,
              ledger_apply(
                ${orgId}::text, ${now}::bigint, ${JSON.stringify(count.decision)}::jsonb,
                ${JSON.stringify(count.counted)}::jsonb
              )
            FROM ${changed(change)} l`
          return Result.succeed(leadIn(rows))
        })
      )

    return Pipeline.of({
      standing: Effect.fn("Pipeline.standing")(function*(ref, orgId) {
        const rows = yield* pipelined<StandingRow>`
          SELECT ${standing} FROM (SELECT ${orgId}::text AS org_id) AS reader CROSS JOIN property p
          LEFT JOIN property_access a ON a.org_id = reader.org_id AND a.property_id = p.id
          WHERE ${ref._tag === "Id" ? pipelined`p.id = ${ref.id}::uuid` : pipelined`p.key = ${storable(ref.key)}`}`
        return Option.map(
          Array.head(rows),
          ({ customerStatus, lead, ...property }) => ({ property, lead, customerStatus })
        )
      }, Effect.catchTag("SqlError", unavailable)),

      change: Effect.fn("Pipeline.change")(function*<E = never>(
        change: LeadChange,
        counting?: Counting<E>
      ): Effect.fn.Return<Option.Option<Lead>, E | TemporarilyUnavailable> {
        if (counting === undefined) return yield* Effect.catchTag(writing(write(change)), "SqlError", unavailable)
        const call = { orgId: change.orgId, item: null }
        const result = yield* turns.take(call, writeCounting(change, counting)).pipe(
          Effect.catchTag("SqlError", unavailable),
          // It cannot be: no item is named.
          Effect.catchTag(["SchemaError", "ACTION_IN_PROGRESS"], Effect.die)
        )
        return yield* Effect.fromResult(result)
      }),

      assign: Effect.fn("Pipeline.assign")(function*({ actor, eventId, now, orgId, owner, propertyId }) {
        const rows = yield* sql<{ readonly lead: Lead }>`
          SELECT ${lead} AS lead FROM lead_assign(
            ${orgId}::text, ${propertyId}::uuid, ${owner?.id ?? null}::uuid, ${owner?.name ?? null}::text,
            ${actor.kind === "agent"}, ${eventId}::uuid, to_timestamp(${now}::double precision / 1000)
          ) l`
        return leadIn(rows)
      }, Effect.catchTag("SqlError", unavailable)),

      history: Effect.fn("Pipeline.history")((orgId, propertyId) =>
        pipelined<StageChange>`
          SELECT ${history} FROM (
            SELECT * FROM lead_stage_history WHERE org_id = ${orgId} AND property_id = ${propertyId}::uuid
            ORDER BY version DESC LIMIT ${mostMoves}
          ) AS last ORDER BY version`.pipe(
          Effect.catchTag("SqlError", unavailable)
        )
      ),

      list: Effect.fn("Pipeline.list")(function*(orgId, { limit, offset, status, visible }) {
        const found = reads`
          FROM lead l JOIN property p ON p.id = l.property_id
          WHERE l.org_id = ${orgId} ${status === null ? reads`` : reads`AND l.status = ${status}`}
            AND p.retired_into IS NULL AND ${rowInArea(visible)}`
        const rows = yield* reads<ListedRow>`
          SELECT counted.total, page.*
          FROM (SELECT count(*)::integer AS total ${found}) counted
          LEFT JOIN LATERAL (
            SELECT ${lead} AS lead, p.key, p.address, p.city, p.state ${found}
            ORDER BY l.status_changed_at DESC, l.property_id
            LIMIT ${limit} OFFSET ${offset}
          ) page ON true`
        const leads = rows.flatMap(({ lead, ...row }) => lead === null ? [] : [rowOf({ ...row, lead })])
        return { leads, total: rows[0]?.total ?? 0 }
      }, Effect.catchTag("SqlError", unavailable)),

      all: Effect.fn("Pipeline.all")(function*(orgId, { after, limit }) {
        const rows = yield* reads<LeadWithPlace>`
          SELECT ${lead} AS lead, p.key, p.address, p.city, p.state FROM lead l JOIN property p ON p.id = l.property_id
          WHERE l.org_id = ${orgId} ${after === null ? reads`` : reads`AND l.property_id > ${after}::uuid`}
          ORDER BY l.property_id LIMIT ${limit}`
        return rows.map(rowOf)
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)

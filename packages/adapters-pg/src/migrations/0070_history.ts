/**
 * What was delivered, and tried, in days, so that what is too old is dropped with its day; and how far back history reaches.
 *
 * What is there already becomes the first part of its table: no row is copied, one index is made.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions as changeFunctions } from "../change/ChangeFunctions.ts"
import * as Comment from "../database/Comment.ts"
import { functions as historyFunctions } from "../retention/HistoryFunctions.ts"
import { functions as deliveryFunctions } from "../webhook/DeliveryFunctions.ts"
import { functions as deliveryHistoryFunctions } from "../webhook/DeliveryHistoryFunctions.ts"

/** So many days are made ahead, as the sweeper does from then on. */
const ahead = 7

/** Puts a table under one of the same name that is divided by the days of a column, as its first part. */
const divided = (
  table: string,
  column: string,
  key: string,
  comments: ReadonlyArray<string>
): ReadonlyArray<string> => [
  `ALTER TABLE ${table} RENAME TO ${table}_first`,
  `ALTER TABLE ${table}_first DROP CONSTRAINT ${table}_pkey`,
  `CREATE TABLE ${table} (LIKE ${table}_first INCLUDING DEFAULTS) PARTITION BY RANGE (${column})`,
  `ALTER TABLE ${table} ADD PRIMARY KEY (${key})`,
  `CREATE TABLE ${table}_rest PARTITION OF ${table} DEFAULT`,
  `DO $$ BEGIN EXECUTE format(
    'ALTER TABLE ${table} ATTACH PARTITION ${table}_first FOR VALUES FROM (MINVALUE) TO (%L)',
    ((now() AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC'
  ); END $$`,
  ...comments
]

const statements: ReadonlyArray<string> = [
  ...historyFunctions,

  `DROP INDEX delivery_log_of_endpoint, delivery_log_of_property, delivery_log_of_event`,
  ...divided(
    "delivery_log",
    "created_at",
    "org_id, id, created_at",
    Comment.onTable(
      "delivery_log",
      "A delivery that has ended; in days of its making, dropped when they are too old.",
      {
        state: "How it ended.",
        data:
          "As it was sent, so that it can be sent again; null: too old, or forgotten since something in it was withheld.",
        reason: "Why it was cancelled, where that was no attempt's fault."
      }
    )
  ),
  `CREATE INDEX delivery_log_of_endpoint ON delivery_log (org_id, endpoint_id, created_at DESC, id)`,
  `CREATE INDEX delivery_log_of_property ON delivery_log (property_id) WHERE data IS NOT NULL`,
  `CREATE INDEX delivery_log_of_event ON delivery_log (org_id, event_id, endpoint_id)`,

  `ALTER TABLE delivery_attempt ADD COLUMN answer text`,
  ...divided(
    "delivery_attempt",
    "at",
    "org_id, delivery_id, attempt, at",
    Comment.onTable("delivery_attempt", "One attempt to send a delivery; in days, dropped when they are too old.", {
      status: "Of the answer; null: there was none.",
      error: "What went wrong, as a stable word.",
      answer: "How the body of an answer that was no success begins; null: it had none, or it was a success."
    })
  ),

  `SELECT history_ahead('delivery_log', 'created_at', now(), ${ahead})`,
  `SELECT history_ahead('delivery_attempt', 'at', now(), ${ahead})`,

  `CREATE INDEX delivery_booked_age ON delivery_booked (at)`,
  `CREATE INDEX event_age ON event (created_at) WHERE type <> 'lead.qualified' OR test`,

  `CREATE TABLE history_start (
    kind text PRIMARY KEY,
    kept_since timestamptz NOT NULL
  )`,
  ...Comment.onTable(
    "history_start",
    "How far back history reaches, by kind, since older was removed; none: all of it is there."
  ),

  ...deliveryHistoryFunctions,
  ...deliveryFunctions,
  ...changeFunctions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

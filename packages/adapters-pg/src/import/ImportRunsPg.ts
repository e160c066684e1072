/** `ImportRuns` over PostgreSQL: each method is one statement, but `keeping`. */
import {
  ImportRun,
  ImportRuns,
  keptRuns,
  ListedRun,
  mostParts,
  mostRejects,
  noRows,
  type ShownRow,
  silence,
  uploadTime
} from "@freehold/core/import/ImportRuns"
import { Array, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { storable } from "../database/StorableText.ts"
import { transaction, writing } from "../database/Transaction.ts"
import { joinTelling } from "./ErasedPeople.ts"

const rejectsAtOnce = 20

const Started = Schema.Struct({ run: ImportRun, map: Schema.NullOr(Schema.String), parts: Schema.Int })

/** A row stays a text: `jsonb` would sort its columns, and refuses what a text of JSON may hold, such as a NUL. */
const written = ({ line, row }: ShownRow) => ({ line, row: null, text: JSON.stringify(row) })

export const layer: Layer.Layer<ImportRuns, never, SqlClient.SqlClient> = Layer.effect(
  ImportRuns,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    /** A run as JSON, as of `now`; `more`: what it has beside what is listed. */
    const listed = (now: number, more = sql``) =>
      sql`
        json_build_object('id', r.run_id, 'kind', r.kind, 'name', r.name, 'strict', r.strict, 'dryRun', r.dry_run,
          'by', r.begun_by, 'state', CASE WHEN r.state IN ('uploading', 'running')
              AND r.told_at <= from_millis(${now - Duration.toMillis(silence)}::bigint) THEN 'interrupted'
            ELSE r.state END,
          'read', r.counts -> 'read', 'inserted', r.counts -> 'inserted', 'updated', r.counts -> 'updated',
          'unchanged', r.counts -> 'unchanged', 'rejected', r.counts -> 'rejected',
          'bytes', r.bytes, 'bytesRead', r.bytes_read, 'note', r.note, 'fault', r.fault,
          'begunAt', to_iso(r.begun_at), 'endedAt', to_iso(r.ended_at)${more})`

    const view = (now: number) =>
      listed(
        now,
        sql`, 'shown', (
            SELECT coalesce(json_agg(
              json_build_object(
                'line', s.value -> 'line', 'row', coalesce((s.value ->> 'text')::json, (s.value -> 'row')::json)
              ) ORDER BY s.place
            ), '[]') FROM jsonb_array_elements(r.shown) WITH ORDINALITY AS s (value, place)
          )`
      )

    const find = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: Schema.String, now: Schema.Number }),
      Result: Schema.Struct({ run: ImportRun }),
      execute: ({ id, now }) => sql`SELECT ${view(now)} AS run FROM import_run r WHERE r.run_id = ${id}::uuid`
    })

    const list = SqlSchema.findAll({
      Request: Schema.Struct({ limit: Schema.Int, now: Schema.Number }),
      Result: Schema.Struct({ run: ListedRun }),
      execute: ({ limit, now }) =>
        sql`
          SELECT ${listed(now)} AS run FROM import_run r ORDER BY r.begun_at DESC, r.run_id DESC LIMIT ${limit}`
    })

    const start = SqlSchema.findOneOption({
      Request: Schema.Struct({ id: Schema.String, now: Schema.Number }),
      Result: Started,
      execute: ({ id, now }) =>
        sql`
          UPDATE import_run r SET state = 'running', told_at = from_millis(${now}::bigint)
          WHERE r.run_id = ${id}::uuid AND r.state = 'uploading' AND r.parts > 0
          RETURNING ${view(now)} AS run, r.map, r.parts`
    })

    return ImportRuns.of({
      begin: Effect.fn("ImportRuns.begin")(
        function*({ by, dryRun, id, kind, map, name, now, strict }) {
          yield* writing(sql`
            WITH over AS (
              DELETE FROM import_run r
              WHERE r.state = 'uploading' AND r.begun_at <= from_millis(${now - Duration.toMillis(uploadTime)}::bigint)
                OR r.run_id IN (
                  SELECT run_id FROM import_run WHERE state <> 'running' ORDER BY begun_at DESC, run_id DESC
                  OFFSET ${keptRuns - 1}
                )
            )
            INSERT INTO import_run (run_id, kind, name, strict, dry_run, begun_by, map, state, counts, begun_at, told_at)
            VALUES (${id}::uuid, ${kind}, ${name}, ${strict}, ${dryRun}, ${by}, ${map}, 'uploading',
              ${JSON.stringify(noRows)}::jsonb, from_millis(${now}::bigint), from_millis(${now}::bigint))`)
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      addPart: Effect.fn("ImportRuns.addPart")(
        function*({ bytes, id, now, number }) {
          const rows = yield* writing(sql`
            WITH run AS (
              UPDATE import_run SET parts = parts + 1, bytes = bytes + ${bytes.length}::bigint,
                told_at = from_millis(${now}::bigint)
              WHERE run_id = ${id}::uuid AND state = 'uploading' AND parts = ${number}::integer
                AND ${number}::integer < ${mostParts}::integer
              RETURNING run_id
            ), kept AS (
              INSERT INTO import_part (run_id, number, bytes)
              SELECT run_id, ${number}::integer, ${bytes}::bytea FROM run
            )
            SELECT run_id FROM run
            UNION ALL SELECT p.run_id FROM import_part p WHERE p.run_id = ${id}::uuid AND p.number = ${number}::integer`)
          return rows.length > 0
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      start: Effect.fn("ImportRuns.start")(
        (id, now) => writing(start({ id, now })),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      part: Effect.fn("ImportRuns.part")(
        function*(id, number) {
          const rows = yield* sql<{ readonly bytes: Uint8Array }>`
            SELECT bytes FROM import_part WHERE run_id = ${id}::uuid AND number = ${number}::integer`
          return Option.map(Array.head(rows), ({ bytes }) => bytes)
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      progress: Effect.fn("ImportRuns.progress")(
        function*(id, { bytesRead, counts, now }) {
          yield* writing(sql`
            UPDATE import_run SET counts = ${JSON.stringify(counts)}::jsonb, bytes_read = ${bytesRead}::bigint,
              told_at = from_millis(${now}::bigint)
            WHERE run_id = ${id}::uuid AND state = 'running'`)
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      keeping: (telling) =>
        transaction(sql, Effect.andThen(joinTelling(sql), telling)).pipe(
          Effect.catchTag("SqlError", unavailable),
          Effect.withSpan("ImportRuns.keeping")
        ),
      reject: Effect.fn("ImportRuns.reject")(
        function*(id, text) {
          yield* writing(sql`
            WITH run AS (
              UPDATE import_run SET reject_size = reject_size + ${text.length}::bigint
              WHERE run_id = ${id}::uuid AND reject_size + ${text.length}::bigint <= ${mostRejects}::bigint
              RETURNING run_id
            )
            INSERT INTO import_reject (run_id, number, lines)
            SELECT run_id, (SELECT count(*) FROM import_reject WHERE run_id = ${id}::uuid), ${text} FROM run`)
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      end: Effect.fn("ImportRuns.end")(
        function*(id, { counts, fault: told, note, now, shown }) {
          const fault = told === null ? null : storable(told)
          yield* writing(sql`
            WITH gone AS (DELETE FROM import_part WHERE run_id = ${id}::uuid)
            UPDATE import_run SET state = CASE WHEN ${fault}::text IS NULL THEN 'ended' ELSE 'failed' END,
              counts = ${JSON.stringify(counts)}::jsonb, shown = ${JSON.stringify(shown.map(written))}::jsonb,
              note = ${note}::text, fault = ${fault}::text,
              bytes_read = CASE WHEN ${fault}::text IS NULL THEN bytes ELSE bytes_read END,
              told_at = from_millis(${now}::bigint), ended_at = from_millis(${now}::bigint)
            WHERE run_id = ${id}::uuid AND state = 'running'`)
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      rejects: Effect.fn("ImportRuns.rejects")(
        function*(id, after) {
          const rows = yield* sql<{ readonly lines: string }>`
            SELECT lines FROM import_reject WHERE run_id = ${id}::uuid AND number >= ${after}::integer
            ORDER BY number LIMIT ${rejectsAtOnce}`
          return rows.map(({ lines }) => lines)
        },
        Effect.catchTag("SqlError", unavailable)
      ),
      find: Effect.fn("ImportRuns.find")(
        (id, now) => Effect.map(find({ id, now }), Option.map(({ run }) => run)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      ),
      list: Effect.fn("ImportRuns.list")(
        (limit, now) => Effect.map(list({ limit, now }), (rows) => rows.map(({ run }) => run)),
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      )
    })
  })
)

/** `Sources` over PostgreSQL. Tokens are stored sealed, each bound to its source. */
import type { LoadOutcome } from "@freehold/core/import/ImportStore"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { durationOf, SourceDocument } from "@freehold/core/source/SourceDocument"
import {
  type KeptRow,
  type RunPlan,
  type RunReject,
  type RunState,
  RunTaken,
  type Source,
  type SourceRun,
  Sources
} from "@freehold/core/source/Sources"
import { Sealer } from "@freehold/core/webhook/Sealer"
import { Array, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlError, type Statement } from "effect/sql"
import { alone } from "../database/Alone.ts"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import { storable } from "../database/StorableText.ts"
import { transaction } from "../database/Transaction.ts"
import { isoTime } from "../property/PropertyRowPg.ts"

const keptRuns = 100
const keptRejects = 20

/** The pauses before a sync that was put off is tried again, in minutes. */
const pauses = [1, 5, 15, 60]

const open = ["reading", "asks", "loading"] as const

const runColumns = `r.number, r.state, r.whole AS "full", ${isoTime("r.started_at")} AS "startedAt",
  ${isoTime("r.ended_at")} AS "endedAt", r.page, r.position, r.mark, r.unseen, r.read, r.inserted, r.changed,
  r.unchanged, r.rejected, r.retired, r.former_counties AS "formerCounties", r.reason, r.rejects`

interface SourceRow {
  readonly document: unknown
  readonly token_sealed: Uint8Array | null
  readonly paused: boolean
  readonly added_at: string
  readonly due_at: string | null
  readonly full_at: string | null
  readonly mark: Schema.Json
  readonly records: number
  readonly run: SourceRun | null
}

const decodeDocument = Schema.decodeUnknownEffect(SourceDocument)

/** What a sealed token is bound to. */
export const tokenContext = (name: string): string => `source ${name}`

const json = (value: unknown): string => JSON.stringify(value)

export const layer: Layer.Layer<Sources, never, SqlClient.SqlClient | Sealer> = Layer.effect(
  Sources,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const sealer = yield* Sealer
    const columns = sql.literal(runColumns)

    /** One that was sealed with a key that is gone is asked for anew, and keeps no other source from its sync. */
    const tokenOf = (name: string, sealed: Uint8Array) =>
      sealer.open(sealed, tokenContext(name)).pipe(Effect.catchDefect(() =>
        Effect.as(
          Effect.logWarning(
            `the token of the source ${name} does not open with the encryption key; add it anew: --token-file`
          ),
          null
        )
      ))

    const sourceOf = Effect.fnUntraced(function*(row: SourceRow) {
      const document = yield* Effect.orDie(decodeDocument(row.document))
      const source: Source = {
        document,
        token: row.token_sealed === null ? null : yield* tokenOf(document.name, row.token_sealed),
        paused: row.paused,
        addedAt: row.added_at,
        dueAt: row.due_at,
        fullAt: row.full_at,
        mark: row.mark,
        records: row.records,
        lastRun: row.run
      }
      return source
    })

    const select = (where: Statement.Fragment) =>
      Effect.flatMap(
        sql<SourceRow>`
          SELECT s.document, s.token_sealed, s.paused, ${sql.literal(isoTime("s.added_at"))} AS added_at,
            ${sql.literal(isoTime("s.due_at"))} AS due_at, ${sql.literal(isoTime("s.full_at"))} AS full_at, s.mark,
            (SELECT count(*)::integer FROM source_record k WHERE k.source = s.name AND k.vanished_at IS NULL) AS records,
            (SELECT row_to_json(last) FROM (
              SELECT ${columns} FROM source_run r WHERE r.source = s.name ORDER BY r.number DESC LIMIT 1
            ) AS last) AS run
          FROM source s WHERE s.removed_at IS NULL ${where} ORDER BY s.name COLLATE "C"`,
        Effect.forEach(sourceOf)
      )

    /** One step of an open run: taken by whoever knows the last one. */
    const step = Effect.fnUntraced(function*(name: string, run: SourceRun, change: Statement.Fragment) {
      const [taken] = yield* sql<SourceRun>`
        UPDATE source_run r SET page = r.page + 1, ${change}
        WHERE r.source = ${name} AND r.number = ${run.number} AND r.page = ${run.page} AND r.state IN ${sql.in(open)}
        RETURNING ${columns}`
      return taken === undefined ? yield* new RunTaken({ name }) : taken
    })

    const leaveOpen = (name: string) =>
      sql`
      WITH gone AS (DELETE FROM source_row WHERE source = ${name})
      UPDATE source_run SET state = 'left', ended_at = now()
      WHERE source = ${name} AND state IN ${sql.in(open)}`

    const firstRejects = (rejects: ReadonlyArray<RunReject>) =>
      sql`
      rejects = (SELECT coalesce(jsonb_agg(e), '[]') FROM (
        SELECT e FROM jsonb_array_elements(r.rejects || ${json(rejects)}::jsonb) WITH ORDINALITY AS a(e, n)
        ORDER BY n LIMIT ${keptRejects}
      ) AS first)`

    const nextDue = (document: SourceDocument) =>
      Option.match(Option.flatMap(Option.fromUndefinedOr(document.schedule), durationOf), {
        onNone: () => sql`NULL::timestamptz`,
        onSome: (pause) => sql`now() + ${Duration.toMillis(pause)}::bigint * interval '1 millisecond'`
      })

    const atomic = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.catchIf(transaction(sql, effect), SqlError.isSqlError, unavailable)

    /** For what goes over all rows of a source: of millions that takes longer than a statement of a worker may. */
    const unhurried = <A, E>(effect: Effect.Effect<A, E>) =>
      atomic(Effect.andThen(sql`SET LOCAL statement_timeout = '1h'`, effect))

    return Sources.of({
      put: Effect.fn("Sources.put")(
        function*(document, token) {
          const { name } = document
          const sealed = token === null ? null : yield* sealer.seal(token, tokenContext(name))
          const [stored] = yield* sql<{ readonly same: boolean }>`
            SELECT document = ${json(document)}::jsonb AS same FROM source
            WHERE name = ${name} AND removed_at IS NULL FOR UPDATE`
          if (stored?.same === true && token === null) return "unchanged"
          if (stored !== undefined && !stored.same) yield* leaveOpen(name)
          yield* sql`
            INSERT INTO source (name, document, token_sealed, due_at)
            VALUES (${name}, ${json(document)}::jsonb, ${sealed}, ${
            document.schedule === undefined ? sql`NULL` : sql`now()`
          })
            ON CONFLICT (name) DO UPDATE SET document = excluded.document, due_at = excluded.due_at, mark = NULL,
              token_sealed = coalesce(excluded.token_sealed, source.token_sealed),
              paused = source.paused AND source.removed_at IS NULL, removed_at = NULL,
              added_at = CASE WHEN source.removed_at IS NULL THEN source.added_at ELSE now() END`
          return stored === undefined ? "added" : "changed"
        },
        atomic
      ),

      list: select(sql``).pipe(Effect.catchTag("SqlError", unavailable), Effect.withSpan("Sources.list")),

      find: Effect.fn("Sources.find")(
        (name) => Effect.map(select(sql`AND s.name = ${name}`), Array.head),
        Effect.catchTag("SqlError", unavailable)
      ),

      runs: Effect.fn("Sources.runs")(
        (name, limit) =>
          sql<SourceRun>`
            SELECT ${columns} FROM source_run r WHERE r.source = ${name} ORDER BY r.number DESC LIMIT ${limit}`,
        Effect.catchTag("SqlError", unavailable)
      ),

      pause: Effect.fn("Sources.pause")(
        (name, paused) =>
          Effect.map(
            sql`UPDATE source SET paused = ${paused} WHERE name = ${name} AND removed_at IS NULL RETURNING name`,
            Array.isReadonlyArrayNonEmpty
          ),
        Effect.catchTag("SqlError", unavailable)
      ),

      remove: Effect.fn("Sources.remove")(
        function*(name) {
          const removed = yield* sql`
            UPDATE source SET removed_at = now(), token_sealed = NULL, paused = true, due_at = NULL, full_at = NULL,
              mark = NULL, failures = 0
            WHERE name = ${name} AND removed_at IS NULL RETURNING name`
          yield* sql`
            WITH runs AS (DELETE FROM source_run WHERE source = ${name})
            DELETE FROM source_row WHERE source = ${name}`
          yield* sql`
            DELETE FROM source s WHERE s.name = ${name}
              AND NOT EXISTS (SELECT FROM source_record k WHERE k.source = s.name)`
          return Array.isReadonlyArrayNonEmpty(removed)
        },
        atomic
      ),

      due: sql<{ readonly name: string }>`
        SELECT s.name FROM source s
        WHERE NOT s.paused AND s.due_at <= now()
          AND NOT EXISTS (SELECT FROM source_run r WHERE r.source = s.name AND r.state = 'asks')
        ORDER BY s.due_at, s.name`.pipe(
        Effect.map((rows) => rows.map(({ name }) => name)),
        Effect.catchTag("SqlError", unavailable),
        Effect.withSpan("Sources.due")
      ),

      alone: alone(sql, "sources"),

      begin: Effect.fn("Sources.begin")(
        function*(name, full, unseen) {
          yield* leaveOpen(name)
          yield* sql`
            DELETE FROM source_run WHERE source = ${name} AND number <= (
              SELECT max(number) FROM source_run WHERE source = ${name}) - ${keptRuns}`
          const [run] = yield* sql<SourceRun>`
            INSERT INTO source_run AS r (source, number, state, whole, unseen)
            SELECT ${name}, coalesce(max(number), 0) + 1, 'reading', ${full}, ${textArray(unseen)}
            FROM source_run WHERE source = ${name}
            RETURNING ${columns}`
          return run ?? (yield* Effect.die(`no run of ${name} was begun`))
        },
        unhurried
      ),

      keep: Effect.fn("Sources.keep")(
        function*({ formerCounties, full, mark, name, page, position, read, rejected, rejects, rows, run, unseen }) {
          const [current] = yield* sql<SourceRun>`
            SELECT ${columns} FROM source_run r WHERE r.source = ${name} AND r.number = ${run}`
          if (current === undefined) return yield* new RunTaken({ name })
          const kept = yield* step(
            name,
            { ...current, page },
            sql`
            position = ${json(position)}::jsonb, mark = ${json(mark)}::jsonb, unseen = ${textArray(unseen)},
            read = r.read + ${read}::integer, rejected = r.rejected + ${rejected}::integer, reason = NULL,
            former_counties = (SELECT coalesce(jsonb_object_agg(e.fips, e.rows), '{}') FROM (
              SELECT key AS fips, sum(value::integer)::integer AS rows FROM (
                SELECT * FROM jsonb_each_text(r.former_counties)
                UNION ALL SELECT * FROM jsonb_each_text(${json(formerCounties)}::jsonb)
              ) AS each_step GROUP BY key
            ) AS e),
            whole = r.whole AND ${full}::boolean, ${firstRejects(rejects)}`
          )
          if (rows.length > 0) {
            yield* sql`
              INSERT INTO source_row AS kept (source, key, digest, as_of, body)
              SELECT ${name}, given.key, given.digest, given.as_of,
                CASE WHEN known.digest = given.digest AND known.vanished_at IS NULL THEN NULL ELSE given.body END
              FROM (
                SELECT key, digest, as_of::timestamptz, body::jsonb FROM unnest(
                  ${textArray(rows.map(({ key }) => key))}, ${textArray(rows.map(({ digest }) => digest))},
                  ${textArray(rows.map(({ asOf }) => asOf))},
                  ${textArray(rows.map(({ digest, row }) => digest === null ? null : json(row)))}
                ) AS texts (key, digest, as_of, body)
              ) AS given
              LEFT JOIN source_record known ON known.source = ${name} AND known.key = given.key
              ON CONFLICT (source, key) DO UPDATE
              SET digest = excluded.digest, as_of = excluded.as_of, body = excluded.body
              WHERE excluded.digest IS NOT NULL
                AND (kept.as_of IS NULL OR excluded.as_of IS NULL OR excluded.as_of >= kept.as_of)`
          }
          return kept
        },
        atomic
      ),

      plan: Effect.fn("Sources.plan")(
        function*(name, run) {
          const [plan] = yield* sql<RunPlan>`
            SELECT count(*) FILTER (WHERE k.body IS NOT NULL AND known.key IS NULL)::integer AS fresh,
              count(*) FILTER (WHERE k.body IS NOT NULL AND known.key IS NOT NULL)::integer AS different,
              count(*) FILTER (WHERE k.body IS NULL AND k.digest IS NOT NULL)::integer AS same,
              (SELECT count(*)::integer FROM source_record r WHERE r.source = ${name} AND r.vanished_at IS NULL) AS known,
              (SELECT count(*)::integer FROM source_record r WHERE ${run.full} AND r.source = ${name}
                AND r.vanished_at IS NULL
                AND NOT EXISTS (SELECT FROM source_row w WHERE w.source = r.source AND w.key = r.key)) AS gone
            FROM source_row k LEFT JOIN source_record known ON known.source = k.source AND known.key = k.key
            WHERE k.source = ${name}`
          return plan ?? { known: 0, fresh: 0, different: 0, same: 0, gone: 0 }
        },
        unhurried
      ),

      turn: Effect.fn("Sources.turn")(
        function*(name, run, state: RunState, reason) {
          const turned = yield* step(
            name,
            run,
            sql`
            state = ${state}, reason = ${reason === null ? null : storable(reason)},
            ended_at = CASE WHEN ${state} IN ('failed', 'done', 'left') THEN now() END`
          )
          if (state !== "failed") return turned
          yield* sql`DELETE FROM source_row WHERE source = ${name}`
          yield* sql`UPDATE source SET due_at = CASE WHEN due_at IS NULL THEN NULL ELSE now() + interval '1 day' END,
            failures = failures + 1 WHERE name = ${name}`
          return turned
        },
        unhurried
      ),

      next: Effect.fn("Sources.next")(
        (name, _run, limit) =>
          sql<KeptRow>`
            SELECT key, digest, body AS row, ${sql.literal(isoTime("as_of"))} AS "asOf" FROM source_row
            WHERE source = ${name} AND body IS NOT NULL ORDER BY key LIMIT ${limit}`,
        Effect.catchTag("SqlError", unavailable)
      ),

      load: <R>(
        name: string,
        run: SourceRun,
        rows: ReadonlyArray<KeptRow>,
        load: Effect.Effect<LoadOutcome, TemporarilyUnavailable, R>
      ) =>
        transaction(
          sql,
          Effect.gen(function*() {
            const { inserted, rejected, unchanged, updated } = yield* load
            const faulty = new Set(rejected.map(({ index }) => index))
            const loaded = rows.filter((_, index) => !faulty.has(index))
            yield* sql`
              INSERT INTO source_record AS known (source, key, digest)
              SELECT ${name}, given.* FROM unnest(
                ${textArray(loaded.map(({ key }) => key))}, ${textArray(loaded.map(({ digest }) => digest))}
              ) AS given
              ON CONFLICT (source, key) DO UPDATE SET digest = excluded.digest, vanished_at = NULL`
            yield* sql`
              INSERT INTO source_county (source, county_fips)
              SELECT DISTINCT ${name}::text, p.county_fips FROM property p
              WHERE p.key = ANY(${textArray(loaded.map(({ key }) => key))})
              ON CONFLICT DO NOTHING`
            yield* sql`
              UPDATE source_row
              SET body = NULL,
                digest = CASE WHEN key = ANY(${textArray(loaded.map(({ key }) => key))}) THEN digest END
              WHERE source = ${name} AND key = ANY(${textArray(rows.map(({ key }) => key))})`
            return yield* step(
              name,
              run,
              sql`
              inserted = r.inserted + ${inserted}::integer, changed = r.changed + ${updated}::integer,
              unchanged = r.unchanged + ${unchanged}::integer, rejected = r.rejected + ${faulty.size}::integer,
              ${
                firstRejects(
                  rejected.map(({ field, index, reason }) => ({ place: rows[index]?.key ?? "", field, reason }))
                )
              }`
            )
          })
        ).pipe(Effect.catchTag("SqlError", unavailable)),

      finish: Effect.fn("Sources.finish")(
        function*(name, run, same) {
          const [gone] = yield* sql<{ readonly count: number }>`
            WITH gone AS (
              UPDATE source_record r SET vanished_at = now()
              WHERE ${run.full} AND r.source = ${name} AND r.vanished_at IS NULL
                AND NOT EXISTS (SELECT FROM source_row w WHERE w.source = r.source AND w.key = r.key)
              RETURNING 1
            )
            SELECT count(*)::integer AS count FROM gone`
          yield* sql`DELETE FROM source_row WHERE source = ${name}`
          const [stored] = yield* sql<{ readonly document: unknown }>`SELECT document FROM source WHERE name = ${name}`
          const document = yield* Effect.orDie(decodeDocument(stored?.document))
          yield* sql`
            UPDATE source SET mark = ${json(run.mark)}::jsonb, due_at = ${nextDue(document)}, failures = 0,
              full_at = CASE WHEN ${run.full} THEN now() ELSE full_at END
            WHERE name = ${name}`
          return yield* step(
            name,
            run,
            sql`
            state = 'done', ended_at = now(), reason = NULL, retired = ${gone?.count ?? 0}::integer,
            unchanged = r.unchanged + ${same}::integer`
          )
        },
        unhurried
      ),

      postpone: Effect.fn("Sources.postpone")(
        function*(name, { number }, reason) {
          yield* sql`UPDATE source_run SET reason = ${storable(reason)}
            WHERE source = ${name} AND number = ${number} AND state IN ('reading', 'loading')`
          yield* sql`
            UPDATE source SET failures = failures + 1, due_at = CASE WHEN due_at IS NULL THEN NULL
              ELSE now() + (${textArray(pauses.map(String))}::integer[])[least(failures + 1, ${pauses.length})]
                * interval '1 minute' END
            WHERE name = ${name}`
        },
        atomic
      )
    })
  })
)

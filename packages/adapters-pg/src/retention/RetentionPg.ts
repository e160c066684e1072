/**
 * `Retention` over PostgreSQL: a step is one transaction, of one process at a time.
 *
 * What ended in deliveries is dropped by its day (`HistoryFunctions.ts`); of the rest a batch a step is deleted by an index on
 * its age. Days are made ahead here as well, since whoever drops them runs everywhere, and changes that wait are added to the
 * counts that are kept (`database/KeptCounts`): whoever writes does so once in two thousand of them only.
 *
 * That something was delivered and counted is forgotten only with the last line that could be sent again, and an event only
 * when no delivery and no withdrawal refers to it, so that the laws of the audit hold in between as well.
 */
import { operatorIdleTime, operatorSessionLifetime } from "@freehold/core/access/OperatorSessions"
import { idleTime, sessionLifetime } from "@freehold/core/access/Sessions"
import { retention as administrationKept } from "@freehold/core/administration/AdministrationLog"
import { uploadTime } from "@freehold/core/import/ImportRuns"
import { retention as noticesKept } from "@freehold/core/notice/Notices"
import { type Kind, Retention } from "@freehold/core/retention/Retention"
import { Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { transaction } from "../database/Transaction.ts"

/** So many days are made ahead. */
const daysAhead = 7

interface Counted {
  readonly count: number
}

export const layer: Layer.Layer<Retention, never, SqlClient.SqlClient> = Layer.effect(
  Retention,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const counted = Effect.fnUntraced(function*<E>(statement: Effect.Effect<ReadonlyArray<Counted>, E>) {
      const [found] = yield* statement
      return found?.count ?? 0
    })

    /** Rows of organizations, but for those that move to another cell: nothing of them changes, so that they would be chosen each time. */
    const staying = sql.literal(
      "org_id <> ALL(ARRAY(SELECT m.org_id FROM organization_move m WHERE m.moved_at IS NULL))"
    )
    const everything = sql.literal("true")

    /** Deletes of a table by its age, by an index on it; what is being written meanwhile is passed by. */
    const outdated = (table: string, age: string, before: number, atMost: number, which = staying) =>
      counted(sql<Counted>`
        WITH gone AS (
          DELETE FROM ${sql(table)} WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM ${sql(table)} WHERE ${sql(age)} <= from_millis(${before}::bigint) AND ${which}
            LIMIT ${atMost} FOR UPDATE SKIP LOCKED
          )) RETURNING 1
        ) SELECT count(*)::integer AS count FROM gone`)

    const prepareDays = (now: number) =>
      counted(sql<Counted>`
        SELECT history_ahead('delivery_log', 'created_at', from_millis(${now}::bigint), ${daysAhead})
          + history_ahead('delivery_attempt', 'at', from_millis(${now}::bigint), ${daysAhead}) AS count`)

    const addUp = (atMost: number) =>
      counted(sql<Counted>`
        SELECT greatest(map_cell_fold(${atMost}::integer), reach_tally_fold(${atMost}::integer),
          title_tally_fold(${atMost}::integer)) AS count`)

    const stripDay = (before: number) =>
      counted(sql<Counted>`SELECT delivery_log_strip(from_millis(${before}::bigint)) AS count`)

    const dropDays = (before: number) =>
      counted(sql<Counted>`
        WITH marked AS (
          INSERT INTO history_start AS h (kind, kept_since)
          SELECT 'deliveries', least(from_millis(${before}::bigint), now())
          ON CONFLICT (kind) DO UPDATE SET kept_since = greatest(h.kept_since, excluded.kept_since)
        )
        SELECT history_drop('delivery_log', from_millis(${before}::bigint))
          + history_drop('delivery_attempt', from_millis(${before}::bigint)) AS count`)

    const lateBodies = (before: number, atMost: number) =>
      counted(sql<Counted>`
        SELECT delivery_log_strip_late(from_millis(${before}::bigint), ${atMost}::integer) AS count`)

    const lateDeliveries = (before: number, atMost: number) =>
      counted(sql<Counted>`
        WITH lines AS (
          DELETE FROM delivery_log_rest WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM delivery_log_rest
            WHERE greatest(created_at, finished_at) <= from_millis(${before}::bigint) AND ${staying} LIMIT ${atMost}
          )) RETURNING 1
        ), attempts AS (
          DELETE FROM delivery_attempt_rest WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM delivery_attempt_rest WHERE at <= from_millis(${before}::bigint) AND ${staying}
            LIMIT ${atMost}
          )) RETURNING 1
        ), booked AS (
          DELETE FROM delivery_booked WHERE ctid = ANY(ARRAY(
            SELECT b.ctid FROM delivery_booked b
            WHERE b.at < least(from_millis(${before}::bigint), history_begins('delivery_log')) AND b.${staying}
              AND NOT EXISTS (SELECT FROM delivery d WHERE d.org_id = b.org_id AND d.id = b.delivery_id)
              AND NOT EXISTS (SELECT FROM delivery_log_rest l WHERE l.org_id = b.org_id AND l.id = b.delivery_id)
            ORDER BY b.at LIMIT ${atMost}
          )) RETURNING 1
        )
        SELECT greatest(
          (SELECT count(*) FROM lines), (SELECT count(*) FROM attempts), (SELECT count(*) FROM booked)
        )::integer AS count`)

    const endpoints = (before: number, atMost: number) =>
      counted(sql<Counted>`
        SELECT replaced_endpoints_end(from_millis(${before}::bigint), ${atMost}::integer) AS count`)

    const events = (before: number, atMost: number) =>
      counted(sql<Counted>`
        WITH gone AS (
          DELETE FROM event WHERE ctid = ANY(ARRAY(
            SELECT e.ctid FROM event e
            WHERE (e.type <> 'lead.qualified' OR e.test) AND e.status <> 'pending'
              AND e.created_at < from_millis(${before}::bigint) AND e.${staying}
              AND (e.fanned_out_at IS NULL OR e.fanned_out_at < history_begins('delivery_log'))
              AND NOT EXISTS (SELECT FROM delivery d WHERE d.org_id = e.org_id AND d.event_id = e.id)
              AND NOT EXISTS (SELECT FROM delivery_log_rest l WHERE l.org_id = e.org_id AND l.event_id = e.id)
              AND NOT EXISTS (
                SELECT FROM event w
                WHERE w.change_id = e.change_id AND w.org_id = e.org_id AND w.withdraws_event_id = e.id
              )
            ORDER BY e.created_at LIMIT ${atMost} FOR UPDATE SKIP LOCKED
          )) RETURNING 1
        ) SELECT count(*)::integer AS count FROM gone`)

    const sessions = (
      table: string,
      lifetime: Duration.Duration,
      idle: Duration.Duration,
      now: number,
      atMost: number,
      which = staying
    ) =>
      counted(sql<Counted>`
        WITH gone AS (
          DELETE FROM ${sql(table)} WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM ${sql(table)}
            WHERE ${which} AND (
              signed_in_at <= from_millis(${now - Duration.toMillis(lifetime)}::bigint)
              OR last_used_at <= from_millis(${now - Duration.toMillis(idle)}::bigint)
            )
            LIMIT ${atMost} FOR UPDATE SKIP LOCKED
          )) RETURNING 1
        ) SELECT count(*)::integer AS count FROM gone`)

    /** Uploads that nobody finished; and of runs whose process is gone, the file. That they were is kept like other runs. */
    const imports = (before: number) =>
      counted(sql<Counted>`
        WITH unfinished AS (
          DELETE FROM import_run WHERE state = 'uploading' AND begun_at <= from_millis(${before}::bigint) RETURNING 1
        ), interrupted AS (
          UPDATE import_run SET state = 'failed', fault = 'it was interrupted', ended_at = told_at
          WHERE state = 'running' AND told_at <= from_millis(${before}::bigint) RETURNING run_id
        ), files AS (
          DELETE FROM import_part WHERE run_id IN (SELECT run_id FROM interrupted)
        )
        SELECT ((SELECT count(*) FROM unfinished) + (SELECT count(*) FROM interrupted))::integer AS count`)

    return Retention.of({
      sweep: Effect.fn("Retention.sweep")(
        function*({ atMost, kept, now }) {
          const [turn] = yield* sql<{ readonly mine: boolean }>`
            SELECT pg_try_advisory_xact_lock(hashtext('freehold retention')) AS mine`
          if (turn?.mine !== true) return Option.none()
          // To copy the lines of a day takes as long as it takes.
          yield* sql`SELECT set_config('statement_timeout', '0', true)`
          const before = (duration: Duration.Duration) => Math.trunc(now - Duration.toMillis(duration))
          // What is done to days locks out others until the end of the transaction, and is a step of its own.
          if ((yield* prepareDays(now)) > 0) return Option.some({ removed: new Map<Kind, number>(), more: true })
          const stripped = yield* stripDay(before(kept.bodies))
          if (stripped > 0) return Option.some({ removed: new Map<Kind, number>([["bodies", stripped]]), more: true })
          const dropped = yield* dropDays(before(kept.deliveries))
          if (dropped > 0) return Option.some({ removed: new Map<Kind, number>([["deliveries", dropped]]), more: true })
          const removed: ReadonlyArray<readonly [Kind, number]> = [
            ["bodies", yield* lateBodies(before(kept.bodies), atMost)],
            ["deliveries", yield* lateDeliveries(before(kept.deliveries), atMost)],
            ["endpoints", yield* endpoints(before(kept.deliveries), atMost)],
            ["events", yield* events(Math.min(before(kept.events), before(kept.deliveries)), atMost)],
            ["idempotent_answers", yield* outdated("idempotent_answer", "expires_at", now, atMost)],
            [
              "links",
              (yield* outdated("sign_in_link", "expires_at", now, atMost))
              + (yield* outdated("operator_link", "expires_at", now, atMost, everything))
            ],
            [
              "sessions",
              (yield* sessions("app_session", sessionLifetime, idleTime, now, atMost))
              + (yield* sessions(
                "operator_session",
                operatorSessionLifetime,
                operatorIdleTime,
                now,
                atMost,
                everything
              ))
            ],
            ["views", yield* outdated("operator_view", "expires_at", now, atMost)],
            ["imports", yield* imports(before(uploadTime))],
            [
              "notices",
              (yield* outdated("notice", "created_at", before(noticesKept), atMost))
              + (yield* outdated("installation_notice", "created_at", before(noticesKept), atMost, everything))
            ],
            ["administration", yield* outdated("administration_log", "at", before(administrationKept), atMost)],
            ["finder", yield* outdated("finder_cache", "expires_at", now, atMost, everything)]
          ]
          // The last, since whoever writes meanwhile leaves it to this one.
          const addedUp = yield* addUp(atMost)
          return Option.some({
            removed: new Map(removed.filter(([, count]) => count > 0)),
            more: addedUp >= atMost || removed.some(([, count]) => count >= atMost)
          })
        },
        (step) => transaction(sql, step),
        Effect.catchTag("SqlError", unavailable)
      )
    })
  })
)

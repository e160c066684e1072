/**
 * How much work waits and for how long, and how endpoints, imports and cells stand: what is watched from outside.
 *
 * *Gotchas.* It is asked again and again, so what is counted is counted up to `countedAtMost`; a queue that is longer than
 * that is told as one of that length. Deliveries and events of suspended organizations wait by intent, and are left out.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Publication from "../cell/Publication.ts"

/** Counting stops here. */
export const countedAtMost = 100_000

/** Work of one kind that is due: how much, and how many seconds the oldest of it has been due. */
export interface Queue {
  readonly due: number
  readonly lag: number
}

export interface Work {
  readonly events: Queue
  readonly deliveries: Queue & { readonly inFlight: number; readonly waiting: number }
  readonly research: Queue & { readonly running: number }
  /** `active`, `failing`, or why they were disabled. */
  readonly endpoints: ReadonlyArray<{ readonly state: string; readonly count: number }>
  readonly imports: ReadonlyArray<
    { readonly kind: string; readonly runs: number; readonly rows: number; readonly lastAt: number }
  >
  /** Those of an importing installation. */
  readonly cells: ReadonlyArray<Publication.CellStanding>
}

interface Counts {
  readonly events: number
  readonly eventLag: number
  readonly deliveries: number
  readonly deliveryLag: number
  readonly inFlight: number
  readonly waiting: number
  readonly research: number
  readonly researchLag: number
  readonly running: number
}

export const read = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [counts] = yield* sql<Counts>`
    WITH RECURSIVE turn AS (
      SELECT * FROM (SELECT org_id, 1 AS nth FROM event WHERE status = 'pending' ORDER BY org_id LIMIT 1) f
      UNION ALL
      SELECT n.org_id, t.nth + 1 FROM turn t CROSS JOIN LATERAL (
        SELECT e.org_id FROM event e WHERE e.status = 'pending' AND e.org_id > t.org_id ORDER BY e.org_id LIMIT 1
      ) n
      WHERE t.nth < ${countedAtMost}
    ), told AS (
      SELECT t.org_id, (SELECT min(e.created_at) FROM event e WHERE e.status = 'pending' AND e.org_id = t.org_id) AS first_at
      FROM turn t JOIN organization o ON o.org_id = t.org_id AND o.status = 'active'
    ), events AS (
      SELECT (
        SELECT count(*)::integer FROM (
          SELECT FROM told t JOIN event e ON e.org_id = t.org_id AND e.status = 'pending' LIMIT ${countedAtMost}
        ) e
      ) AS due, extract(epoch FROM now() - min(t.first_at))::double precision AS lag
      FROM told t
    ), deliveries AS (
      SELECT count(*)::integer AS due, extract(epoch FROM now() - min(d.due_at))::double precision AS lag
      FROM (
        SELECT f.due_at FROM delivery_lane l
        JOIN organization o ON o.org_id = l.org_id AND o.status = 'active'
        CROSS JOIN LATERAL (
          SELECT d.due_at FROM delivery d
          WHERE d.org_id = l.org_id AND d.endpoint_id = l.endpoint_id AND d.due_at <= now()
            AND (d.claimed_until IS NULL OR d.claimed_until <= now())
          ORDER BY d.due_at LIMIT ${countedAtMost}
        ) f
        WHERE l.due_at <= now() OR l.waits_for_place
        LIMIT ${countedAtMost}
      ) d
    ), in_flight AS (
      SELECT coalesce(sum(p.held), 0)::integer AS number
      FROM (SELECT place_held, place_until FROM delivery_lane WHERE due_at < 'infinity' LIMIT ${countedAtMost}) l
      CROSS JOIN LATERAL unnest(l.place_held, l.place_until) AS p(held, until) WHERE p.until > now()
    ), later AS (
      SELECT count(*)::integer AS number
      FROM (
        SELECT FROM delivery_lane l JOIN delivery d ON d.org_id = l.org_id AND d.endpoint_id = l.endpoint_id
        WHERE l.due_at < 'infinity' AND d.due_at > now() LIMIT ${countedAtMost}
      ) d
    ), research AS (
      SELECT count(*) FILTER (WHERE due_at <= now())::integer AS due, count(*) FILTER (WHERE state = 'running')::integer AS running,
        extract(epoch FROM now() - min(due_at) FILTER (WHERE due_at <= now()))::double precision AS lag
      FROM (
        SELECT state, due_at FROM research_item WHERE state IN ('queued', 'running') ORDER BY due_at LIMIT ${countedAtMost}
      ) r
    )
    SELECT events.due AS events, coalesce(events.lag, 0) AS "eventLag",
      deliveries.due AS deliveries, coalesce(deliveries.lag, 0) AS "deliveryLag",
      in_flight.number AS "inFlight", later.number AS waiting,
      research.due AS research, coalesce(research.lag, 0) AS "researchLag", research.running
    FROM events, deliveries, in_flight, later, research`
  const endpoints = yield* sql<{ readonly state: string; readonly count: number }>`
    SELECT CASE
        WHEN disabled_reason = 'failing' THEN 'failed'
        WHEN disabled_reason IS NOT NULL THEN disabled_reason
        WHEN consecutive_failures > 0 THEN 'failing'
        ELSE 'active'
      END AS state, count(*)::integer AS count
    FROM webhook_endpoint GROUP BY 1 ORDER BY 2 DESC LIMIT 20`
  const imports = yield* sql<Work["imports"][number]>`
    SELECT kind, runs::double precision AS runs, changed_rows::double precision AS rows,
      extract(epoch FROM last_at)::double precision AS "lastAt"
    FROM import_total ORDER BY kind LIMIT 20`
  if (counts === undefined) return yield* Effect.die("a SELECT without a condition answers one row")
  const work: Work = {
    events: { due: counts.events, lag: counts.eventLag },
    deliveries: {
      due: counts.deliveries,
      lag: counts.deliveryLag,
      inFlight: counts.inFlight,
      waiting: counts.waiting
    },
    research: { due: counts.research, lag: counts.researchLag, running: counts.running },
    endpoints,
    imports,
    cells: yield* Publication.cells
  }
  return work
})

/** The laws of what limits have counted, each as one statement that finds what breaks it. */
import { keptSince, type Law } from "./Law.ts"

export const limitLaws: ReadonlyArray<Law> = [
  {
    law: "A1",
    title: "The records counted in a period are those taken in it, each once",
    statement: `
      SELECT coalesce(u.org_id, t.org_id),
        'records since ' || to_char(coalesce(u.period_start, t.period_start) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'),
        format('%s are counted, %s by kind; %s were taken', coalesce(u.counted, 0), coalesce(u.kinds, 0),
          coalesce(t.taken, 0))
      FROM (
        SELECT org_id, period_start, sum(initial + recurring) AS counted, sum(properties + organizations + contacts) AS kinds
        FROM record_use GROUP BY org_id, period_start
      ) u
      FULL JOIN (
        SELECT org_id, period_start, count(DISTINCT (kind, record_id)) AS taken
        FROM record_taken GROUP BY org_id, period_start
      ) t ON t.org_id = u.org_id AND t.period_start = u.period_start
      WHERE (u.counted = t.taken AND u.kinds = t.taken) IS NOT TRUE`
  },
  {
    law: "D2",
    title: "What keys used of a day is part of what their organization used",
    statement: `
      SELECT u.org_id, u.kind || ' of ' || u.day, format('keys used %s, the organization %s', u.keys, u.whole)
      FROM (
        SELECT org_id, day, kind, coalesce(sum(used) FILTER (WHERE scope <> ''), 0) AS keys,
          coalesce(sum(used) FILTER (WHERE scope = ''), 0) AS whole
        FROM daily_use GROUP BY org_id, day, kind
      ) u
      WHERE u.keys > u.whole`
  },
  {
    law: "A6",
    title: "A delivery is booked when it arrived, and once",
    statement: `
      SELECT b.org_id, 'delivery ' || b.delivery_id,
        format('is booked %s times and %s', count(*), coalesce(min(l.state), 'has not ended'))
      FROM delivery_booked b
      LEFT JOIN (
        SELECT org_id, id, state FROM delivery_log
        UNION ALL SELECT org_id, id, 'delivered' FROM delivery WHERE delivered_at IS NOT NULL
      ) l ON l.id = b.delivery_id AND l.org_id = b.org_id
      WHERE l.id IS NOT NULL OR least(b.at, uuid_moment(b.delivery_id)) >= ${keptSince("deliveries")}
      GROUP BY b.org_id, b.delivery_id
      HAVING count(*) > 1 OR (min(l.state) = 'delivered') IS NOT TRUE`
  }
]

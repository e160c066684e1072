/**
 * What holds for everything else that belongs to an organization, each law as one statement that finds what breaks it.
 *
 * They repeat the constraints of the schema, so that a database that lost some is told apart from one that is sound, and
 * add what no constraint can say.
 */
import { mostMoves } from "@freehold/core/pipeline/Pipeline"
import { mostRetries } from "@freehold/core/webhook/RetryPolicy"
import { keptSince, type Law } from "./Law.ts"

/** Rows of `table` whose `columns` refer to no row of `parent`. */
const dangling = (
  table: string,
  record: string,
  parent: string,
  columns: ReadonlyArray<readonly [own: string, parents: string]>
) => `
  SELECT t.org_id, ${record}, 'refers to no ${parent.replaceAll("_", " ")} of its organization' FROM ${table} t
  WHERE NOT EXISTS (
    SELECT FROM ${parent} p WHERE ${columns.map(([own, parents]) => `p.${parents} = t.${own}`).join(" AND ")}
  )`

const ofOrganization = (table: string, record: string) => `
  SELECT t.org_id, ${record}, 'belongs to no organization' FROM ${table} t
  WHERE NOT EXISTS (SELECT FROM organization o WHERE o.org_id = t.org_id)`

/** Rows of `table` that the condition is true of. */
const wrong = (table: string, record: string, condition: string, fault: string) => `
  SELECT org_id, ${record}, ${fault} FROM ${table} WHERE ${condition}`

/** Rows of `table` that have these columns in common. */
const twice = (table: string, record: string, columns: string, condition = "true") => `
  SELECT min(org_id), ${record}, 'is there ' || count(*) || ' times' FROM ${table} WHERE ${condition}
  GROUP BY ${columns} HAVING count(*) > 1`

const all = (...statements: ReadonlyArray<string>): string => statements.join("\nUNION ALL\n")

const waitingStates = "'queued', 'delivering', 'retry_wait', 'postponed_daily_limit'"

const finalStates =
  "'delivered', 'failed', 'endpoint_gone', 'blocked_private_address', 'cancelled_endpoint_disabled', 'refused_no_credit'"

/** Both tables of deliveries. */
const everyDelivery = `(
  SELECT org_id, id, event_id, endpoint_id, state, attempts, resends, created_at FROM delivery
  UNION ALL
  SELECT org_id, id, event_id, endpoint_id, state, attempts, resends, created_at FROM delivery_log
)`

export const recordLaws: ReadonlyArray<Law> = [
  {
    law: "L12",
    title: "What belongs to an organization refers to what exists and to nothing of another organization",
    statement: all(
      ofOrganization("credit_account", "'account'"),
      ofOrganization("credential", "'key ' || t.name"),
      ofOrganization("member", "'member ' || t.email"),
      ofOrganization("organization_day", "'day ' || t.day"),
      ofOrganization("event", "'event ' || t.id"),
      ofOrganization("webhook_endpoint", "'endpoint ' || t.id"),
      dangling(
        "(SELECT * FROM credential WHERE member_id IS NOT NULL)",
        "'connection with ' || t.client_id",
        "member",
        [
          ["org_id", "org_id"],
          ["member_id", "member_id"]
        ]
      ),
      dangling("property_access", "'property ' || t.property_id", "property", [["property_id", "id"]]),
      dangling("contact_access", "'contact ' || t.contact_id", "contact", [["contact_id", "id"]]),
      dangling("property_access", "'property ' || t.property_id", "credit_account", [["org_id", "org_id"]]),
      dangling("contact_access", "'contact ' || t.contact_id", "credit_account", [["org_id", "org_id"]]),
      dangling("export_usage", "'exports of ' || t.month", "credit_account", [["org_id", "org_id"]]),
      dangling(`${everyDelivery}`, "'delivery ' || t.id", "event", [["org_id", "org_id"], ["event_id", "id"]]),
      dangling(`${everyDelivery}`, "'delivery ' || t.id", "webhook_endpoint", [
        ["org_id", "org_id"],
        ["endpoint_id", "id"]
      ])
    )
  },
  {
    law: "values",
    title: "Organizations, keys, members, entries and endpoints hold what their constraints allow, and are there once",
    statement: all(
      wrong(
        "organization",
        "'organization'",
        `(org_id ~ '^[A-Za-z0-9_-]{1,64}$' AND profile ->> 'org_id' = org_id
          AND profile ->> 'status' IN ('active', 'suspended', 'closed') AND status = profile ->> 'status') IS NOT TRUE`,
        "format('has id %s and status %s in its settings', profile ->> 'org_id', profile ->> 'status')"
      ),
      wrong(
        "credential",
        "'key ' || name",
        "(length(name) BETWEEN 1 AND 120 AND length(secret_hash) = 32) IS NOT TRUE",
        "'has an impossible name or secret'"
      ),
      wrong(
        "member",
        "'member ' || email",
        `(role IN ('admin', 'member', 'read_only') AND status IN ('active', 'removed')
          AND coalesce(monthly_credit_limit, 0) >= 0) IS NOT TRUE`,
        "format('is %s, %s, with limit %s', role, status, monthly_credit_limit)"
      ),
      wrong(
        "credit_entry",
        "'entry ' || entry",
        "(kind IN ('grant', 'charge', 'refund', 'expiry')) IS NOT TRUE",
        "format('is of kind %s', kind)"
      ),
      wrong(
        "credit_grant",
        "'grant ' || ref",
        "(bucket IN ('trial', 'included', 'enterprise_pool', 'purchased')) IS NOT TRUE",
        "format('is of bucket %s', bucket)"
      ),
      wrong(
        "webhook_endpoint",
        "'endpoint ' || id",
        "(active = (disabled_reason IS NULL) AND created_via IN ('api', 'manual', 'zapier')) IS NOT TRUE",
        "format('is active: %s, disabled: %s, created via %s', active, coalesce(disabled_reason, 'no'), created_via)"
      ),
      twice("organization", "'organization'", "org_id"),
      twice("credit_account", "'account'", "org_id"),
      twice("credential", "'key ' || min(name)", "secret_hash"),
      twice("member", "'member ' || lower(email)", "org_id, lower(email)"),
      twice("member", "'who signed in as ' || subject", "org_id, issuer, subject", "subject IS NOT NULL"),
      twice("credential", "'connection with ' || client_id", "org_id, member_id, client_id", "member_id IS NOT NULL"),
      twice("webhook_endpoint", "'active endpoint for ' || target_key", "org_id, target_key", "active")
    )
  },
  {
    law: "counters",
    title: "Counts of requests, exports and failures are never below zero, and there is one of each",
    statement: all(
      `SELECT w.org_id, 'window of key ' || c.name, format('counts %s', w.count)
      FROM credential_window w LEFT JOIN credential c ON c.org_id = w.org_id AND c.credential_id = w.credential_id
      WHERE (w.count >= 0 AND c.org_id IS NOT NULL) IS NOT TRUE`,
      wrong(
        "organization_day",
        "'day ' || day",
        "(requests >= 0) IS NOT TRUE",
        "format('counts %s requests', requests)"
      ),
      wrong(
        "export_usage",
        "'exports of ' || month",
        "(exports >= 0 AND extract(day FROM month) = 1) IS NOT TRUE",
        "format('counts %s', exports)"
      ),
      wrong(
        "webhook_endpoint",
        "'endpoint ' || id",
        "(consecutive_failures >= 0) IS NOT TRUE",
        "format('counts %s failures', consecutive_failures)"
      ),
      twice("organization_day", "'day ' || day", "org_id, day"),
      twice("export_usage", "'exports of ' || month", "org_id, month")
    )
  },
  {
    law: "deliveries",
    title: "A delivery waits or has ended, once for each event and endpoint, and each of its attempts has a line",
    statement: all(
      wrong(
        "delivery",
        "'delivery ' || id",
        `(state IN (${waitingStates})) IS NOT TRUE`,
        "format('waits as %s', state)"
      ),
      wrong(
        "delivery",
        "'delivery ' || id",
        `state IN (${waitingStates}) AND (state = 'delivering') <> (claimed_until IS NOT NULL)`,
        "format('is %s and claimed until %s', state, coalesce(claimed_until::text, 'never'))"
      ),
      wrong(
        "delivery_log",
        "'delivery ' || id",
        `(state IN (${finalStates})) IS NOT TRUE`,
        "format('ended as %s', state)"
      ),
      twice(`${everyDelivery} d`, "'delivery ' || id", "id"),
      `SELECT min(org_id), 'event ' || event_id, 'goes to endpoint ' || endpoint_id || ' ' || count(*) || ' times'
      FROM ${everyDelivery} d GROUP BY event_id, endpoint_id HAVING count(*) > 1`,
      `SELECT d.org_id, 'delivery ' || d.id, format('made %s attempts, of which %s have a line and %s got a 2xx; it is %s',
        d.attempts + d.resends, coalesce(l.lines, 0), coalesce(l.successes, 0), d.state)
      FROM ${everyDelivery} d
      LEFT JOIN (
        SELECT org_id, delivery_id, count(*) AS lines, count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS successes
        FROM delivery_attempt GROUP BY org_id, delivery_id
      ) l ON l.org_id = d.org_id AND l.delivery_id = d.id
      WHERE d.created_at >= ${keptSince("deliveries")}
        AND (d.attempts BETWEEN 0 AND ${mostRetries + 1} AND coalesce(l.lines, 0) >= d.attempts + d.resends
        AND (d.state <> 'delivered' OR l.successes > 0)) IS NOT TRUE`
    )
  },
  {
    law: "events",
    title: "An event is pending without a delivery, fanned out with at least one, or skipped for a reason",
    statement: `
      SELECT e.org_id, 'event ' || e.id, format('is %s, skipped for %s, fanned out %s, with deliveries: %s', e.status,
        coalesce(e.skip_reason, 'nothing'), coalesce(e.fanned_out_at::text, 'never'), d.event_id IS NOT NULL)
      FROM event e
      LEFT JOIN (
        SELECT org_id, event_id FROM delivery UNION SELECT org_id, event_id FROM delivery_log
      ) d ON d.org_id = e.org_id AND d.event_id = e.id
      WHERE CASE e.status
        WHEN 'pending' THEN e.skip_reason IS NULL AND e.fanned_out_at IS NULL AND d.event_id IS NULL
        WHEN 'fanned_out' THEN e.skip_reason IS NULL AND e.fanned_out_at IS NOT NULL
          AND (d.event_id IS NOT NULL OR e.fanned_out_at < ${keptSince("deliveries")})
        WHEN 'skipped' THEN e.skip_reason IS NOT NULL AND e.fanned_out_at IS NULL
      END IS NOT TRUE`
  },
  {
    law: "leads",
    title: "A lead is what its history ends with, the history has no gap, and its first qualification has one event",
    statement: all(
      `SELECT l.org_id, 'lead ' || l.property_id, format('is %s, worth %s, at version %s; its history ends with %s, %s, %s',
        l.status, coalesce(l.deal_value::text, 'nothing'), l.version, coalesce(h.to_status, 'nothing'),
        coalesce(h.deal_value::text, 'nothing'), coalesce(h.version::text, 'nothing'))
      FROM lead l
      LEFT JOIN (
        SELECT DISTINCT ON (org_id, property_id) * FROM lead_stage_history ORDER BY org_id, property_id, version DESC
      ) h ON h.org_id = l.org_id AND h.property_id = l.property_id
      WHERE (h.to_status = l.status AND h.version = l.version) IS NOT TRUE OR h.deal_value IS DISTINCT FROM l.deal_value`,
      // Of very many moves the first are gone.
      `SELECT h.org_id, 'lead ' || h.property_id, format('version %s goes from %s to %s, after %s', h.version,
        coalesce(h.from_status, 'nothing'), h.to_status, coalesce('version ' || h.previous || ', ' || h.before, 'nothing'))
      FROM (
        SELECT *, lag(version) OVER w AS previous, lag(to_status) OVER w AS before, max(version) OVER lead AS last
        FROM lead_stage_history
        WINDOW lead AS (PARTITION BY org_id, property_id), w AS (lead ORDER BY version)
      ) h
      WHERE CASE
        WHEN h.previous IS NOT NULL THEN h.version <> h.previous + 1 OR h.from_status IS DISTINCT FROM h.before
        WHEN h.version = 1 THEN h.from_status IS NOT NULL OR h.to_status <> 'qualified'
        ELSE h.version > h.last - ${mostMoves} + 1 OR h.from_status IS NULL
      END`,
      dangling("lead_stage_history", "'lead ' || t.property_id", "lead", [
        ["org_id", "org_id"],
        ["property_id", "property_id"]
      ]),
      // Of a merge, the survivor has the events of both.
      `SELECT org_id, 'property ' || property_id, format('has %s events of a qualification, and was qualified %s times',
        sum(events), sum(leads))
      FROM (
        SELECT org_id, property_id, 0 AS events, 1 AS leads FROM lead
        UNION ALL
        SELECT m.org_id, coalesce(p.retired_into, m.into_id), 0, 1
        FROM merged_lead m LEFT JOIN property p ON p.id = m.into_id
        UNION ALL
        SELECT org_id, property_id, 1, 0 FROM event WHERE type = 'lead.qualified' AND NOT test
      ) q
      GROUP BY org_id, property_id HAVING sum(events) <> sum(leads)`
    )
  }
]

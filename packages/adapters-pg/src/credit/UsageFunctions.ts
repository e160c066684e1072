/** What was counted towards limits, read and written beside the credits (`LedgerFunctions`). */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION ledger_usage(of_org text, query jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  DECLARE
    on_day CONSTANT date := (from_millis((query ->> 'day')::bigint) AT TIME ZONE 'UTC')::date;
    since CONSTANT timestamptz := from_millis((query ->> 'period')::bigint);
  BEGIN
    RETURN jsonb_build_object(
      'today', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('kind', u.kind, 'scope', u.scope, 'used', u.used)), '[]')
        FROM daily_use u
        WHERE u.org_id = of_org AND u.day = on_day AND u.scope IN ('', coalesce(query ->> 'credentialId', ''))
      ),
      'initial', (SELECT coalesce(sum(u.initial), 0) FROM record_use u WHERE u.org_id = of_org),
      'period', (
        SELECT jsonb_build_object('recurring', u.recurring, 'property', u.properties, 'organization', u.organizations,
          'contact', u.contacts)
        FROM record_use u WHERE u.org_id = of_org AND u.period_start = since
      ),
      'underWay', (
        SELECT jsonb_build_object('exports', count(*), 'records', coalesce(sum(d.held_records), 0))
        FROM delivery d
        WHERE d.org_id = of_org AND d.held_claim IS NOT NULL AND d.held_claim = d.claim AND d.claimed_until > now()
      ),
      'freshRecords', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('kind', r.kind, 'id', r.id) ORDER BY r.place), '[]')
        FROM (
          SELECT a.kind, a.id, min(a.place) AS place
          FROM ROWS FROM (jsonb_to_recordset(query -> 'records') AS (kind text, id uuid))
            WITH ORDINALITY AS a(kind, id, place)
          GROUP BY a.kind, a.id
        ) r
        WHERE NOT EXISTS (
          SELECT FROM record_taken t
          WHERE t.org_id = of_org AND t.period_start = since AND t.kind = r.kind AND t.record_id = r.id
        )
      ),
      'freshContacts', (
        SELECT coalesce(jsonb_agg(c.id ORDER BY c.place), '[]')
        FROM (
          SELECT a.id::uuid AS id, min(a.place) AS place
          FROM jsonb_array_elements_text(query -> 'contacts') WITH ORDINALITY AS a(id, place) GROUP BY a.id::uuid
        ) c
        WHERE NOT EXISTS (
          SELECT FROM contact_disclosed t WHERE t.org_id = of_org AND t.day = on_day AND t.contact_id = c.id
        )
      ),
      'spent', CASE WHEN query #>> '{spender,memberId}' IS NULL THEN 0 ELSE (
        SELECT coalesce(-sum(e.credits), 0) FROM credit_entry e
        WHERE e.org_id = of_org AND e.kind = 'charge' AND e.actor ->> 'kind' = 'member'
          AND e.actor ->> 'id' = query #>> '{spender,memberId}'
          AND e.at >= from_millis((query #>> '{spender,since}')::bigint)
          AND e.at < from_millis((query #>> '{spender,until}')::bigint)
          AND NOT EXISTS (SELECT FROM credit_entry r WHERE r.org_id = of_org AND r.refund_of = e.entry)
      ) END
    );
  END $$`,
  Comment.onFunction(
    "ledger_usage",
    `
    What a decision needs of what limits have counted. It takes no lock. Plans are kept, and the first are made
    while the tables are small; hence none that reads a whole table.
  `
  ),

  `CREATE OR REPLACE FUNCTION ledger_count(of_org text, at_ms bigint, change jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    on_day CONSTANT date := (from_millis((change ->> 'day')::bigint) AT TIME ZONE 'UTC')::date;
    since CONSTANT timestamptz := from_millis((change ->> 'period')::bigint);
    of_initial CONSTANT integer := (change ->> 'fromInitial')::integer;
  BEGIN
    INSERT INTO daily_use AS u (org_id, day, kind, scope, used)
    SELECT of_org, on_day, k.key, s.scope, k.value::integer
    FROM jsonb_each_text(change -> 'kinds') AS k
    CROSS JOIN LATERAL (VALUES (''), (change ->> 'credentialId')) AS s(scope)
    WHERE k.value::integer > 0 AND s.scope IS NOT NULL
    ON CONFLICT (org_id, day, kind, scope) DO UPDATE SET used = u.used + excluded.used;

    IF jsonb_array_length(change -> 'contacts') > 0 THEN
      /* With the first of a day go those of long ago; a call that started before midnight may still ask about yesterday. */
      IF NOT EXISTS (SELECT FROM contact_disclosed c WHERE c.org_id = of_org AND c.day >= on_day) THEN
        DELETE FROM contact_disclosed c WHERE c.org_id = of_org AND c.day < on_day - 2;
      END IF;
      INSERT INTO contact_disclosed (org_id, day, contact_id)
      SELECT of_org, on_day, c::uuid FROM jsonb_array_elements_text(change -> 'contacts') AS c;
    END IF;

    IF jsonb_array_length(change -> 'records') > 0 THEN
      INSERT INTO record_taken (org_id, period_start, kind, record_id, at)
      SELECT of_org, since, r.kind, r.id, from_millis(at_ms)
      FROM jsonb_to_recordset(change -> 'records') AS r(kind text, id uuid);
      INSERT INTO record_use AS u (org_id, period_start, initial, recurring, properties, organizations, contacts)
      SELECT of_org, since, of_initial, count(*) - of_initial, count(*) FILTER (WHERE r.kind = 'property'),
        count(*) FILTER (WHERE r.kind = 'organization'), count(*) FILTER (WHERE r.kind = 'contact')
      FROM jsonb_to_recordset(change -> 'records') AS r(kind text)
      ON CONFLICT (org_id, period_start) DO UPDATE SET initial = u.initial + excluded.initial,
        recurring = u.recurring + excluded.recurring, properties = u.properties + excluded.properties,
        organizations = u.organizations + excluded.organizations, contacts = u.contacts + excluded.contacts;
    END IF;

    IF change #>> '{holds,deliveryId}' IS NOT NULL THEN
      /* Whoever has the row is ending this claim, and may be waiting for the account. */
      UPDATE delivery d
      SET held_claim = d.claim, held_records = (change #>> '{holds,records}')::integer
      WHERE d.org_id = of_org AND d.id IN (
        SELECT h.id FROM delivery h
        WHERE h.org_id = of_org AND h.id = (change #>> '{holds,deliveryId}')::uuid AND h.claim = (change #>> '{holds,claim}')::integer
        FOR NO KEY UPDATE SKIP LOCKED
      );
    END IF;
  END $$`,
  Comment.onFunction("ledger_count", "Adds what a decision counts; the account is locked in the same transaction.")
]

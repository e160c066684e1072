/**
 * Functions for the units of work that must lock first and read after, in one round trip.
 *
 * - `authorize`: finds a key and counts one request (`KeyRingPg`).
 * - `organization_hold`: reads an organization and keeps others from administering it until the transaction ends.
 * - `ledger_open`, `ledger_apply`: take an organization's ledger lock and read what a decision needs; apply it
 *   (`LedgerPg`).
 *
 * Every statement of a volatile function sees what was committed before that statement began. That is what makes a
 * read after a lock current.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE FUNCTION from_millis(millis bigint) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN to_timestamp(millis / 1000.0)`,

  `CREATE FUNCTION to_millis(at timestamptz) RETURNS bigint
  LANGUAGE sql STABLE PARALLEL SAFE RETURN floor(extract(epoch FROM at) * 1000)::bigint`,

  `CREATE FUNCTION to_iso(at timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE RETURN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,

  /*
   * The rule of core's RateWindow.count, with the day's ceiling: a request counts in both or, refused by one, in none.
   *
   * It reads without a lock first, so that a flood of refused requests writes and waits for nothing. Counts only grow
   * within their window and day, so a refusal that was read stands. An admission is counted by updates that repeat the
   * condition; when another request took the last place in between, everything is read again. Always day before window,
   * so that two requests cannot wait for each other.
   *
   * The commit does not wait for the disk: a crash of the database server may forget the requests of its last half
   * second, and nothing else is written here.
   */
  `CREATE FUNCTION authorize(
    given_hash bytea,
    now_ms bigint,
    known_revision bigint,
    team_minute bigint,
    enterprise_minute bigint,
    team_day bigint,
    enterprise_day bigint
  ) RETURNS TABLE (
    key_id uuid,
    key_org text,
    key_name text,
    key_label text,
    key_scopes text[],
    key_daily_limits jsonb,
    key_created_at timestamptz,
    org_revision double precision,
    /* Only when its revision is not the known one. */
    org_profile jsonb,
    minute_admitted boolean,
    minute_limit double precision,
    minute_used integer,
    minute_started_at double precision,
    day_admitted boolean,
    day_limit double precision,
    day_used integer
  ) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    window_ms CONSTANT bigint := 60000;
    today CONSTANT date := (from_millis(now_ms) AT TIME ZONE 'UTC')::date;
    fact record;
    per_minute bigint;
    per_day bigint;
    started bigint;
    used integer;
    restarts boolean;
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    LOOP
      SELECT c.credential_id, c.org_id, c.name, c.label, c.scopes, c.daily_limits, c.created_at, o.profile, o.revision,
        w.started_at, w.count, d.requests
      INTO fact
      FROM credential c
      JOIN organization o ON o.org_id = c.org_id
      LEFT JOIN credential_window w ON w.credential_id = c.credential_id
      LEFT JOIN organization_day d ON d.org_id = c.org_id AND d.day = today
      WHERE c.secret_hash = given_hash AND c.revoked_at IS NULL;
      IF NOT FOUND THEN RETURN; END IF;

      per_minute := coalesce(
        (fact.profile ->> 'requests_per_minute')::bigint,
        CASE fact.profile ->> 'plan' WHEN 'enterprise' THEN enterprise_minute ELSE team_minute END
      );
      per_day := coalesce(
        (fact.profile ->> 'requests_per_day')::bigint,
        CASE fact.profile ->> 'plan' WHEN 'enterprise' THEN enterprise_day ELSE team_day END
      );
      restarts := fact.started_at IS NULL OR now_ms >= fact.started_at + window_ms;
      started := CASE WHEN restarts THEN now_ms ELSE fact.started_at END;
      used := CASE WHEN restarts THEN 0 ELSE fact.count END;
      minute_admitted := used < per_minute;
      day_used := coalesce(fact.requests, 0);
      day_admitted := per_day IS NULL OR day_used < per_day;

      IF minute_admitted AND day_admitted THEN
        IF per_day IS NOT NULL THEN
          IF fact.requests IS NULL THEN
            INSERT INTO organization_day (org_id, day, requests) VALUES (fact.org_id, today, 1)
            ON CONFLICT DO NOTHING RETURNING requests INTO day_used;
          ELSE
            UPDATE organization_day d SET requests = d.requests + 1
            WHERE d.org_id = fact.org_id AND d.day = today AND d.requests < per_day
            RETURNING d.requests INTO day_used;
          END IF;
          CONTINUE WHEN NOT FOUND;
        END IF;
        IF fact.started_at IS NULL THEN
          INSERT INTO credential_window AS w (credential_id, started_at, count)
          VALUES (fact.credential_id, now_ms, 1)
          ON CONFLICT DO NOTHING RETURNING w.started_at, w.count INTO started, used;
        ELSE
          UPDATE credential_window w SET
            started_at = CASE WHEN now_ms >= w.started_at + window_ms THEN now_ms ELSE w.started_at END,
            count = CASE WHEN now_ms >= w.started_at + window_ms THEN 1 ELSE w.count + 1 END
          WHERE w.credential_id = fact.credential_id
            AND (now_ms >= w.started_at + window_ms OR w.count < per_minute)
          RETURNING w.started_at, w.count INTO started, used;
        END IF;
        IF NOT FOUND THEN
          IF per_day IS NOT NULL THEN
            UPDATE organization_day d SET requests = d.requests - 1 WHERE d.org_id = fact.org_id AND d.day = today;
          END IF;
          CONTINUE;
        END IF;
      ELSIF restarts AND NOT minute_admitted THEN
        /* Nothing is allowed; the window starts all the same. */
        INSERT INTO credential_window AS w (credential_id, started_at, count) VALUES (fact.credential_id, now_ms, 0)
        ON CONFLICT (credential_id) DO UPDATE SET started_at = now_ms, count = 0
        WHERE now_ms >= w.started_at + window_ms;
        CONTINUE WHEN NOT FOUND;
      END IF;
      EXIT;
    END LOOP;

    key_id := fact.credential_id;
    key_org := fact.org_id;
    key_name := fact.name;
    key_label := fact.label;
    key_scopes := fact.scopes;
    key_daily_limits := fact.daily_limits;
    key_created_at := fact.created_at;
    org_revision := fact.revision;
    org_profile := CASE WHEN fact.revision IS DISTINCT FROM known_revision THEN fact.profile END;
    minute_limit := per_minute;
    minute_used := used;
    minute_started_at := started;
    day_limit := per_day;
    RETURN NEXT;
  END $$`,

  `CREATE FUNCTION organization_hold(held_org text) RETURNS SETOF jsonb LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('organization ' || held_org, 0));
    RETURN QUERY SELECT profile FROM organization WHERE org_id = held_org;
  END $$`,

  `CREATE FUNCTION credit_entry_json(e credit_entry) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE RETURN
    jsonb_build_object(
      'entry', e.entry, 'at', to_iso(e.at), 'kind', e.kind, 'ref', e.ref, 'action', e.action,
      'subject_type', e.subject_type, 'subject_id', e.subject_id, 'credits', e.credits,
      'buckets', jsonb_build_object('trial', e.trial, 'included', e.included, 'enterprise_pool', e.enterprise_pool,
        'purchased', e.purchased),
      'balance_after', e.balance_after, 'actor', e.actor, 'request_id', e.request_id, 'refund_of', e.refund_of,
      'allocations', e.allocations
    )`,

  /*
   * No row: there is no such organization. The item's lock is tried, never waited for, and before the account's, so
   * that the second call about an item is told at once; both end with the transaction, however it ends.
   */
  `CREATE FUNCTION ledger_open(of_org text, subject_kind text, subject text, is_exclusive boolean)
  RETURNS TABLE (
    in_progress boolean,
    account_version integer,
    org_facts jsonb,
    grants jsonb,
    access_source text,
    access_charge integer,
    opened_by_property boolean,
    exports_used integer,
    subject_entry jsonb,
    refunded_by integer
  ) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    touched text[] := '{}';
    e credit_entry;
  BEGIN
    in_progress := is_exclusive AND NOT pg_try_advisory_xact_lock(
      hashtextextended('ledger ' || of_org || ' ' || subject_kind || ' ' || subject, 0)
    );
    IF in_progress THEN RETURN NEXT; RETURN; END IF;

    PERFORM FROM credit_account a WHERE a.org_id = of_org FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      INSERT INTO credit_account (org_id) SELECT o.org_id FROM organization o WHERE o.org_id = of_org
      ON CONFLICT DO NOTHING;
      PERFORM FROM credit_account a WHERE a.org_id = of_org FOR NO KEY UPDATE;
      IF NOT FOUND THEN RETURN; END IF;
    END IF;

    SELECT a.version, jsonb_build_object(
      'plan', o.profile -> 'plan', 'status', o.profile -> 'status', 'payment_status', o.profile -> 'payment_status',
      'credits_dormant', o.profile -> 'credits_dormant', 'features', o.profile -> 'features',
      'export_allowance', o.profile -> 'export_allowance')
    INTO account_version, org_facts
    FROM credit_account a JOIN organization o ON o.org_id = a.org_id WHERE a.org_id = of_org;

    opened_by_property := false;
    exports_used := 0;
    CASE subject_kind
      WHEN 'Property' THEN
        SELECT p.source, p.charge_entry INTO access_source, access_charge
        FROM property_access p WHERE p.org_id = of_org AND p.property_id = subject::uuid;
      WHEN 'Contact' THEN
        SELECT c.source, c.charge_entry INTO access_source, access_charge
        FROM contact_access c WHERE c.org_id = of_org AND c.contact_id = subject::uuid;
        opened_by_property := EXISTS (
          SELECT FROM property_contact l
          JOIN property_access p ON p.org_id = of_org AND p.property_id = l.property_id AND p.source = 'paid'
          WHERE l.contact_id = subject::uuid
        );
      WHEN 'Exports' THEN
        SELECT u.exports INTO exports_used FROM export_usage u
        WHERE u.org_id = of_org AND u.month = (from_millis(subject::bigint) AT TIME ZONE 'UTC')::date;
        exports_used := coalesce(exports_used, 0);
      WHEN 'Grant' THEN
        SELECT * INTO e FROM credit_entry g WHERE g.org_id = of_org AND g.kind = 'grant' AND g.ref = subject;
      WHEN 'Entry' THEN
        SELECT * INTO e FROM credit_entry g WHERE g.org_id = of_org AND g.entry = subject::integer;
        SELECT coalesce(array_agg(t ->> 'grantRef'), '{}') INTO touched FROM jsonb_array_elements(e.allocations) t;
        SELECT g.entry INTO refunded_by FROM credit_entry g WHERE g.org_id = of_org AND g.refund_of = subject::integer;
    END CASE;
    IF e.entry IS NOT NULL THEN subject_entry := credit_entry_json(e); END IF;

    SELECT coalesce(jsonb_agg(
      jsonb_build_object('ref', g.ref, 'bucket', g.bucket, 'remaining', g.remaining,
        'expiresAt', to_millis(g.expires_at))
      ORDER BY array_position(ARRAY['trial', 'included', 'enterprise_pool', 'purchased'], g.bucket),
        g.expires_at NULLS LAST, g.entry), '[]')
    INTO grants
    FROM (
      SELECT open.* FROM credit_grant open WHERE open.org_id = of_org AND open.remaining > 0
      UNION
      SELECT used.* FROM credit_grant used WHERE used.org_id = of_org AND used.ref = ANY (touched)
    ) g;
    RETURN NEXT;
  END $$`,

  /* The account is locked by ledger_open in the same transaction. What does not fit what it read is a fault of ours. */
  `CREATE FUNCTION ledger_apply(of_org text, at_ms bigint, decision jsonb) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    now_at CONSTANT timestamptz := from_millis(at_ms);
    last credit_entry;
    total integer;
    charged integer;
    expected integer;
    done integer;
    change record;
  BEGIN
    IF jsonb_array_length(decision -> 'entries') > 0 THEN
      INSERT INTO credit_entry (org_id, entry, at, kind, ref, action, subject_type, subject_id, credits, trial, included,
        enterprise_pool, purchased, balance_after, actor, request_id, refund_of, allocations)
      SELECT of_org, r.entry, now_at, r.kind, r.ref, r.action, r.subject_type, r.subject_id, r.credits,
        (r.buckets ->> 'trial')::integer, (r.buckets ->> 'included')::integer,
        (r.buckets ->> 'enterprise_pool')::integer, (r.buckets ->> 'purchased')::integer,
        r.balance_after, r.actor, r.request_id, r.refund_of, r.allocations
      FROM jsonb_to_recordset(decision -> 'entries') AS r (entry integer, kind text, ref text, action text,
        subject_type text, subject_id text, credits integer, buckets jsonb, balance_after integer, actor jsonb,
        request_id text, refund_of integer, allocations jsonb);

      UPDATE credit_account a SET version = a.version + s.entries, trial = a.trial + s.trial,
        included = a.included + s.included, enterprise_pool = a.enterprise_pool + s.enterprise_pool,
        purchased = a.purchased + s.purchased
      FROM (
        SELECT count(*)::integer AS entries, sum(n.trial)::integer AS trial, sum(n.included)::integer AS included,
          sum(n.enterprise_pool)::integer AS enterprise_pool, sum(n.purchased)::integer AS purchased
        FROM credit_entry n WHERE n.org_id = of_org AND n.entry > (decision -> 'version')::integer
      ) s
      WHERE a.org_id = of_org AND a.version = (decision -> 'version')::integer
      RETURNING a.trial + a.included + a.enterprise_pool + a.purchased INTO total;
      SELECT * INTO last FROM credit_entry n WHERE n.org_id = of_org ORDER BY n.entry DESC LIMIT 1;
      IF total IS DISTINCT FROM last.balance_after THEN
        RAISE EXCEPTION 'the ledger of % does not follow from its entries', of_org;
      END IF;

      INSERT INTO credit_grant (org_id, ref, bucket, amount, remaining, expires_at, entry)
      SELECT of_org, g.ref, g.bucket, g.remaining, g.remaining, from_millis(g."expiresAt"), n.entry
      FROM jsonb_to_recordset(decision -> 'newGrants') AS g (ref text, bucket text, remaining integer, "expiresAt" bigint)
      JOIN credit_entry n ON n.org_id = of_org AND n.kind = 'grant' AND n.ref = g.ref;

      WITH moved AS (
        SELECT t."grantRef" AS ref, sum(CASE r.kind WHEN 'refund' THEN t.amount ELSE -t.amount END)::integer AS amount
        FROM jsonb_to_recordset(decision -> 'entries') AS r (kind text, allocations jsonb),
          jsonb_to_recordset(r.allocations) AS t ("grantRef" text, amount integer)
        GROUP BY t."grantRef"
      ), updated AS (
        UPDATE credit_grant g SET remaining = g.remaining + moved.amount
        FROM moved WHERE g.org_id = of_org AND g.ref = moved.ref
        RETURNING 1
      )
      SELECT (SELECT count(*) FROM moved), (SELECT count(*) FROM updated) INTO expected, done;
      IF done <> expected THEN
        RAISE EXCEPTION 'the ledger of % names a grant that it does not have', of_org;
      END IF;
    END IF;

    SELECT min(r.entry) INTO charged
    FROM jsonb_to_recordset(decision -> 'entries') AS r (entry integer, kind text) WHERE r.kind = 'charge';
    FOR change IN
      SELECT * FROM jsonb_to_recordset(decision -> 'access') AS r (_tag text, kind text, id uuid, source text)
    LOOP
      CASE change._tag || ' ' || change.kind
        WHEN 'Record property' THEN
          INSERT INTO property_access AS p (org_id, property_id, source, charge_entry, at)
          VALUES (of_org, change.id, change.source, CASE change.source WHEN 'paid' THEN charged END, now_at)
          ON CONFLICT (org_id, property_id) DO UPDATE
          SET source = excluded.source, charge_entry = excluded.charge_entry, at = excluded.at;
        WHEN 'Record contact' THEN
          INSERT INTO contact_access AS c (org_id, contact_id, source, charge_entry, at)
          VALUES (of_org, change.id, change.source, CASE change.source WHEN 'paid' THEN charged END, now_at)
          ON CONFLICT (org_id, contact_id) DO UPDATE
          SET source = excluded.source, charge_entry = excluded.charge_entry, at = excluded.at;
        WHEN 'Remove property' THEN
          DELETE FROM property_access p WHERE p.org_id = of_org AND p.property_id = change.id;
        WHEN 'Remove contact' THEN
          DELETE FROM contact_access c WHERE c.org_id = of_org AND c.contact_id = change.id;
      END CASE;
    END LOOP;

    IF (decision -> 'exports')::integer > 0 THEN
      INSERT INTO export_usage AS u (org_id, month, exports)
      VALUES (
        of_org,
        (from_millis((decision -> 'month')::bigint) AT TIME ZONE 'UTC')::date,
        (decision -> 'exports')::integer
      )
      ON CONFLICT (org_id, month) DO UPDATE SET exports = u.exports + excluded.exports;
    END IF;
  END $$`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

/**
 * What `LedgerPg` calls: the units of work that must lock first and read after, each in one round trip.
 *
 * Every statement of a volatile function sees what was committed before that statement began. That is what makes a read
 * after a lock current.
 */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION credit_entry_json(e credit_entry) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE RETURN
    jsonb_build_object(
      'entry', e.entry, 'at', to_iso(e.at), 'kind', e.kind, 'ref', e.ref, 'action', e.action,
      'subject_type', e.subject_type, 'subject_id', e.subject_id, 'credits', e.credits,
      'buckets', jsonb_build_object('trial', e.trial, 'included', e.included, 'enterprise_pool', e.enterprise_pool,
        'purchased', e.purchased),
      'balance_after', e.balance_after, 'actor', e.actor, 'request_id', e.request_id, 'refund_of', e.refund_of,
      'allocations', e.allocations
    )`,
  Comment.onFunction("credit_entry_json", "A ledger entry as the core reads it."),

  `CREATE OR REPLACE FUNCTION ledger_snapshot(of_org text, subject_kind text, subject text, usage_query jsonb)
  RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
  DECLARE
    account record;
    grants jsonb;
    access_source text;
    access_charge integer;
    opened_by_property boolean;
    exports_used integer;
    refunded_by integer;
    touched text[] := '{}';
    e credit_entry;
  BEGIN
    SELECT coalesce(a.version, 0) AS version, coalesce(a.revision, 0) AS revision, o.profile
    INTO account
    FROM organization o LEFT JOIN credit_account a ON a.org_id = o.org_id WHERE o.org_id = of_org;
    IF NOT FOUND THEN RETURN NULL; END IF;

    opened_by_property := false;
    exports_used := 0;
    CASE subject_kind
      WHEN 'Property' THEN
        SELECT p.source, p.charge_entry INTO access_source, access_charge
        FROM property_access p WHERE p.org_id = of_org AND p.property_id = subject::uuid;
      WHEN 'Contact' THEN
        SELECT c.source, c.charge_entry INTO access_source, access_charge
        FROM contact_access c WHERE c.org_id = of_org AND c.contact_id = subject::uuid;
        /* A tie without a county is of a retired property, and what was paid for is its survivor's. */
        opened_by_property := EXISTS (
          SELECT FROM property_contact l
          JOIN property_access p ON p.org_id = of_org AND p.property_id = l.property_id AND p.source = 'paid'
          WHERE l.contact_id = subject::uuid AND l.county_fips IS NOT NULL
        );
      WHEN 'Firm' THEN
        /* A firm is never bought. */
      WHEN 'Own' THEN
        /* The action, a space (no action has one), the subject's id. */
        SELECT 'paid', o.charge_entry INTO access_source, access_charge FROM own_access o
        WHERE o.org_id = of_org AND o.action = split_part(subject, ' ', 1)
          AND o.subject_id = substr(subject, strpos(subject, ' ') + 1);
      WHEN 'Exports' THEN
        /* The month's first millisecond; of one property, a space and its id. */
        SELECT u.exports INTO exports_used FROM export_usage u
        WHERE u.org_id = of_org
          AND u.month = (from_millis(split_part(subject, ' ', 1)::bigint) AT TIME ZONE 'UTC')::date;
        exports_used := coalesce(exports_used, 0);
        SELECT p.source, p.charge_entry INTO access_source, access_charge
        FROM property_access p
        WHERE p.org_id = of_org AND p.property_id = nullif(split_part(subject, ' ', 2), '')::uuid;
      WHEN 'Research' THEN
        /* What was launched before is the run's to know. */
        NULL;
      WHEN 'Grant' THEN
        SELECT * INTO e FROM credit_entry g WHERE g.org_id = of_org AND g.kind = 'grant' AND g.ref = subject;
      WHEN 'Entry' THEN
        SELECT * INTO e FROM credit_entry g WHERE g.org_id = of_org AND g.entry = subject::integer;
        SELECT coalesce(array_agg(t ->> 'grantRef'), '{}') INTO touched FROM jsonb_array_elements(e.allocations) t;
        SELECT g.entry INTO refunded_by FROM credit_entry g WHERE g.org_id = of_org AND g.refund_of = subject::integer;
    END CASE;

    SELECT coalesce(jsonb_agg(
      jsonb_build_object('ref', g.ref, 'bucket', g.bucket, 'remaining', g.remaining,
        'expiresAt', to_millis(g.expires_at))
      ORDER BY array_position(ARRAY['trial', 'included', 'enterprise_pool', 'purchased'], g.bucket),
        g.expires_at NULLS LAST, g.entry), '[]')
    INTO grants
    FROM (
      SELECT * FROM credit_grant WHERE org_id = of_org AND remaining > 0
      UNION ALL
      SELECT * FROM credit_grant WHERE org_id = of_org AND remaining = 0 AND ref = ANY (touched)
    ) g;
    RETURN jsonb_build_object(
      'revision', account.revision,
      'version', account.version,
      'organization', jsonb_build_object(
        'plan', account.profile -> 'plan', 'status', account.profile -> 'status',
        'payment_status', account.profile -> 'payment_status', 'credits_dormant', account.profile -> 'credits_dormant',
        'features', account.profile -> 'features', 'export_allowance', account.profile -> 'export_allowance'),
      'grants', grants,
      'access', CASE WHEN access_source IS NOT NULL THEN
        jsonb_build_object('source', access_source, 'chargeEntry', access_charge) END,
      'openedByProperty', opened_by_property,
      'exportsUsed', exports_used,
      'entry', CASE WHEN e.entry IS NOT NULL THEN credit_entry_json(e) END,
      'refundedBy', refunded_by,
      'usage', CASE WHEN usage_query IS NOT NULL THEN ledger_usage(of_org, usage_query) END
    );
  END $$`,
  Comment.onFunction(
    "ledger_snapshot",
    `
    What a decision about the subject needs, as one moment saw it; null: there is no such organization. With
    usage_query also what limits have counted. It locks nothing: whether it still holds is told by the account's
    revision.
  `
  ),

  `CREATE OR REPLACE FUNCTION ledger_snapshots(of_org text, calls jsonb) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
  BEGIN
    RETURN (
      SELECT jsonb_agg(
        ledger_snapshot(of_org, c.call ->> 'kind', c.call ->> 'subject', nullif(c.call -> 'usage', 'null')) ORDER BY c.place
      )
      FROM jsonb_array_elements(calls) WITH ORDINALITY AS c(call, place)
    );
  END $$`,
  Comment.onFunction(
    "ledger_snapshots",
    "The ledger_snapshot of each call, all as one moment saw them; null without a call."
  ),

  `CREATE OR REPLACE FUNCTION ledger_lock_all(of_org text, calls jsonb) RETURNS boolean[] LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    given jsonb;
    locked boolean[] := '{}';
  BEGIN
    FOR i IN 0 .. jsonb_array_length(calls) - 1 LOOP
      given := calls -> i;
      locked := locked || CASE WHEN (given ->> 'exclusive')::boolean THEN pg_try_advisory_xact_lock(
        hashtextextended('ledger ' || of_org || ' ' || (given ->> 'kind') || ' ' || (given ->> 'subject'), 0)
      ) ELSE true END;
    END LOOP;
    IF true = ANY (locked) THEN
      PERFORM FROM credit_account a WHERE a.org_id = of_org FOR NO KEY UPDATE;
      IF NOT FOUND THEN
        INSERT INTO credit_account (org_id) SELECT o.org_id FROM organization o WHERE o.org_id = of_org
        ON CONFLICT DO NOTHING;
        PERFORM FROM credit_account a WHERE a.org_id = of_org FOR NO KEY UPDATE;
      END IF;
    END IF;
    RETURN locked;
  END $$`,
  Comment.onFunction(
    "ledger_lock_all",
    `
    Takes the item's lock of each exclusive call, and then the account's; false: another transaction works on that item. An
    item's lock is tried, never waited for, and before the account's, so that the second call about an item is told at
    once. All end with the transaction, however it ends.
  `
  ),

  `CREATE OR REPLACE FUNCTION ledger_lock(of_org text, subject_kind text, subject text, is_exclusive boolean)
  RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    RETURN (ledger_lock_all(of_org, jsonb_build_array(
      jsonb_build_object('kind', subject_kind, 'subject', subject, 'exclusive', is_exclusive)
    )))[1];
  END $$`,
  Comment.onFunction("ledger_lock", "Locks as ledger_lock_all does, for one call."),

  `CREATE OR REPLACE FUNCTION ledger_open(of_org text, subject_kind text, subject text, is_exclusive boolean, usage_query jsonb)
  RETURNS TABLE (in_progress boolean, snapshot jsonb) LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    in_progress := NOT ledger_lock(of_org, subject_kind, subject, is_exclusive);
    IF NOT in_progress THEN snapshot := ledger_snapshot(of_org, subject_kind, subject, usage_query); END IF;
    RETURN NEXT;
  END $$`,
  Comment.onFunction("ledger_open", "Locks as ledger_lock does, and reads the snapshot after it."),

  `CREATE OR REPLACE FUNCTION ledger_open_all(of_org text, calls jsonb)
  RETURNS TABLE (locked boolean[], snapshots jsonb) LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    locked := ledger_lock_all(of_org, calls);
    snapshots := ledger_snapshots(of_org, calls);
    RETURN NEXT;
  END $$`,
  Comment.onFunction("ledger_open_all", "Locks as ledger_lock_all does, and reads the snapshots after it."),

  `CREATE OR REPLACE FUNCTION ledger_apply(of_org text, at_ms bigint, decision jsonb, counted jsonb)
  RETURNS void LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    now_at CONSTANT timestamptz := from_millis(at_ms);
    entries CONSTANT jsonb := decision -> 'entries';
    part jsonb;
    moved jsonb;
    charged integer;
    changed record;
    trial_change integer := 0;
    included_change integer := 0;
    pool_change integer := 0;
    purchased_change integer := 0;
    heir uuid;
  BEGIN
    FOR i IN 0 .. jsonb_array_length(entries) - 1 LOOP
      part := entries -> i;
      INSERT INTO credit_entry (org_id, entry, at, kind, ref, action, subject_type, subject_id, credits, trial, included,
        enterprise_pool, purchased, balance_after, actor, request_id, refund_of, allocations)
      VALUES (of_org, (part ->> 'entry')::integer, now_at, part ->> 'kind', part ->> 'ref', part ->> 'action',
        part ->> 'subject_type', part ->> 'subject_id', (part ->> 'credits')::integer,
        (part -> 'buckets' ->> 'trial')::integer, (part -> 'buckets' ->> 'included')::integer,
        (part -> 'buckets' ->> 'enterprise_pool')::integer, (part -> 'buckets' ->> 'purchased')::integer,
        (part ->> 'balance_after')::integer, part -> 'actor', part ->> 'request_id', (part ->> 'refund_of')::integer,
        part -> 'allocations');
      trial_change := trial_change + (part -> 'buckets' ->> 'trial')::integer;
      included_change := included_change + (part -> 'buckets' ->> 'included')::integer;
      pool_change := pool_change + (part -> 'buckets' ->> 'enterprise_pool')::integer;
      purchased_change := purchased_change + (part -> 'buckets' ->> 'purchased')::integer;
      IF part ->> 'kind' = 'charge' AND charged IS NULL THEN charged := (part ->> 'entry')::integer; END IF;

      FOR j IN 0 .. jsonb_array_length(part -> 'allocations') - 1 LOOP
        moved := part -> 'allocations' -> j;
        UPDATE credit_grant SET remaining = remaining
          + CASE part ->> 'kind' WHEN 'refund' THEN 1 ELSE -1 END * (moved ->> 'amount')::integer
        WHERE org_id = of_org AND ref = moved ->> 'grantRef';
        IF NOT FOUND THEN RAISE EXCEPTION 'the ledger of % has no grant %', of_org, moved ->> 'grantRef'; END IF;
      END LOOP;
    END LOOP;

    UPDATE credit_account SET revision = revision + 1, version = coalesce((part ->> 'entry')::integer, version),
      trial = trial + trial_change, included = included + included_change,
      enterprise_pool = enterprise_pool + pool_change, purchased = purchased + purchased_change
    WHERE org_id = of_org AND version = (decision ->> 'version')::integer
    RETURNING version - (decision ->> 'version')::integer AS added,
      trial + included + enterprise_pool + purchased AS balance
    INTO changed;
    IF changed.added IS DISTINCT FROM jsonb_array_length(entries)
      OR part IS NOT NULL AND changed.balance IS DISTINCT FROM (part ->> 'balance_after')::integer THEN
      RAISE EXCEPTION 'the ledger of % does not follow from its entries', of_org;
    END IF;

    FOR i IN 0 .. jsonb_array_length(decision -> 'newGrants') - 1 LOOP
      part := decision -> 'newGrants' -> i;
      INSERT INTO credit_grant (org_id, ref, bucket, amount, remaining, expires_at, entry)
      SELECT of_org, part ->> 'ref', part ->> 'bucket', (part ->> 'remaining')::integer,
        (part ->> 'remaining')::integer, from_millis((part ->> 'expiresAt')::bigint), n.entry
      FROM credit_entry n WHERE n.org_id = of_org AND n.kind = 'grant' AND n.ref = part ->> 'ref';
      IF NOT FOUND THEN RAISE EXCEPTION 'the ledger of % has no entry for a new grant', of_org; END IF;
    END LOOP;

    FOR i IN 0 .. jsonb_array_length(decision -> 'access') - 1 LOOP
      part := decision -> 'access' -> i;
      CASE (part ->> '_tag') || ' ' || (part ->> 'kind')
        WHEN 'Record property' THEN
          INSERT INTO property_access (org_id, property_id, source, charge_entry, at)
          VALUES (of_org, (part ->> 'id')::uuid, part ->> 'source',
            CASE part ->> 'source' WHEN 'paid' THEN charged END, now_at)
          ON CONFLICT (org_id, property_id) DO UPDATE
          SET source = excluded.source, charge_entry = excluded.charge_entry, at = excluded.at;
        WHEN 'Record contact' THEN
          INSERT INTO contact_access (org_id, contact_id, source, charge_entry, at)
          VALUES (of_org, (part ->> 'id')::uuid, part ->> 'source',
            CASE part ->> 'source' WHEN 'paid' THEN charged END, now_at)
          ON CONFLICT (org_id, contact_id) DO UPDATE
          SET source = excluded.source, charge_entry = excluded.charge_entry, at = excluded.at;
        WHEN 'Record own' THEN
          INSERT INTO own_access (org_id, action, subject_id, charge_entry, at)
          VALUES (of_org, part ->> 'action', part ->> 'id', charged, now_at)
          ON CONFLICT (org_id, action, subject_id) DO UPDATE
          SET charge_entry = excluded.charge_entry, at = excluded.at;
        WHEN 'Include property' THEN
          INSERT INTO property_access AS held (org_id, property_id, source, charge_entry, at)
          VALUES (of_org, (part ->> 'id')::uuid, 'paid', (part ->> 'chargeEntry')::integer, now_at)
          ON CONFLICT (org_id, property_id) DO UPDATE
          SET source = excluded.source, charge_entry = excluded.charge_entry, at = excluded.at
          WHERE held.source <> 'paid';
        WHEN 'Remove property' THEN
          /* What was bought under an id that was merged away stands with the survivor. */
          heir := (part ->> 'id')::uuid;
          SELECT coalesce(p.retired_into, p.id) INTO heir FROM property p WHERE p.id = heir;
          DELETE FROM merged_charge WHERE org_id = of_org AND charge_entry = (part ->> 'chargeEntry')::integer;
          DELETE FROM property_access WHERE org_id = of_org AND property_id = heir
            AND charge_entry = (part ->> 'chargeEntry')::integer;
          IF FOUND THEN
            /* The refund is among the entries by now, so that its charge stands no more. */
            INSERT INTO property_access (org_id, property_id, source, charge_entry, at)
            SELECT of_org, heir, 'paid', e.entry, e.at FROM credit_entry e
            WHERE e.org_id = of_org AND e.kind = 'charge' AND (
                e.entry IN (SELECT m.charge_entry FROM merged_charge m WHERE m.org_id = of_org AND m.property_id = heir)
                OR e.action = 'research_property' AND e.subject_id IN (
                  SELECT p.id::text FROM property p WHERE p.id = heir OR p.retired_into = heir
                )
              ) AND NOT EXISTS (
                SELECT FROM credit_entry r WHERE r.org_id = of_org AND r.refund_of = e.entry
              )
            ORDER BY e.entry LIMIT 1;
            DELETE FROM merged_charge m USING property_access a
            WHERE m.org_id = of_org AND a.org_id = of_org AND a.property_id = heir AND m.charge_entry = a.charge_entry;
          END IF;
        WHEN 'Remove contact' THEN
          DELETE FROM contact_access WHERE org_id = of_org AND contact_id = (part ->> 'id')::uuid
            AND charge_entry = (part ->> 'chargeEntry')::integer;
        WHEN 'Remove own' THEN
          DELETE FROM own_access
          WHERE org_id = of_org AND action = part ->> 'action' AND subject_id = part ->> 'id'
            AND charge_entry = (part ->> 'chargeEntry')::integer;
      END CASE;
    END LOOP;

    IF (decision ->> 'exports')::integer > 0 THEN
      INSERT INTO export_usage AS u (org_id, month, exports)
      VALUES (
        of_org,
        (from_millis((decision ->> 'month')::bigint) AT TIME ZONE 'UTC')::date,
        (decision ->> 'exports')::integer
      )
      ON CONFLICT (org_id, month) DO UPDATE SET exports = u.exports + excluded.exports;
    END IF;

    IF counted IS NOT NULL THEN PERFORM ledger_count(of_org, at_ms, counted); END IF;
  END $$`,
  Comment.onFunction(
    "ledger_apply",
    `
    Writes a decision; the account is locked in the same transaction. What does not fit what was read there is a
    fault of ours and undoes everything. Whatever is written, the account's revision moves on. A loop over the few
    parts of a decision costs a third of one statement over all of them.
  `
  ),

  `CREATE OR REPLACE FUNCTION ledger_commit_all(of_org text, known_revision integer, calls jsonb, next_calls jsonb)
  RETURNS TABLE (outcomes text[], next_snapshots jsonb) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    locked boolean[];
    revision integer;
    given jsonb;
    expected jsonb;
    outcome text;
    unsettled jsonb := '[]';
  BEGIN
    outcomes := '{}';
    locked := ledger_lock_all(of_org, calls);
    revision := (SELECT a.revision FROM credit_account a WHERE a.org_id = of_org);
    FOR i IN 1 .. jsonb_array_length(calls) LOOP
      given := calls -> (i - 1);
      expected := nullif(given -> 'expects', 'null');
      IF NOT locked[i] THEN
        outcome := 'in progress';
      ELSIF revision <> known_revision OR unsettled <> '[]' THEN
        outcome := 'changed';
      ELSIF (expected IS NOT NULL OR 'applied' = ANY (outcomes)) AND expected IS DISTINCT FROM ledger_snapshot(
        of_org, given ->> 'kind', given ->> 'subject', nullif(given -> 'usage', 'null')
      ) - '{revision,organization}'::text[] THEN
        outcome := 'changed';
      ELSE
        PERFORM ledger_apply(of_org, (given ->> 'now')::bigint, given -> 'decision', nullif(given -> 'counted', 'null'));
        outcome := 'applied';
      END IF;
      outcomes := outcomes || outcome;
      IF outcome = 'changed' THEN unsettled := unsettled || given; END IF;
    END LOOP;
    IF 'applied' = ANY (outcomes) THEN next_snapshots := ledger_snapshots(of_org, unsettled || next_calls); END IF;
    RETURN NEXT;
  END $$`,
  Comment.onFunction(
    "ledger_commit_all",
    `
    Locks as ledger_lock_all does and applies the decisions of calls one after the other, if the account's revision is the
    known one. The first was decided on the snapshot of that revision; each further one on what the snapshot is to be
    with those before it applied (expects, without revision and organization), and is applied only if it is so. From the
    first that is not, all are changed. Once anything is applied: the snapshots of those that are changed, and then of
    next_calls, with it.
  `
  ),

  `CREATE OR REPLACE FUNCTION ledger_commit(
    of_org text,
    subject_kind text,
    subject text,
    is_exclusive boolean,
    known_revision integer,
    at_ms bigint,
    decision jsonb,
    counted jsonb,
    next_call jsonb
  ) RETURNS TABLE (outcome text, next_snapshot jsonb) LANGUAGE sql VOLATILE
  BEGIN ATOMIC
    SELECT c.outcomes[1], c.next_snapshots -> 0
    FROM ledger_commit_all(
      of_org,
      known_revision,
      jsonb_build_array(jsonb_build_object('kind', subject_kind, 'subject', subject, 'exclusive', is_exclusive,
        'now', at_ms, 'decision', decision, 'counted', counted, 'expects', NULL)),
      CASE WHEN next_call IS NULL THEN '[]' ELSE jsonb_build_array(next_call) END
    ) c;
  END`,
  Comment.onFunction("ledger_commit", "One call of ledger_commit_all, for programs that know no other way.")
]

/**
 * Every move of a lead, its reasons, its owner, and the customer accounts.
 *
 * - `lead_change` writes one change if the lead is still at the version that was read, with its history and its event.
 * - `lead_assign` gives a lead to a member, with an event if it was not that member's.
 * - `customer_sync` writes many customer accounts and an event for each lead whose customer flag it changes.
 *
 * The first and the last take the organization's lock of customer accounts before they look at a flag, so that each change of a flag
 * is recorded once; `lead_change` locks the lead before it, and `customer_sync` locks no lead.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE lead
    ADD COLUMN loss_reason_code text,
    ADD COLUMN loss_reason_note text,
    ADD COLUMN disqualified_reason text,
    ADD COLUMN owner_id uuid,
    ADD COLUMN owner_name text,
    ADD CHECK (status IN ('qualified', 'attempted_contact', 'active_opportunity', 'won', 'lost', 'disqualified'))`,
  `CREATE INDEX lead_in_stage ON lead (org_id, status, status_changed_at DESC, property_id)`,
  `ALTER TABLE lead_stage_history ADD COLUMN reason_code text, ADD COLUMN note text`,
  `CREATE INDEX event_recent ON event (org_id, occurred_at DESC, id)`,
  `CREATE INDEX event_recent_of_type ON event (org_id, type, occurred_at DESC, id)`,
  `UPDATE organization SET profile = profile || '{"loss_reasons": []}', revision = revision + 1
  WHERE NOT profile ? 'loss_reasons'`,

  `CREATE FUNCTION customer_lock(of_org text) RETURNS void LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('customers ' || of_org, 0))
  $$`,

  `DROP FUNCTION lead_qualify`,
  `CREATE FUNCTION lead_change(
    p_org_id text, p_property_id uuid, p_expected integer, p_move jsonb, p_customer text, p_actor jsonb,
    p_owner_id uuid, p_owner_name text, p_event_id uuid, p_partial boolean, p_at timestamptz
  ) RETURNS SETOF lead LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    l lead;
    state CONSTANT jsonb := p_move -> 'to';
    agent CONSTANT boolean := p_actor ->> 'kind' = 'agent';
    was_customer boolean;
    changed boolean := p_move IS NOT NULL;
  BEGIN
    IF p_expected = 0 THEN
      INSERT INTO lead AS n (org_id, property_id, status, deal_value, qualified_at, qualified_by, status_changed_at,
        owner_id, owner_name)
      VALUES (p_org_id, p_property_id, state ->> 'status', (state ->> 'dealValue')::double precision, p_at, p_actor, p_at,
        p_owner_id, p_owner_name)
      ON CONFLICT (org_id, property_id) DO NOTHING
      RETURNING n.* INTO l;
    ELSIF changed THEN
      UPDATE lead AS n SET status = state ->> 'status', deal_value = (state ->> 'dealValue')::double precision,
        loss_reason_code = state ->> 'lossReasonCode', loss_reason_note = state ->> 'lossReasonNote',
        disqualified_reason = state ->> 'disqualifiedReason', status_changed_at = p_at, version = n.version + 1
      WHERE n.org_id = p_org_id AND n.property_id = p_property_id AND n.version = p_expected
      RETURNING n.* INTO l;
    ELSE
      SELECT n.* INTO l FROM lead n
      WHERE n.org_id = p_org_id AND n.property_id = p_property_id AND n.version = p_expected FOR NO KEY UPDATE;
    END IF;
    IF NOT FOUND THEN RETURN; END IF;

    IF changed THEN
      INSERT INTO lead_stage_history (org_id, property_id, version, from_status, to_status, at, actor, by_agent, deal_value,
        reason_code, note)
      VALUES (p_org_id, p_property_id, l.version, p_move ->> 'from', l.status, p_at, p_actor, agent, l.deal_value,
        coalesce(l.loss_reason_code, l.disqualified_reason), p_move ->> 'note');
    END IF;
    IF p_customer IS NOT NULL THEN
      PERFORM customer_lock(p_org_id);
      was_customer := EXISTS (
        SELECT FROM customer_account c
        WHERE c.org_id = p_org_id AND c.property_id = p_property_id AND c.status = 'active'
      );
      changed := changed OR was_customer <> (p_customer = 'active');
      INSERT INTO customer_account AS c (org_id, property_id, status) VALUES (p_org_id, p_property_id, p_customer)
      ON CONFLICT (org_id, property_id) DO UPDATE SET status = excluded.status WHERE c.status <> excluded.status;
    END IF;

    IF p_expected = 0 THEN
      INSERT INTO event (org_id, id, type, property_id, by_agent, partial, occurred_at)
      VALUES (p_org_id, p_event_id, 'lead.qualified', p_property_id, agent, p_partial, p_at);
    ELSIF changed THEN
      INSERT INTO event (org_id, id, type, property_id, subject_type, subject_id, status, skip_reason, by_agent,
        occurred_at)
      VALUES (p_org_id, p_event_id, 'lead.changed', p_property_id, 'property', p_property_id::text, 'skipped',
        'record_only', agent, p_at);
    END IF;
    RETURN NEXT l;
  END $$`,

  `CREATE FUNCTION lead_assign(
    p_org_id text, p_property_id uuid, p_owner_id uuid, p_owner_name text, p_by_agent boolean, p_event_id uuid,
    p_at timestamptz
  ) RETURNS SETOF lead LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    UPDATE lead l SET owner_id = p_owner_id, owner_name = p_owner_name
    WHERE l.org_id = p_org_id AND l.property_id = p_property_id
      AND (l.owner_id, l.owner_name) IS DISTINCT FROM (p_owner_id, p_owner_name);
    IF FOUND THEN
      INSERT INTO event (org_id, id, type, property_id, subject_type, subject_id, status, skip_reason, by_agent,
        occurred_at)
      VALUES (p_org_id, p_event_id, 'lead.changed', p_property_id, 'property', p_property_id::text, 'skipped',
        'record_only', p_by_agent, p_at);
    END IF;
    RETURN QUERY SELECT l.* FROM lead l WHERE l.org_id = p_org_id AND l.property_id = p_property_id;
  END $$`,

  `CREATE FUNCTION customer_sync(p_org_id text, p_rows jsonb, p_by_agent boolean, p_at timestamptz)
  RETURNS void LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM customer_lock(p_org_id);
    WITH given AS (
      SELECT r."propertyId" AS property_id, r.status, r."eventId" AS event_id
      FROM jsonb_to_recordset(p_rows) AS r("propertyId" uuid, status text, "eventId" uuid)
    ), kept AS (
      INSERT INTO customer_account AS c (org_id, property_id, status)
      SELECT p_org_id, g.property_id, g.status FROM given g
      ON CONFLICT (org_id, property_id) DO UPDATE SET status = excluded.status WHERE c.status <> excluded.status
    )
    INSERT INTO event (org_id, id, type, property_id, subject_type, subject_id, status, skip_reason, by_agent, occurred_at)
    SELECT p_org_id, g.event_id, 'lead.changed', g.property_id, 'property', g.property_id::text, 'skipped', 'record_only',
      p_by_agent, p_at
    FROM given g
    JOIN lead l ON l.org_id = p_org_id AND l.property_id = g.property_id
    LEFT JOIN customer_account c ON c.org_id = p_org_id AND c.property_id = g.property_id
    WHERE (c.status IS NOT DISTINCT FROM 'active') <> (g.status = 'active')
    ORDER BY g.property_id;
  END $$`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

/** What `PipelinePg` calls. Of a lead so many moves and changes are kept as are told of it. */
import { mostMoves } from "@freehold/core/pipeline/Pipeline"
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION lead_changes_keep(of_org text, of_properties uuid[]) RETURNS void
  LANGUAGE sql VOLATILE AS $$
    DELETE FROM event e USING (
      SELECT p.id, (
        SELECT (array_agg(o.created_at ORDER BY o.created_at DESC))[${mostMoves} + 1] FROM event o
        WHERE o.property_id = p.id AND o.org_id = of_org AND o.type = 'lead.changed'
      ) AS last
      FROM unnest(of_properties) AS p(id)
    ) old
    WHERE e.property_id = old.id AND e.org_id = of_org AND e.type = 'lead.changed' AND e.created_at <= old.last
  $$`,
  Comment.onFunction(
    "lead_changes_keep",
    `
    Removes the oldest of very many lead.changed of the properties: programs can make one with each request.
  `
  ),

  `CREATE OR REPLACE FUNCTION lead_change(
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
      DELETE FROM lead_stage_history h
      WHERE h.org_id = p_org_id AND h.property_id = p_property_id AND h.version <= l.version - ${mostMoves};
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
      PERFORM lead_changes_keep(p_org_id, ARRAY[p_property_id]);
    END IF;
    RETURN NEXT l;
  END $$`,
  Comment.onFunction(
    "lead_change",
    `
    Writes one change of a lead, with its history and its event, if the lead is still at the expected version (0:
    there is none yet). No row: it is not. The lead is locked before the customer accounts (customer_lock).
  `
  ),

  `CREATE OR REPLACE FUNCTION lead_assign(
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
      PERFORM lead_changes_keep(p_org_id, ARRAY[p_property_id]);
    END IF;
    RETURN QUERY SELECT l.* FROM lead l WHERE l.org_id = p_org_id AND l.property_id = p_property_id;
  END $$`,
  Comment.onFunction(
    "lead_assign",
    `
    Gives a lead to a member, with an event if it was not that member's. No row: no such lead.
  `
  )
]

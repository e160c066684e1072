/**
 * What `CustomerAccountsPg` calls. Whoever changes the flag of a customer takes the organization's lock before looking
 * at it, so that each change is recorded once; who locks a lead too does so first.
 */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION customer_lock(of_org text) RETURNS void LANGUAGE sql VOLATILE AS $$
    SELECT pg_advisory_xact_lock(hashtextextended('customers ' || of_org, 0))
  $$`,
  Comment.onFunction(
    "customer_lock",
    `
    Waits for whoever changes the organization's customer accounts, and holds up those who come, until the
    transaction ends.
  `
  ),

  `CREATE OR REPLACE FUNCTION customer_sync(p_org_id text, p_rows jsonb, p_by_agent boolean, p_at timestamptz)
  RETURNS void LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    changed uuid[];
  BEGIN
    PERFORM customer_lock(p_org_id);
    WITH given AS (
      SELECT r."propertyId" AS property_id, r.status, r."eventId" AS event_id
      FROM jsonb_to_recordset(p_rows) AS r("propertyId" uuid, status text, "eventId" uuid)
    ), kept AS (
      INSERT INTO customer_account AS c (org_id, property_id, status)
      SELECT p_org_id, g.property_id, g.status FROM given g
      ON CONFLICT (org_id, property_id) DO UPDATE SET status = excluded.status WHERE c.status <> excluded.status
    ), recorded AS (
      INSERT INTO event (org_id, id, type, property_id, subject_type, subject_id, status, skip_reason, by_agent, occurred_at)
      SELECT p_org_id, g.event_id, 'lead.changed', g.property_id, 'property', g.property_id::text, 'skipped', 'record_only',
        p_by_agent, p_at
      FROM given g
      JOIN lead l ON l.org_id = p_org_id AND l.property_id = g.property_id
      LEFT JOIN customer_account c ON c.org_id = p_org_id AND c.property_id = g.property_id
      WHERE (c.status IS NOT DISTINCT FROM 'active') <> (g.status = 'active')
      ORDER BY g.property_id
      RETURNING property_id
    )
    SELECT array_agg(property_id) INTO changed FROM recorded;
    IF changed IS NOT NULL THEN
      PERFORM lead_changes_keep(p_org_id, changed);
    END IF;
  END $$`,
  Comment.onFunction(
    "customer_sync",
    `
    Writes many customer accounts, and an event for each lead whose customer flag it changes. It locks no lead.
  `
  )
]

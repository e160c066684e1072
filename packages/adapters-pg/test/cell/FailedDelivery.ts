/** A delivery that has failed, as the log keeps it. */
import type { PgClient } from "@effect/sql-pg"

/** One about the property, whose body is kept: `data`, as JSON. */
export const failedDelivery = (sql: PgClient.PgClient, orgId: string, propertyId: string, data: string) =>
  sql`
    WITH endpoint AS (
      INSERT INTO webhook_endpoint (org_id, id, url, target_key, events, created_via, secret_sealed, active,
        disabled_reason)
      VALUES (${orgId}, gen_random_uuid(), 'https://receiver.example', 'sample', '{}', 'api', '', false, 'deleted')
      RETURNING id
    ), told AS (
      INSERT INTO event (org_id, id, type, property_id, subject_type, subject_id, by_agent, occurred_at, status, fanned_out_at)
      VALUES (${orgId}, gen_random_uuid(), 'signal.sale', ${propertyId}::uuid, 'property', ${propertyId}, false, now(),
        'fanned_out', now())
      RETURNING id
    )
    INSERT INTO delivery_log (org_id, id, event_id, endpoint_id, event_type, property_id, test, partial, state, attempts,
      data, created_at, finished_at, resends)
    SELECT ${orgId}, gen_random_uuid(), told.id, endpoint.id, 'signal.sale', ${propertyId}::uuid, false, false, 'failed', 0,
      ${data}, now(), now(), 0
    FROM told, endpoint`

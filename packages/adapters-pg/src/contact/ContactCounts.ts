/**
 * The counts over a property's contacts that stand with the property, because searches filter and sort by them.
 *
 * Whoever changes contacts, or who is attached to what, calls `refresh` for the properties concerned in the same
 * transaction.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../database/BulkWrite.ts"

/** Counts the contacts of the properties anew. */
export const refresh = Effect.fnUntraced(function*(propertyIds: ReadonlyArray<string>) {
  if (propertyIds.length === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    WITH asked AS (SELECT DISTINCT unnest(${textArray(propertyIds)}::uuid[]) AS id),
    counted AS (
      SELECT asked.id, count(c.id)::integer AS contacts, count(c.email)::integer AS with_email,
        count(c.phone)::integer AS with_phone, count(c.linkedin_url)::integer AS with_linkedin
      FROM asked
      LEFT JOIN property_contact pc ON pc.property_id = asked.id
      LEFT JOIN contact c ON c.id = pc.contact_id
      GROUP BY asked.id
    ),
    roles AS (
      SELECT id, array_agg(role_type ORDER BY people DESC, role_type COLLATE "C") AS role_types
      FROM (
        SELECT asked.id, c.role_type, count(*) AS people,
          row_number() OVER (PARTITION BY asked.id ORDER BY count(*) DESC, c.role_type COLLATE "C") AS place
        FROM asked
        JOIN property_contact pc ON pc.property_id = asked.id
        JOIN contact c ON c.id = pc.contact_id
        WHERE c.role_type IS NOT NULL
        GROUP BY asked.id, c.role_type
      ) ranked
      WHERE place <= 5
      GROUP BY id
    )
    UPDATE property p
    SET contact_count = counted.contacts, contacts_with_email = counted.with_email,
      contacts_with_phone = counted.with_phone, contacts_with_linkedin = counted.with_linkedin,
      contact_role_types = coalesce(roles.role_types, '{}')
    FROM counted LEFT JOIN roles USING (id)
    WHERE p.id = counted.id
      AND (p.contact_count, p.contacts_with_email, p.contacts_with_phone, p.contacts_with_linkedin, p.contact_role_types)
        IS DISTINCT FROM (counted.contacts, counted.with_email, counted.with_phone, counted.with_linkedin,
          coalesce(roles.role_types, '{}'))`
})

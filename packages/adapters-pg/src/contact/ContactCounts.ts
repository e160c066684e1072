/**
 * The counts over a property's contacts that stand with the property, because searches filter and sort by them.
 *
 * Whoever changes contacts, or who is attached to what, calls `refresh` for the properties concerned in the same
 * transaction, last. Of two who do so at once the later one waits, property by property, and counts both.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../database/BulkWrite.ts"

/**
 * Keeps others from counting those properties to the end of the transaction, and answers their ids. What is counted then, by
 * another statement, sees what those have written who had them before.
 */
const take = Effect.fnUntraced(function*(propertyIds: ReadonlyArray<string>, others: "wait" | "leave out") {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: string }>`
    SELECT id::text AS id FROM property WHERE id = ANY(${textArray(propertyIds)}::uuid[])
    ORDER BY property.id FOR NO KEY UPDATE ${sql.literal(others === "wait" ? "" : "SKIP LOCKED")}`
  return rows.map(({ id }) => id)
})

const count = Effect.fnUntraced(function*(propertyIds: ReadonlyArray<string>) {
  if (propertyIds.length === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    WITH asked AS (SELECT unnest(${textArray(propertyIds)}::uuid[]) AS id),
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

/**
 * Counts the contacts of the properties anew. Those that somebody else is counting come last, so that of two who have few in
 * common both go on; who waits has nothing left that the other could wait for.
 */
export const refresh = Effect.fnUntraced(function*(propertyIds: ReadonlyArray<string>) {
  if (propertyIds.length === 0) return
  const free = yield* take(propertyIds, "leave out")
  yield* count(free)
  const taken = new Set(free)
  const busy = propertyIds.filter((id) => !taken.has(id))
  if (busy.length > 0) yield* count(yield* take(busy, "wait"))
})

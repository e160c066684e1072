/**
 * The counts over a property's contacts that stand with the property, because searches filter and sort by them.
 *
 * Whoever changes contacts, or who is attached to what, calls `refresh` for the properties concerned in the same
 * transaction, last. Of two who do so at once the later one waits, property by property, and counts both.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../database/BulkWrite.ts"

/** What is counted of a property's contacts. */
export const columns: ReadonlyArray<string> = [
  "contact_count",
  "contacts_with_email",
  "contacts_with_phone",
  "contacts_with_linkedin",
  "contact_role_types"
]

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
    -- Read once, for both.
    attached AS MATERIALIZED (
      SELECT asked.id, c.email, c.phone, c.linkedin_url, c.role_type
      FROM asked
      JOIN property_contact pc ON pc.property_id = asked.id
      JOIN contact c ON c.id = pc.contact_id
    ),
    counted AS (
      SELECT asked.id, count(a.id)::integer AS contacts, count(a.email)::integer AS with_email,
        count(a.phone)::integer AS with_phone, count(a.linkedin_url)::integer AS with_linkedin
      FROM asked LEFT JOIN attached a USING (id)
      GROUP BY asked.id
    ),
    roles AS (
      SELECT id, array_agg(role_type ORDER BY people DESC, role_type COLLATE "C") AS role_types
      FROM (
        SELECT id, role_type, count(*) AS people,
          row_number() OVER (PARTITION BY id ORDER BY count(*) DESC, role_type COLLATE "C") AS place
        FROM attached
        WHERE role_type IS NOT NULL
        GROUP BY id, role_type
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
 * common both go on. Where two took them at the same moment, each may have one that the other waits for: the database ends one of them.
 */
export const refresh = Effect.fnUntraced(function*(propertyIds: ReadonlyArray<string>) {
  if (propertyIds.length === 0) return
  const free = yield* take(propertyIds, "leave out")
  yield* count(free)
  const taken = new Set(free)
  const busy = propertyIds.filter((id) => !taken.has(id))
  if (busy.length > 0) yield* count(yield* take(busy, "wait"))
})

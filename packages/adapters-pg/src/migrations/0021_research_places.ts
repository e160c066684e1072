/**
 * Deep research and drafts are about a person and one property. What was there before is bound to the property where the
 * person has only one; the rest is about none, and shown only to who sees all of the organization's area.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE research_item ADD COLUMN property_id uuid`,
  `UPDATE research_item i SET property_id = t.property_id
    FROM (
      SELECT contact_id, (array_agg(property_id))[1] AS property_id FROM property_contact
      GROUP BY contact_id HAVING count(*) = 1
    ) t
    WHERE i.action IN ('deep_research_contact', 'draft_email') AND t.contact_id = i.subject_id`,
  `DROP INDEX research_item_active`,
  `CREATE UNIQUE INDEX research_item_active ON research_item (org_id, action, subject_id, coalesce(property_id, subject_id))
    WHERE state IN ('queued', 'running')`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

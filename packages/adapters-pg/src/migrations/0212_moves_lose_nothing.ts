/**
 * A move between cells loses nothing of what arrives meanwhile, whether it is made or given up, and takes no organization of the same
 * name for the one that it copied (`cell/Move`).
 *
 * Logs of administration that came from another database stood out of order there: they are numbered anew.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as CellFunctions from "../cell/CellFunctions.ts"
import * as MoveFunctions from "../cell/MoveFunctions.ts"
import * as ChangeFunctions from "../change/ChangeFunctions.ts"
import * as Comment from "../database/Comment.ts"

const statements: ReadonlyArray<string> = [
  // An organization may be under way: of such a move nothing is known there.
  `ALTER TABLE organization_move ADD COLUMN move_id uuid`,
  `COMMENT ON COLUMN organization_move.move_id IS
    'What the other cell knows the move by; null: an earlier version began it.'`,
  `CREATE TABLE organization_arrived (move_id uuid PRIMARY KEY)`,
  ...Comment.onTable(
    "organization_arrived",
    "Moves by which an organization came to this cell, until it is gone where it was."
  ),
  `CREATE TABLE organization_move_arrival (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    subject text NOT NULL,
    into_id uuid
  )`,
  ...Comment.onTable(
    "organization_move_arrival",
    "Merges and suppressions that were settled here while an organization was fenced in, and without it: if it stays, again."
  ),
  ...Comment.onTable(
    "organization_arrival_change",
    "Changes that arrived while an organization was on its way to this cell, or were told while one was fenced in here."
  ),
  `ALTER TABLE change_outbox ADD COLUMN for_org text`,
  `COMMENT ON COLUMN change_outbox.for_org IS
    'The organization that is to be told what the others were told while it moved; null: everybody is.'`,
  ...CellFunctions.functions,
  ...MoveFunctions.functions,
  ...ChangeFunctions.functions,
  `CREATE TRIGGER organization_elsewhere AFTER INSERT ON organization
    FOR EACH ROW EXECUTE FUNCTION organization_elsewhere()`,
  `SELECT administration_renumber(o.org_id) FROM (
    SELECT DISTINCT l.org_id FROM (
      SELECT a.org_id, a.at < lag(a.at) OVER (PARTITION BY a.org_id ORDER BY a.number) AS is_late FROM administration_log a
    ) l
    WHERE l.is_late AND NOT EXISTS (SELECT FROM organization_move m WHERE m.org_id = l.org_id AND m.moved_at IS NULL)
  ) o`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

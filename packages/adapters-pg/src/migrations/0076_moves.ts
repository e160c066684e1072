/** Organizations move from one cell to another (`cell/Move`). */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions as cellFunctions } from "../cell/CellFunctions.ts"
import { functions as moveFunctions } from "../cell/MoveFunctions.ts"
import * as Comment from "../database/Comment.ts"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE organization_move (
    org_id text PRIMARY KEY,
    to_cell text NOT NULL,
    moved_at timestamptz
  )`,
  ...Comment.onTable("organization_move", "Organizations that leave this installation for another cell, or left it.", {
    moved_at: "Null: it is fenced in, and being copied."
  }),
  `CREATE TABLE moved_key (
    secret_hash bytea PRIMARY KEY,
    cell text NOT NULL
  )`,
  ...Comment.onTable("moved_key", "Keys of organizations that moved, so that whoever comes with one is sent on.", {
    secret_hash: "SHA-256 of the secret."
  }),
  `CREATE TABLE organization_arrival (
    org_id text PRIMARY KEY
  )`,
  ...Comment.onTable(
    "organization_arrival",
    "Organizations that are on their way to this cell: while there is one, changes that arrive are noted for it."
  ),
  `CREATE TABLE organization_arrival_change (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    change_id uuid NOT NULL UNIQUE
  )`,
  ...Comment.onTable(
    "organization_arrival_change",
    "Changes that arrived while an organization was on its way to this cell."
  ),
  ...cellFunctions,
  ...moveFunctions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

/** Sessions in the app that the operator's authorization server opened. Core's `Sessions` has the rules. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions as connectionFunctions } from "../access/ConnectionFunctions.ts"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE app_session
    ADD COLUMN issuer text,
    ADD COLUMN subject text,
    ADD COLUMN sign_out_hint bytea`,
  `COMMENT ON COLUMN app_session.issuer IS 'Who made the person known, if they may change the organization; null: their session is of this member alone'`,
  `COMMENT ON COLUMN app_session.subject IS 'Who the person is at the issuer'`,
  `COMMENT ON COLUMN app_session.sign_out_hint IS 'What the issuer is told when they sign out, sealed with the operator''s key; null: nothing'`,
  ...connectionFunctions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

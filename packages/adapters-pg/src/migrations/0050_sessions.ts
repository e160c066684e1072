/** Members in the app: the links by which they sign in, and their sessions. Core's `Sessions` has the rules. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE sign_in_link (
    org_id text NOT NULL,
    member_id uuid NOT NULL,
    secret_hash bytea NOT NULL UNIQUE,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, member_id),
    FOREIGN KEY (org_id, member_id) REFERENCES member ON DELETE CASCADE
  )`,
  `COMMENT ON TABLE sign_in_link IS 'The one link by which a member may sign in to the app, until it is used, over, or replaced'`,
  `COMMENT ON COLUMN sign_in_link.secret_hash IS 'SHA-256 of what the link carries'`,

  `CREATE TABLE app_session (
    org_id text NOT NULL,
    session_id uuid NOT NULL,
    member_id uuid NOT NULL,
    secret_hash bytea NOT NULL UNIQUE,
    signed_in_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    user_agent text CHECK (length(user_agent) <= 200),
    PRIMARY KEY (org_id, session_id),
    FOREIGN KEY (org_id, member_id) REFERENCES member ON DELETE CASCADE
  )`,
  `CREATE INDEX app_session_member ON app_session (org_id, member_id, last_used_at)`,
  `COMMENT ON TABLE app_session IS 'Browsers in which members are signed in to the app; at most twenty a member, what is over goes with the next sign-in'`,
  `COMMENT ON COLUMN app_session.secret_hash IS 'SHA-256 of the cookie'`,
  `COMMENT ON COLUMN app_session.last_used_at IS 'To the minute'`,
  `COMMENT ON COLUMN app_session.user_agent IS 'What the browser says of itself'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

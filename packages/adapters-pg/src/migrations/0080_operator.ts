/** The operator's people in the app: their links, sessions and views; what was and what became, in the log of what they did. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE operator_link (
    name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 100),
    secret_hash bytea NOT NULL UNIQUE,
    expires_at timestamptz NOT NULL
  )`,
  `COMMENT ON TABLE operator_link IS 'The one link by which a person of the operator may sign in, until it is used, over, or replaced'`,
  `COMMENT ON COLUMN operator_link.secret_hash IS 'SHA-256 of what the link carries'`,

  `CREATE TABLE operator_session (
    session_id uuid PRIMARY KEY,
    name text NOT NULL,
    secret_hash bytea NOT NULL UNIQUE,
    signed_in_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    user_agent text CHECK (length(user_agent) <= 200)
  )`,
  `COMMENT ON TABLE operator_session IS 'Browsers in which people of the operator are signed in; at most twenty, what is over goes with the next sign-in, or by age'`,
  `COMMENT ON COLUMN operator_session.name IS 'What the person is called, as whoever made the link said'`,
  `COMMENT ON COLUMN operator_session.secret_hash IS 'SHA-256 of the cookie'`,
  `COMMENT ON COLUMN operator_session.last_used_at IS 'To the minute'`,
  `COMMENT ON COLUMN operator_session.user_agent IS 'What the browser says of itself'`,

  `CREATE TABLE operator_view (
    org_id text NOT NULL,
    session_id uuid NOT NULL REFERENCES operator_session ON DELETE CASCADE,
    member_id uuid NOT NULL,
    secret_hash bytea NOT NULL UNIQUE,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, session_id),
    FOREIGN KEY (org_id, member_id) REFERENCES member ON DELETE CASCADE
  )`,
  `CREATE INDEX operator_view_session ON operator_view (session_id)`,
  `CREATE INDEX operator_view_member ON operator_view (org_id, member_id)`,
  `COMMENT ON TABLE operator_view IS 'As which member a session of the operator sees the app, reading only; one a session'`,
  `COMMENT ON COLUMN operator_view.secret_hash IS 'SHA-256 of the cookie'`,

  `ALTER TABLE operator_request ADD COLUMN answer text`,
  `COMMENT ON COLUMN operator_request.answer IS 'What the operator answered when closing it; null: nothing'`,

  `ALTER TABLE operator_log ADD COLUMN before jsonb, ADD COLUMN after jsonb`,
  `COMMENT ON TABLE operator_log IS 'Who of the operator''s people did what, by a command or in the app, and why; it outlives what it is about, and is kept for good'`,
  `COMMENT ON COLUMN operator_log.actor IS 'What the person is called: as the command says, or the one that is signed in'`,
  `COMMENT ON COLUMN operator_log.subject IS 'What it was done to: an id, or what was given'`,
  `COMMENT ON COLUMN operator_log.before IS 'What was; null: nothing, or a command did it'`,
  `COMMENT ON COLUMN operator_log.after IS 'What became of it; null: nothing, or a command did it'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

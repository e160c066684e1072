/**
 * People who sign in: where a member signed in first, and the connections of members.
 *
 * A connection is a credential of a member and a client. It has no secret: its hash is that of a text that no key has, so
 * that `authorize` finds it and counts its requests as it does a key's.
 *
 * `authorize_person` finds the member and the connection, or makes it, and counts one request: the rules of core's
 * `Connections.authorize`, in one round trip.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE member ADD COLUMN issuer text, ADD COLUMN subject text,
    ADD CHECK ((issuer IS NULL) = (subject IS NULL)),
    ADD CHECK (status = 'active' OR subject IS NULL)`,
  `CREATE UNIQUE INDEX member_subject ON member (issuer, subject, org_id) WHERE subject IS NOT NULL`,
  `CREATE INDEX member_address ON member (lower(email)) WHERE status = 'active'`,

  `ALTER TABLE credential ADD COLUMN member_id uuid, ADD COLUMN client_id text,
    ADD CHECK ((member_id IS NULL) = (client_id IS NULL)),
    ADD FOREIGN KEY (org_id, member_id) REFERENCES member`,
  `CREATE UNIQUE INDEX credential_connection ON credential (org_id, member_id, client_id) WHERE member_id IS NOT NULL`,

  /* What a member spent in a month. */
  `CREATE INDEX credit_entry_member ON credit_entry (org_id, (actor ->> 'id'), at)
    WHERE kind = 'charge' AND actor ->> 'kind' = 'member'`,

  `CREATE FUNCTION authorize_person(
    given_issuer text,
    given_subject text,
    given_email text,
    given_client text,
    wanted_org text,
    new_id uuid,
    now_ms bigint,
    known_org text,
    known_revision bigint,
    team_minute bigint,
    enterprise_minute bigint,
    team_day bigint,
    enterprise_day bigint
  ) RETURNS TABLE (
    outcome text,
    person jsonb,
    connection_id uuid,
    first_seen timestamptz,
    org_revision double precision,
    /* Only when it is not the known one, or its revision is not. */
    org_profile jsonb,
    minute_admitted boolean,
    minute_limit double precision,
    minute_used integer,
    minute_started_at double precision,
    day_admitted boolean,
    day_limit double precision,
    day_used integer
  ) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    m member;
    c credential;
    o organization;
  BEGIN
    FOR attempt IN 1 .. 2 LOOP
      SELECT * INTO m FROM member k
      WHERE k.issuer = given_issuer AND k.subject = given_subject AND k.status = 'active'
        AND (wanted_org IS NULL OR k.org_id = wanted_org)
      ORDER BY k.created_at, k.org_id LIMIT 1;
      EXIT WHEN FOUND OR attempt = 2 OR given_email IS NULL;
      UPDATE member k SET issuer = given_issuer, subject = given_subject
      WHERE lower(k.email) = lower(given_email) AND k.status = 'active' AND k.issuer IS DISTINCT FROM given_issuer
        AND NOT EXISTS (
          SELECT FROM member e WHERE e.org_id = k.org_id AND e.issuer = given_issuer AND e.subject = given_subject
        );
      EXIT WHEN NOT FOUND;
    END LOOP;
    IF m.member_id IS NULL THEN
      outcome := 'not_a_member'; RETURN NEXT; RETURN;
    END IF;

    SELECT * INTO c FROM credential k
    WHERE k.org_id = m.org_id AND k.member_id = m.member_id AND k.client_id = given_client;
    IF c.revoked_at IS NOT NULL THEN
      outcome := 'revoked'; RETURN NEXT; RETURN;
    END IF;

    SELECT * INTO o FROM organization k WHERE k.org_id = m.org_id;
    IF o.profile ->> 'member_connect' = 'admins' AND m.role <> 'admin' THEN
      outcome := 'disabled'; org_profile := o.profile; RETURN NEXT; RETURN;
    END IF;

    IF c.credential_id IS NULL THEN
      INSERT INTO credential (credential_id, org_id, name, label, secret_hash, scopes, created_at, member_id, client_id)
      VALUES (new_id, m.org_id, left(m.name, 120), given_client,
        sha256(convert_to('connection ' || new_id, 'UTF8')), '{mcp}', from_millis(now_ms), m.member_id, given_client)
      ON CONFLICT DO NOTHING;
      SELECT * INTO c FROM credential k
      WHERE k.org_id = m.org_id AND k.member_id = m.member_id AND k.client_id = given_client;
    END IF;

    RETURN QUERY
    SELECT 'connected', jsonb_build_object('memberId', m.member_id, 'email', m.email, 'name', m.name, 'role', m.role,
        'seat', m.seat, 'status', m.status, 'territory', m.territory, 'monthlyCreditLimit', m.monthly_credit_limit),
      c.credential_id, c.created_at, a.org_revision, a.org_profile, a.minute_admitted, a.minute_limit, a.minute_used,
      a.minute_started_at, a.day_admitted, a.day_limit, a.day_used
    FROM authorize(c.secret_hash, now_ms, CASE m.org_id WHEN known_org THEN known_revision END,
      team_minute, enterprise_minute, team_day, enterprise_day) a;
    /* Revoked in between. */
    IF NOT FOUND THEN outcome := 'revoked'; RETURN NEXT; END IF;
  END $$`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

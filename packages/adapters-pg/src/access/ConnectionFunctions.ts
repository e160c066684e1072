/** What `ConnectionsPg` and `SessionsPg` call: who a person is, through which connection, and one request counted. */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION recognize_person(given_issuer text, given_subject text, given_email text)
  RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    UPDATE member k SET issuer = given_issuer, subject = given_subject
    WHERE lower(k.email) = lower(given_email) AND k.status = 'active' AND k.issuer IS DISTINCT FROM given_issuer
      AND NOT EXISTS (
        SELECT FROM member e WHERE e.org_id = k.org_id AND e.issuer = given_issuer AND e.subject = given_subject
      );
    RETURN FOUND;
  END $$`,
  Comment.onFunction(
    "recognize_person",
    `
    Stores who a person is at the issuer with every active member of that verified address who has nobody of that issuer
    yet; answers whether there was one.
  `
  ),
  `CREATE OR REPLACE FUNCTION authorize_person(
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
    most CONSTANT integer := 10;
    m member;
    c record;
    o organization;
    others record;
    locked boolean := false;
  BEGIN
    FOR attempt IN 1 .. 2 LOOP
      SELECT * INTO m FROM member k
      WHERE k.issuer = given_issuer AND k.subject = given_subject AND k.status = 'active'
        AND (wanted_org IS NULL OR k.org_id = wanted_org)
      ORDER BY k.created_at, k.org_id LIMIT 1;
      EXIT WHEN FOUND OR attempt = 2 OR given_email IS NULL;
      /* Another request may recognize the person meanwhile: then this one finds nobody left to recognize, and a member. */
      PERFORM recognize_person(given_issuer, given_subject, given_email);
    END LOOP;
    IF m.member_id IS NULL THEN
      outcome := 'not_a_member'; RETURN NEXT; RETURN;
    END IF;
    SELECT * INTO o FROM organization k WHERE k.org_id = m.org_id;

    LOOP
      SELECT k.credential_id, k.secret_hash, k.created_at, k.revoked_at,
        coalesce(window_runs(w.started_at, now_ms), false) AS running
      INTO c
      FROM credential k
      LEFT JOIN credential_window w ON w.org_id = k.org_id AND w.credential_id = k.credential_id
      WHERE k.org_id = m.org_id AND k.member_id = m.member_id AND k.client_id = given_client;
      IF c.revoked_at IS NOT NULL THEN
        outcome := 'revoked'; RETURN NEXT; RETURN;
      END IF;
      IF o.profile ->> 'member_connect' = 'admins' AND m.role <> 'admin' THEN
        outcome := 'disabled'; org_profile := o.profile; RETURN NEXT; RETURN;
      END IF;
      EXIT WHEN c.running;

      IF NOT locked THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('connections ' || m.org_id || ' ' || m.member_id, 0));
        locked := true;
        CONTINUE;
      END IF;
      SELECT count(*) FILTER (WHERE window_runs(w.started_at, now_ms)) AS running,
        min(w.started_at) FILTER (WHERE window_runs(w.started_at, now_ms)) AS first_started_at,
        count(*) FILTER (WHERE k.revoked_at IS NULL) AS live
      INTO others
      FROM credential k
      LEFT JOIN credential_window w ON w.org_id = k.org_id AND w.credential_id = k.credential_id
      WHERE k.org_id = m.org_id AND k.member_id = m.member_id AND k.client_id <> given_client;
      IF others.running >= most THEN
        outcome := 'crowded';
        minute_limit := coalesce(
          (o.profile ->> 'requests_per_minute')::bigint,
          CASE o.profile ->> 'plan' WHEN 'enterprise' THEN enterprise_minute ELSE team_minute END
        );
        minute_started_at := others.first_started_at;
        RETURN NEXT; RETURN;
      END IF;
      EXIT WHEN c.credential_id IS NOT NULL;

      IF others.live < most THEN
        INSERT INTO credential (credential_id, org_id, name, label, secret_hash, scopes, created_at, member_id, client_id)
        VALUES (new_id, m.org_id, left(m.name, 120), given_client,
          sha256(convert_to('connection ' || new_id, 'UTF8')), '{mcp}', from_millis(now_ms), m.member_id, given_client);
      ELSE
        /* When it is being revoked, the next look finds another one. */
        UPDATE credential t SET client_id = given_client, label = given_client, created_at = from_millis(now_ms)
        WHERE t.org_id = m.org_id AND t.revoked_at IS NULL AND t.credential_id = (
          SELECT k.credential_id
          FROM credential k
          LEFT JOIN credential_window w ON w.org_id = k.org_id AND w.credential_id = k.credential_id
          WHERE k.org_id = m.org_id AND k.member_id = m.member_id AND k.revoked_at IS NULL
            AND window_runs(w.started_at, now_ms) IS NOT TRUE
          ORDER BY w.started_at NULLS FIRST, k.created_at LIMIT 1
        );
      END IF;
    END LOOP;

    RETURN QUERY
    SELECT 'connected', jsonb_build_object('memberId', m.member_id, 'email', m.email, 'name', m.name, 'role', m.role,
        'seat', m.seat, 'status', m.status, 'territory', m.territory, 'monthlyCreditLimit', m.monthly_credit_limit),
      c.credential_id, c.created_at, a.org_revision, a.org_profile, a.minute_admitted, a.minute_limit, a.minute_used,
      a.minute_started_at, a.day_admitted, a.day_limit, a.day_used
    FROM authorize(c.secret_hash, now_ms, CASE m.org_id WHEN known_org THEN known_revision END,
      team_minute, enterprise_minute, team_day, enterprise_day) a;
    /* Revoked in between. */
    IF NOT FOUND THEN outcome := 'revoked'; RETURN NEXT; END IF;
  END $$`,
  Comment.onFunction(
    "authorize_person",
    `
    Finds the member and the connection, or makes it, and counts one request by authorize: the rules of core's
    Connections.authorize, in one round trip. At most ten connections of a member have a window that runs, and once
    there are ten a new client takes the place of the one that was unused longest, with what it used of a day. A
    lock of the member's own lets windows begin one after another; a request in a window that runs does not take it.
  `
  )
]

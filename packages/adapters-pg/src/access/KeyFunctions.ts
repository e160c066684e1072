/** What `KeyRingPg` calls: who a key is, and one request counted. */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION window_runs(started_at bigint, now_ms bigint) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN now_ms < started_at + 60000 AND now_ms >= started_at - 60000`,
  Comment.onFunction(
    "window_runs",
    `
    Whether the window of a minute that began then runs now, by the rule of core's RateWindow.runs. One that begins
    further ahead than it is long was counted by a clock that was set back since, and does not run.
  `
  ),

  `CREATE OR REPLACE FUNCTION authorize(
    given_hash bytea,
    now_ms bigint,
    known_revision bigint,
    team_minute bigint,
    enterprise_minute bigint,
    team_day bigint,
    enterprise_day bigint,
    /* Requests that were made at the same time: all of them are counted, or none. */
    times integer DEFAULT 1
  ) RETURNS TABLE (
    key_id uuid,
    key_org text,
    key_name text,
    key_label text,
    key_scopes text[],
    key_daily_limits jsonb,
    key_created_at timestamptz,
    org_revision double precision,
    /* Only when its revision is not the known one. */
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
    today CONSTANT date := (from_millis(now_ms) AT TIME ZONE 'UTC')::date;
    wanted bytea := given_hash;
    fact record;
    per_minute bigint;
    per_day bigint;
    started bigint;
    used integer;
    restarts boolean;
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    LOOP
      SELECT c.credential_id, c.org_id, c.name, c.label, c.scopes, c.daily_limits, c.created_at, o.profile, o.revision,
        w.started_at, w.count, d.requests
      INTO fact
      FROM credential c
      JOIN organization o ON o.org_id = c.org_id
      LEFT JOIN credential_window w ON w.org_id = c.org_id AND w.credential_id = c.credential_id
      LEFT JOIN organization_day d ON d.org_id = c.org_id AND d.day = today
      WHERE c.secret_hash = wanted AND c.revoked_at IS NULL
        AND (c.expires_at IS NULL OR c.expires_at > from_millis(now_ms));
      IF NOT FOUND THEN
        IF wanted <> given_hash THEN RETURN; END IF;
        SELECT c.secret_hash INTO wanted FROM credential c
        WHERE c.previous_hash = given_hash AND c.previous_until > from_millis(now_ms);
        IF NOT FOUND THEN RETURN; END IF;
        CONTINUE;
      END IF;

      per_minute := coalesce(
        (fact.profile ->> 'requests_per_minute')::bigint,
        CASE fact.profile ->> 'plan' WHEN 'enterprise' THEN enterprise_minute ELSE team_minute END
      );
      per_day := coalesce(
        (fact.profile ->> 'requests_per_day')::bigint,
        CASE fact.profile ->> 'plan' WHEN 'enterprise' THEN enterprise_day ELSE team_day END
      );
      restarts := fact.started_at IS NULL OR NOT window_runs(fact.started_at, now_ms);
      started := CASE WHEN restarts THEN now_ms ELSE fact.started_at END;
      used := CASE WHEN restarts THEN 0 ELSE fact.count END;
      minute_admitted := used + times <= per_minute;
      day_used := coalesce(fact.requests, 0);
      day_admitted := per_day IS NULL OR day_used + times <= per_day;

      IF minute_admitted AND day_admitted THEN
        IF per_day IS NOT NULL THEN
          IF fact.requests IS NULL THEN
            INSERT INTO organization_day (org_id, day, requests) VALUES (fact.org_id, today, times)
            ON CONFLICT DO NOTHING RETURNING requests INTO day_used;
          ELSE
            UPDATE organization_day d SET requests = d.requests + times
            WHERE d.org_id = fact.org_id AND d.day = today AND d.requests + times <= per_day
            RETURNING d.requests INTO day_used;
          END IF;
          CONTINUE WHEN NOT FOUND;
        END IF;
        IF fact.started_at IS NULL THEN
          INSERT INTO credential_window AS w (org_id, credential_id, started_at, count)
          VALUES (fact.org_id, fact.credential_id, now_ms, times)
          ON CONFLICT DO NOTHING RETURNING w.started_at, w.count INTO started, used;
        ELSE
          UPDATE credential_window w SET
            started_at = CASE WHEN window_runs(w.started_at, now_ms) THEN w.started_at ELSE now_ms END,
            count = CASE WHEN window_runs(w.started_at, now_ms) THEN w.count + times ELSE times END
          WHERE w.org_id = fact.org_id AND w.credential_id = fact.credential_id
            AND (NOT window_runs(w.started_at, now_ms) OR w.count + times <= per_minute)
          RETURNING w.started_at, w.count INTO started, used;
        END IF;
        IF NOT FOUND THEN
          IF per_day IS NOT NULL THEN
            UPDATE organization_day d SET requests = d.requests - times WHERE d.org_id = fact.org_id AND d.day = today;
          END IF;
          CONTINUE;
        END IF;
      ELSIF restarts AND NOT minute_admitted THEN
        /* So many are never allowed; the window starts all the same. */
        INSERT INTO credential_window AS w (org_id, credential_id, started_at, count)
        VALUES (fact.org_id, fact.credential_id, now_ms, 0)
        ON CONFLICT (org_id, credential_id) DO UPDATE SET started_at = now_ms, count = 0
        WHERE NOT window_runs(w.started_at, now_ms);
        CONTINUE WHEN NOT FOUND;
      END IF;
      EXIT;
    END LOOP;

    key_id := fact.credential_id;
    key_org := fact.org_id;
    key_name := fact.name;
    key_label := fact.label;
    key_scopes := fact.scopes;
    key_daily_limits := fact.daily_limits;
    key_created_at := fact.created_at;
    org_revision := fact.revision;
    org_profile := CASE WHEN fact.revision IS DISTINCT FROM known_revision THEN fact.profile END;
    minute_limit := per_minute;
    minute_used := used;
    minute_started_at := started;
    day_limit := per_day;
    RETURN NEXT;
  END $$`,
  Comment.onFunction(
    "authorize",
    `
    Finds a key by its hash and counts one request, or so many at once, in its minute and in the day of its organization: in
    both or, refused by one, in none (core's RateWindow.count). No row: no such key, or it expired. The secret before the last
    rotation counts as the present one until its time is over. It reads without a lock first, so that a
    flood of refused requests writes and waits for nothing; counts only grow within their window and day, so a
    refusal that was read stands. An admission is counted by updates that repeat the condition; when another request
    took the last place in between, everything is read again. Always day before window, so that two requests cannot
    wait for each other. The commit does not wait for the disk: a crash of the database may forget the requests of
    its last half second, and nothing else is written here.
  `
  )
]

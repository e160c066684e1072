/**
 * What is kept of one credential's answers is bounded.
 *
 * Each answer says where it ends when the answers of its credential stand in a row (`room_end`), those that must be
 * replayed in a row of their own. So what the newer ones take is a difference, and neither row is ever added up.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `ALTER TABLE idempotent_answer
    ADD COLUMN must_replay boolean NOT NULL DEFAULT false,
    ADD COLUMN room_end bigint NOT NULL DEFAULT 0`,
  `UPDATE idempotent_answer a SET must_replay = r.must_replay, room_end = r.room_end
  FROM (
    SELECT credential_id, key, operation = 'service_get_lead_bundle' AS must_replay,
      sum(greatest(octet_length(answer_sealed), 8192)) OVER (
        PARTITION BY credential_id, operation = 'service_get_lead_bundle' ORDER BY expires_at, key
      ) AS room_end
    FROM idempotent_answer
  ) r
  WHERE a.credential_id = r.credential_id AND a.key = r.key`,
  `CREATE INDEX idempotent_answer_room ON idempotent_answer (credential_id, must_replay, room_end)`,

  /* The lock comes first and the reading after; both end with the transaction, however it ends. */
  `DROP FUNCTION idempotency_open(uuid, text, text, timestamptz)`,
  `CREATE FUNCTION idempotency_open(
    of_credential uuid, of_key text, of_request text, is_must_replay boolean, smallest bigint, most bigint, now_at timestamptz
  ) RETURNS TABLE (in_progress boolean, same boolean, answer bytea, full_until timestamptz) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    oldest_end bigint;
    newest_end bigint;
  BEGIN
    in_progress := NOT pg_try_advisory_xact_lock(hashtextextended('idempotency ' || of_credential || ' ' || of_key, 0));
    IF NOT in_progress THEN
      SELECT a.fingerprint = of_request, a.answer_sealed INTO same, answer FROM idempotent_answer a
      WHERE a.credential_id = of_credential AND a.key = of_key AND a.expires_at > now_at;
      IF same IS NULL AND is_must_replay THEN
        SELECT a.room_end, a.expires_at INTO oldest_end, full_until FROM idempotent_answer a
        WHERE a.credential_id = of_credential AND a.must_replay AND a.expires_at > now_at ORDER BY a.room_end LIMIT 1;
        SELECT max(a.room_end) INTO newest_end FROM idempotent_answer a
        WHERE a.credential_id = of_credential AND a.must_replay;
        IF newest_end - oldest_end + smallest < most THEN full_until := NULL; END IF;
      END IF;
    END IF;
    RETURN NEXT;
  END $$`,

  /* Takes turns with the others of the credential, from here to the end of the transaction. */
  `CREATE FUNCTION idempotency_keep(
    of_credential uuid, of_key text, of_operation text, of_request text, sealed bytea, is_must_replay boolean,
    room bigint, most bigint, expires timestamptz
  ) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    ends bigint;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('idempotency room ' || of_credential, 0));
    SELECT coalesce(max(a.room_end), 0) + room INTO ends FROM idempotent_answer a
    WHERE a.credential_id = of_credential AND a.must_replay = is_must_replay;
    INSERT INTO idempotent_answer (
      credential_id, key, operation, fingerprint, answer_sealed, must_replay, room_end, expires_at
    ) VALUES (of_credential, of_key, of_operation, of_request, sealed, is_must_replay, ends, expires)
    ON CONFLICT (credential_id, key) DO UPDATE SET operation = excluded.operation, fingerprint = excluded.fingerprint,
      answer_sealed = excluded.answer_sealed, must_replay = excluded.must_replay, room_end = excluded.room_end,
      expires_at = excluded.expires_at;
    IF NOT is_must_replay THEN
      DELETE FROM idempotent_answer a
      WHERE a.credential_id = of_credential AND NOT a.must_replay AND a.room_end <= ends - most;
    END IF;
  END $$`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

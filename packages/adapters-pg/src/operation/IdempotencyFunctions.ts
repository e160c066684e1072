/**
 * What `IdempotencyPg` calls. What is kept of one credential's answers is bounded.
 *
 * Each answer says where it ends when the answers of its credential stand in a row (`room_end`), those that must be
 * replayed in a row of their own. So what the newer ones take is a difference, and neither row is ever added up.
 */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION idempotency_open(
    of_org text, of_credential uuid, of_key text, of_request text, is_must_replay boolean, smallest bigint, most bigint, now_at timestamptz
  ) RETURNS TABLE (in_progress boolean, same boolean, answer bytea, full_until timestamptz) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    oldest_end bigint;
    newest_end bigint;
  BEGIN
    in_progress := NOT pg_try_advisory_xact_lock(hashtextextended('idempotency ' || of_credential || ' ' || of_key, 0));
    IF NOT in_progress THEN
      SELECT a.fingerprint = of_request, a.answer_sealed INTO same, answer FROM idempotent_answer a
      WHERE a.org_id = of_org AND a.credential_id = of_credential AND a.key = of_key AND a.expires_at > now_at;
      IF same IS NULL AND is_must_replay THEN
        SELECT a.room_end, a.expires_at INTO oldest_end, full_until FROM idempotent_answer a
        WHERE a.org_id = of_org AND a.credential_id = of_credential AND a.must_replay AND a.expires_at > now_at ORDER BY a.room_end LIMIT 1;
        SELECT max(a.room_end) INTO newest_end FROM idempotent_answer a
        WHERE a.org_id = of_org AND a.credential_id = of_credential AND a.must_replay;
        IF newest_end - oldest_end + smallest < most THEN full_until := NULL; END IF;
      END IF;
    END IF;
    RETURN NEXT;
  END $$`,
  Comment.onFunction(
    "idempotency_open",
    `
    Whether the key is at work elsewhere, its answer if it has one, and until when there is no room for an answer
    that must be replayed. The lock comes first and the reading after; both end with the transaction, however it
    ends.
  `
  ),

  `CREATE OR REPLACE FUNCTION idempotency_keep(
    of_org text, of_credential uuid, of_key text, of_operation text, of_request text, sealed bytea, is_must_replay boolean,
    room bigint, most bigint, expires timestamptz
  ) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    ends bigint;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('idempotency room ' || of_credential, 0));
    SELECT coalesce(max(a.room_end), 0) + room INTO ends FROM idempotent_answer a
    WHERE a.org_id = of_org AND a.credential_id = of_credential AND a.must_replay = is_must_replay;
    INSERT INTO idempotent_answer (
      org_id, credential_id, key, operation, fingerprint, answer_sealed, must_replay, room_end, expires_at
    ) VALUES (of_org, of_credential, of_key, of_operation, of_request, sealed, is_must_replay, ends, expires)
    ON CONFLICT (org_id, credential_id, key) DO UPDATE SET operation = excluded.operation, fingerprint = excluded.fingerprint,
      answer_sealed = excluded.answer_sealed, must_replay = excluded.must_replay, room_end = excluded.room_end,
      expires_at = excluded.expires_at;
    IF NOT is_must_replay THEN
      DELETE FROM idempotent_answer a
      WHERE a.org_id = of_org AND a.credential_id = of_credential AND NOT a.must_replay AND a.room_end <= ends - most;
    END IF;
  END $$`,
  Comment.onFunction(
    "idempotency_keep",
    `
    Keeps an answer, and lets go of the oldest beyond the room that they have. Takes turns with the others of the
    credential, from here to the end of the transaction.
  `
  )
]

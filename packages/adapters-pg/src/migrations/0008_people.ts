/**
 * What finding people and firms stands on: any substring of at least three characters of a name, a title or an employer.
 * And what finding a property by its parcel number does, and the answers that are kept under an `Idempotency-Key`.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE INDEX contact_full_name ON contact USING gin (lower(full_name) gin_trgm_ops)`,
  `CREATE INDEX contact_employer_name ON contact USING gin (lower(employer_name) gin_trgm_ops)`,
  `CREATE INDEX contact_title ON contact USING gin (lower(title) gin_trgm_ops)`,
  `CREATE INDEX firm_name ON firm USING gin (lower(name) gin_trgm_ops)`,

  // As core's AddressMatch.parcelForm.
  `CREATE FUNCTION parcel_form(apn text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    nullif(regexp_replace(upper(apn COLLATE "C"), '[^A-Z0-9]', '', 'g'), '')`,
  `CREATE INDEX property_of_parcel ON property (parcel_form(apn)) WHERE retired_into IS NULL`,

  `CREATE TABLE idempotent_answer (
    credential_id uuid NOT NULL REFERENCES credential,
    key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
    operation text NOT NULL,
    /* Of the request, in hex. */
    fingerprint text NOT NULL,
    answer_sealed bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (credential_id, key)
  )`,
  `CREATE INDEX idempotent_answer_expiry ON idempotent_answer (expires_at)`,
  /* The lock comes first and the reading after; both end with the transaction, however it ends. */
  `CREATE FUNCTION idempotency_open(of_credential uuid, of_key text, of_request text, now_at timestamptz)
  RETURNS TABLE (in_progress boolean, same boolean, answer bytea) LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    in_progress := NOT pg_try_advisory_xact_lock(hashtextextended('idempotency ' || of_credential || ' ' || of_key, 0));
    IF NOT in_progress THEN
      SELECT a.fingerprint = of_request, a.answer_sealed INTO same, answer FROM idempotent_answer a
      WHERE a.credential_id = of_credential AND a.key = of_key AND a.expires_at > now_at;
    END IF;
    RETURN NEXT;
  END $$`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

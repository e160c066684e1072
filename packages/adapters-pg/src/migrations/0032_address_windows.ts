/**
 * The minutes of addresses, shared by all processes, so that no number of them gives an address more than one process would.
 *
 * The table is not logged: it is worth a minute, and gone after a crash. What ended is swept by whoever begins a window, two
 * for each, so that there are never many more rows than addresses of the last minute.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE UNLOGGED TABLE address_window (
    address text PRIMARY KEY,
    started_at bigint NOT NULL,
    count integer NOT NULL CHECK (count > 0)
  ) WITH (fillfactor = 50)`,
  `CREATE INDEX address_window_by_start ON address_window (started_at)`,
  `COMMENT ON TABLE address_window IS
    'Requests of each address in its running minute, before any key is looked at; not logged, swept as windows begin'`,
  `COMMENT ON COLUMN address_window.address IS 'An IPv4 address, or an IPv6 network of 64 bits'`,
  `COMMENT ON COLUMN address_window.started_at IS 'Milliseconds since the epoch'`,

  /* The rule of core's RateWindow.count, in one statement for whoever is admitted. */
  `CREATE FUNCTION count_address(of_address text, now_ms bigint, most integer)
  RETURNS TABLE (admitted boolean, used integer, started_at double precision) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    counted record;
  BEGIN
    LOOP
      INSERT INTO address_window AS w (address, started_at, count) VALUES (of_address, now_ms, 1)
      ON CONFLICT (address) DO UPDATE SET
        started_at = CASE WHEN window_runs(w.started_at, now_ms) THEN w.started_at ELSE now_ms END,
        count = CASE WHEN window_runs(w.started_at, now_ms) THEN w.count + 1 ELSE 1 END
      WHERE w.count < most OR NOT window_runs(w.started_at, now_ms)
      RETURNING w.started_at, w.count INTO counted;
      admitted := FOUND;
      IF NOT admitted THEN
        SELECT w.started_at, w.count INTO counted FROM address_window w WHERE w.address = of_address;
        /* It was swept in between. */
        CONTINUE WHEN NOT FOUND;
      END IF;
      EXIT;
    END LOOP;
    IF admitted AND counted.count = 1 THEN
      DELETE FROM address_window w WHERE w.address = ANY (ARRAY(
        SELECT ended.address FROM address_window ended WHERE ended.started_at < now_ms - 60000
        ORDER BY ended.started_at LIMIT 2 FOR UPDATE SKIP LOCKED
      ));
    END IF;
    used := counted.count;
    started_at := counted.started_at;
    RETURN NEXT;
  END $$`,
  `COMMENT ON FUNCTION count_address IS 'Counts one request of an address, unless it used up its running minute'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

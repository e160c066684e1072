/** What `AddressWindows` calls: requests of an address counted. */
import * as Comment from "../database/Comment.ts"

export const functions: ReadonlyArray<string> = [
  /* The rule of core's RateWindow.count, in one statement for whoever is admitted. */
  `CREATE OR REPLACE FUNCTION count_address(of_address text, now_ms bigint, most integer, times integer DEFAULT 1)
  RETURNS TABLE (admitted boolean, used integer, started_at double precision) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    counted record;
  BEGIN
    LOOP
      INSERT INTO address_window AS w (address, started_at, count) VALUES (of_address, now_ms, times)
      ON CONFLICT (address) DO UPDATE SET
        started_at = CASE WHEN window_runs(w.started_at, now_ms) THEN w.started_at ELSE now_ms END,
        count = CASE WHEN window_runs(w.started_at, now_ms) THEN w.count + times ELSE times END
      WHERE w.count + times <= most OR NOT window_runs(w.started_at, now_ms)
      RETURNING w.started_at, w.count INTO counted;
      admitted := FOUND;
      IF NOT admitted THEN
        SELECT w.started_at, w.count INTO counted FROM address_window w WHERE w.address = of_address;
        /* It was swept in between. */
        CONTINUE WHEN NOT FOUND;
      END IF;
      EXIT;
    END LOOP;
    IF admitted AND counted.count = times THEN
      DELETE FROM address_window w WHERE w.address = ANY (ARRAY(
        SELECT ended.address FROM address_window ended WHERE ended.started_at < now_ms - 60000
        ORDER BY ended.started_at LIMIT 2 FOR UPDATE SKIP LOCKED
      ));
    END IF;
    used := counted.count;
    started_at := counted.started_at;
    RETURN NEXT;
  END $$`,
  Comment.onFunction(
    "count_address",
    `
    Counts one request of an address, or so many at once, unless it has not as many left in its running minute. Whoever
    counts several addresses within a statement counts them in the order of their names, so that two of them cannot wait
    for each other.
  `
  )
]

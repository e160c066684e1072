/**
 * What keeps `delivery_log` and `delivery_attempt` in days, so that what is too old is dropped with its day and not row by row.
 *
 * Days are made ahead; a row that finds none goes to the part `_rest`, so that a write never fails for want of a day. What
 * changes the parts of a table waits not even half a second for whoever is at work in it, and then gives up, to be tried again
 * later; whoever comes meanwhile waits behind it no longer than that.
 */
import * as Comment from "../database/Comment.ts"

/**
 * What is done to a day waits no longer than this for others, nor do others behind it. Of two who wait for each other, such as a
 * reader of several tables, it is the one that gives up: a second is over before PostgreSQL breaks one of them off.
 */
const patience = "400ms"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION uuid_of_now() RETURNS uuid LANGUAGE sql VOLATILE
  RETURN encode(set_bit(set_bit(overlay(
    uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6
  ), 52, 1), 53, 1), 'hex')::uuid`,
  Comment.onFunction("uuid_of_now", "A new id that begins with its moment (UUID version 7)."),

  `CREATE OR REPLACE FUNCTION uuid_moment(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN substring(id::text FROM 15 FOR 1) = '7'
    THEN to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint::double precision / 1000) END`,
  Comment.onFunction("uuid_moment", "The moment with which an id of version 7 begins; null: it tells none."),

  `CREATE OR REPLACE FUNCTION history_parts(of_table regclass) RETURNS TABLE (part regclass, ends timestamptz, told text)
  LANGUAGE sql STABLE AS $$
    SELECT c.oid::regclass, substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([^'']+)''\\)')::timestamptz,
      obj_description(c.oid, 'pg_class')
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = of_table
  $$`,
  Comment.onFunction(
    "history_parts",
    "The days of a table of history: each with the moment before which its rows were made; null: the rest, which has no day."
  ),

  `CREATE OR REPLACE FUNCTION history_begins(of_table regclass) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT coalesce(min(CASE
      WHEN pg_get_expr(c.relpartbound, c.oid) LIKE '%FROM (MINVALUE)%' THEN '-infinity'
      ELSE substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''([^'']+)''\\)')
    END::timestamptz), '-infinity')
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = of_table AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
  $$`,
  Comment.onFunction(
    "history_begins",
    "The moment at which the first day of a table of history begins; -infinity: it has no beginning."
  ),

  `CREATE OR REPLACE FUNCTION history_ahead(of_table regclass, of_column name, at_time timestamptz, days integer)
  RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    rest regclass := (SELECT p.part FROM history_parts(of_table) p WHERE p.ends IS NULL);
    first_day date := greatest(
      (at_time AT TIME ZONE 'UTC')::date,
      (SELECT max(p.ends AT TIME ZONE 'UTC')::date FROM history_parts(of_table) p)
    );
    day date;
    part text;
    made integer := 0;
  BEGIN
    PERFORM set_config('lock_timeout', '${patience}', true);
    FOR day IN
      SELECT d::date FROM generate_series(first_day, (at_time AT TIME ZONE 'UTC')::date + days, interval '1 day') AS d
    LOOP
      part := format('%s_%s', of_table, to_char(day, 'YYYYMMDD'));
      EXECUTE format('CREATE TABLE %I (LIKE %s INCLUDING ALL)', part, of_table);
      /* What came before its day was made. */
      EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', rest);
      EXECUTE format(
        'WITH moved AS (DELETE FROM %s WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
        rest, of_column, day::timestamp AT TIME ZONE 'UTC', of_column, (day + 1)::timestamp AT TIME ZONE 'UTC', part
      );
      EXECUTE format(
        'ALTER TABLE %s ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        of_table, part, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC'
      );
      made := made + 1;
    END LOOP;
    RETURN made;
  END $$`,
  Comment.onFunction(
    "history_ahead",
    "Makes the days of a table of history up to so many ahead of a moment; answers how many. of_column is what it is divided by."
  ),

  `CREATE OR REPLACE FUNCTION history_drop(of_table regclass, before timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    old text;
    late text;
    columns text;
    moving text[];
    stays boolean;
    dropped integer := 0;
  BEGIN
    PERFORM set_config('lock_timeout', '${patience}', true);
    IF of_table = 'delivery_log'::regclass THEN
      SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) INTO columns
      FROM pg_attribute a WHERE a.attrelid = of_table AND a.attnum > 0 AND NOT a.attisdropped;
    END IF;
    FOR old IN SELECT p.part::text FROM history_parts(of_table) p WHERE p.ends <= before ORDER BY p.ends LOOP
      /* What ends in this day meanwhile waits, and then goes to the rest; who fences an organization in waits as well. */
      EXECUTE format('LOCK TABLE %I IN SHARE MODE', old);
      moving := ARRAY(SELECT m.org_id FROM organization_move m WHERE m.moved_at IS NULL);
      IF moving <> '{}' THEN
        EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE org_id = ANY($1))', old) INTO stays USING moving;
        CONTINUE WHEN stays;
      END IF;
      IF columns IS NULL THEN
        EXECUTE format('DROP TABLE %I', old);
      ELSE
        late := old || '_late';
        EXECUTE format('CREATE TABLE %I AS SELECT %s FROM %I WHERE finished_at > %L', late, columns, old, before);
        EXECUTE format('DROP TABLE %I', old);
        EXECUTE format('INSERT INTO %s (%s) SELECT %s FROM %I', of_table, columns, columns, late);
        EXECUTE format('DROP TABLE %I', late);
      END IF;
      dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
  END $$`,
  Comment.onFunction(
    "history_drop",
    `
    Drops the days of a table of history that ended by then; answers how many. A delivery is of the day on which it was made: what
    ended later than that moment, since it waited, goes to the rest and is kept there for its time. A day in which an
    organization has rows that is fenced in stays until it has moved, since its rows are being copied, and none of them is written.
  `
  ),

  `CREATE OR REPLACE FUNCTION delivery_log_strip(before timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    old record;
    has_bodies boolean;
    day text;
    bounds text;
    within text;
    bare text;
    columns text;
    lines text;
  BEGIN
    PERFORM set_config('lock_timeout', '${patience}', true);
    FOR old IN
      SELECT p.part, pg_get_expr(c.relpartbound, c.oid) AS bounds, pg_get_partition_constraintdef(c.oid) AS within
      FROM history_parts('delivery_log') p JOIN pg_class c ON c.oid = p.part
      WHERE p.ends <= before AND p.told IS DISTINCT FROM 'without bodies' ORDER BY p.ends
    LOOP
      day := old.part::text;
      bounds := old.bounds;
      within := old.within;
      EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE data IS NOT NULL)', day) INTO has_bodies;
      EXIT WHEN has_bodies;
      EXECUTE format('COMMENT ON TABLE %I IS %L', day, 'without bodies');
      day := NULL;
    END LOOP;
    IF day IS NULL THEN RETURN 0; END IF;
    SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum),
      string_agg(CASE a.attname WHEN 'data' THEN 'NULL' ELSE quote_ident(a.attname) END, ', ' ORDER BY a.attnum)
    INTO columns, lines
    FROM pg_attribute a WHERE a.attrelid = 'delivery_log'::regclass AND a.attnum > 0 AND NOT a.attisdropped;
    bare := day || '_bare';
    /* What is sent again out of this day, or withheld in it, waits until its lines are copied. */
    EXECUTE format('LOCK TABLE %I IN SHARE MODE', day);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', bare, day);
    EXECUTE format('INSERT INTO %I (%s) SELECT %s FROM %I', bare, columns, lines, day);
    /* With this it is attached without being read, which all others would wait for. */
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT within CHECK (%s)', bare, within);
    EXECUTE format('DROP TABLE %I', day);
    EXECUTE format('ALTER TABLE delivery_log ATTACH PARTITION %I %s', bare, bounds);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT within', bare);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', bare, day);
    EXECUTE format('COMMENT ON TABLE %I IS %L', day, 'without bodies');
    RETURN 1;
  END $$`,
  Comment.onFunction(
    "delivery_log_strip",
    `
    Takes the bodies from the oldest day of delivery_log that ended by then and has them: its lines are copied, and the day
    with the bodies is dropped. Answers how many days that was, 0 or 1.
  `
  ),

  `CREATE OR REPLACE FUNCTION delivery_log_strip_late(before timestamptz, at_most integer) RETURNS integer LANGUAGE plpgsql AS $$
  DECLARE
    day record;
    stripped integer;
    total integer := 0;
  BEGIN
    FOR day IN SELECT p.part FROM history_parts('delivery_log') p WHERE p.ends IS NULL OR p.told = 'without bodies' LOOP
      EXECUTE format(
        'UPDATE %s SET data = NULL WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM %s WHERE data IS NOT NULL AND created_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
        ))', day.part, day.part
      ) USING before, at_most - total;
      GET DIAGNOSTICS stripped = ROW_COUNT;
      total := total + stripped;
      EXIT WHEN total >= at_most;
    END LOOP;
    RETURN total;
  END $$`,
  Comment.onFunction(
    "delivery_log_strip_late",
    "Takes the bodies from deliveries that ended after their day had lost its own, at most so many; answers how many."
  )
]

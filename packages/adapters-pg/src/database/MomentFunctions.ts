/** How SQL and the core tell one another a moment. */
import * as Comment from "./Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION from_millis(millis bigint) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN to_timestamp(millis / 1000.0)`,
  Comment.onFunction("from_millis", "The moment that is so many milliseconds after 1970."),

  `CREATE OR REPLACE FUNCTION to_millis(at timestamptz) RETURNS bigint
  LANGUAGE sql STABLE PARALLEL SAFE RETURN floor(extract(epoch FROM at) * 1000)::bigint`,
  Comment.onFunction("to_millis", "The milliseconds from 1970 to a moment, a begun one left out."),

  `CREATE OR REPLACE FUNCTION to_iso(at timestamptz) RETURNS text
  LANGUAGE sql STABLE PARALLEL SAFE RETURN to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  Comment.onFunction("to_iso", "A moment as the contract writes it: in UTC, to the millisecond.")
]

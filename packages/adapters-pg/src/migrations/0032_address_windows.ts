/**
 * The minutes of addresses, shared by all processes, so that no number of them gives an address more than one process would.
 *
 * The table is not logged: it is worth a minute, and gone after a crash. What ended is swept by whoever begins a window, two
 * for each, so that there are never many more rows than addresses of the last minute.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions as addressFunctions } from "../rate/AddressFunctions.ts"

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

  ...addressFunctions
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

/** What a server runs with of the settings that go by its machine, and the statements that change them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type InForce, isTuned, type Misfit, rules } from "../tuning/Tuning.ts"

interface Row {
  readonly name: string
  readonly value: string
  /** Of sizes. */
  readonly bytes: number | null
  /** When a change of it is taken, as `pg_settings` has it. */
  readonly context: string
  readonly choices: ReadonlyArray<string> | null
}

export interface Standing {
  readonly inForce: InForce
  /** As `max_connections` has it. */
  readonly connections: number
  /** Whether the server was built with LZ4. */
  readonly lz4: boolean
  /** The statement by which a misfit is mended, and what has to be done for it to be taken. */
  readonly mend: (misfit: Misfit) => string
}

const sizes = Object.entries(rules).flatMap(([name, { kind }]) => kind === "bytes" ? [name] : [])

/** As a session of this program has them. */
export const standing = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Row>`
    SELECT name, current_setting(name) AS value, context, enumvals AS choices,
      CASE WHEN name = ANY(${sizes}) THEN pg_size_bytes(current_setting(name))::double precision END AS bytes
    FROM pg_settings WHERE name = ANY(${Object.keys(rules)})`
  const [server] = yield* sql<{ readonly connections: number; readonly database: string }>`
    SELECT current_setting('max_connections')::integer AS connections, format('%I', current_database()) AS database`
  if (server === undefined) return yield* Effect.die("a SELECT without a table answers one row")
  const contexts = new Map(rows.map(({ context, name }) => [name, context]))
  const standing: Standing = {
    inForce: new Map(
      rows.flatMap(({ bytes, name, value }) => isTuned(name) ? [[name, bytes ?? value] as const] : [])
    ),
    connections: server.connections,
    lz4: rows.some(({ choices, name }) => name === "wal_compression" && choices?.includes("lz4") === true),
    mend: ({ best, name }) => {
      switch (contexts.get(name)) {
        case "user":
          return `ALTER DATABASE ${server.database} SET ${name} = '${best}'; new connections have it`
        case "postmaster":
          return `ALTER SYSTEM SET ${name} = '${best}', and restart PostgreSQL`
        default:
          return `ALTER SYSTEM SET ${name} = '${best}', and SELECT pg_reload_conf()`
      }
    }
  }
  return standing
})

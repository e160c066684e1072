/** The importing installation of a cell: the connections on which the cell writes what is everybody's. */
import { PgClient } from "@effect/sql-pg"
import { Context, Layer, type Redacted } from "effect"
import type { SqlError } from "effect/sql"
import * as Database from "../database/Database.ts"
import type { Manner } from "../database/Pools.ts"

/** Research that ends writes there one at a time, and so does whoever suppresses or merges. */
const connections = 4

/** The clients of the importing installation, for adapters that write there instead of here. */
export const clients = (url: Redacted.Redacted, manner: Manner): Layer.Layer<Database.Clients, SqlError.SqlError> =>
  Database.layer({ url, applicationName: "freehold cell", maxConnections: connections, manner })

/** The importing installation beside the database of this one. */
export class Importer extends Context.Service<Importer, PgClient.PgClient>()("@freehold/adapters-pg/cell/Importer") {}

/** Needs the clients of the importing installation. */
export const layer: Layer.Layer<Importer, never, PgClient.PgClient> = Layer.effect(Importer, PgClient.PgClient)

/** What the connections of a server are told, by where the database is. */
import { assert, it } from "@effect/vitest"
import * as Database from "@freehold/adapters-pg/database/Database"
import { ConfigProvider, Effect, Layer } from "effect"
import { chmodSync, mkdtempSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import { Address, commandClients, servingClients } from "../src/DatabaseClients.ts"
import { Settings } from "../src/Settings.ts"

const mostFiles = Database.Reads.use((sql) => sql`SELECT current_setting('temp_file_limit') AS most`)

const at = (environment: Record<string, string>) => {
  const address = Address.layer.pipe(
    Layer.provideMerge(Settings.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(environment)))
  )
  const asked = (clients: typeof servingClients) => Effect.provide(mostFiles, clients, { local: true })
  return Effect.provide(Effect.all([asked(servingClients), asked(commandClients)]), address)
}

const none = [{ most: "-1" }]

it.live("a server bounds its temporary files where the database is its own, or is told to; commands never", () =>
  Effect.gen(function*() {
    const { folder, url } = inject("postgres")
    const dataDirectory = mkdtempSync(join(folder, "clients-"))
    chmodSync(dataDirectory, 0o711)
    assert.deepStrictEqual(yield* at({ FREEHOLD_DATA_DIR: dataDirectory }), [[{ most: "1GB" }], none])
    assert.deepStrictEqual(yield* at({ DATABASE_URL: url }), [none, none])
    assert.deepStrictEqual(
      yield* at({ DATABASE_URL: url, FREEHOLD_DATABASE_STARTUP: "statement_timeout,temp_file_limit" }),
      [[{ most: "1GB" }], none]
    )
  }))

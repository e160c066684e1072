/** Databases of the test run's server without any rows, for processes that get their address. */
import { administer, inDatabase, uniqueName } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"

export interface FreshDatabase {
  readonly url: string
  /** The id of an imported contact. */
  readonly contactId: (key: string) => Promise<string>
  readonly drop: () => Promise<void>
}

const made = async (server: Redacted.Redacted, template: string): Promise<FreshDatabase> => {
  const name = uniqueName()
  await Effect.runPromise(administer(server, (sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)}`))
  const url = inDatabase(server, name)
  return {
    url: Redacted.value(url),
    contactId: async (key) => {
      const rows = await Effect.runPromise(
        administer(url, (sql) => sql<{ readonly id: string }>`SELECT id FROM contact WHERE key = ${key}`)
      )
      return rows[0]?.id ?? ""
    },
    drop: async () => {
      await Effect.runPromise(administer(server, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`))
    }
  }
}

/** One without any table, on the server of the test run or on another one. */
export const emptyDatabase = (
  server: Redacted.Redacted = Redacted.make(inject("postgres").url)
): Promise<FreshDatabase> => made(server, "template0")

/** One that is migrated, so that no command has to. */
export const migratedDatabase = (): Promise<FreshDatabase> => {
  const { template, url } = inject("postgres")
  return made(Redacted.make(url), template)
}

/** An empty database of the test run's server, for processes that get its address. */
import { administer, inDatabase, uniqueName } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"

export interface FreshDatabase {
  readonly url: string
  /** The id of an imported contact. */
  readonly contactId: (key: string) => Promise<string>
  readonly drop: () => Promise<void>
}

/** On the server of the test run, or on another one. */
export const freshDatabase = async (
  server: Redacted.Redacted = Redacted.make(inject("postgres").url)
): Promise<FreshDatabase> => {
  const name = uniqueName()
  await Effect.runPromise(administer(server, (sql) => sql`CREATE DATABASE ${sql(name)}`))
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

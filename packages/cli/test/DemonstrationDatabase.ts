/** Databases with the demonstration in them: copies of one that the first file of a test run has the command make. */
import { administer, copyOf, inDatabase, uniqueName } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Exit, Redacted, Scope } from "effect"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { inject } from "vitest"
import { type Environment, serve } from "./Freehold.ts"

/** Of every command about such a database: they share its keys. */
export const settings = {
  FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
  FREEHOLD_DATA_DIR: `${import.meta.dirname}/../node_modules/.cache/demonstration`
}

/** The key of the demonstration, once there is such a database. */
export const demoKey = async (): Promise<string> =>
  (await readFile(join(settings.FREEHOLD_DATA_DIR, "demo-key"), "utf8")).trim()

/** Makes it under another name, so that nobody copies what is not whole. */
const furnish = async (server: Redacted.Redacted, template: string, name: string, env: Environment): Promise<void> => {
  const made = uniqueName()
  await Effect.runPromise(
    administer(server, (sql) => sql`CREATE DATABASE ${sql(made)} TEMPLATE ${sql(template)}`)
  )
  const url = Redacted.value(inDatabase(server, made))
  await (await serve(["--demo", "--no-worker"], { ...env, DATABASE_URL: url })).stop()
  await Effect.runPromise(administer(server, (sql) => sql`ALTER DATABASE ${sql(made)} RENAME TO ${sql(name)}`))
}

/** The name of the database to copy. Whoever comes while it is being made waits. */
const furnished = async (server: Redacted.Redacted, template: string, env: Environment): Promise<string> => {
  const name = `${template}_demo`
  await Effect.runPromise(
    administer(server, (sql) =>
      sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT pg_advisory_xact_lock(hashtext(${name}))`
        const found = yield* sql`SELECT FROM pg_database WHERE datname = ${name}`
        if (found.length === 0) yield* Effect.promise(() => furnish(server, template, name, env))
      })))
  )
  return name
}

export interface AppDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

const copied = async (server: Redacted.Redacted, name: string): Promise<AppDatabase> => {
  const scope = Scope.makeUnsafe()
  const copy = await Effect.runPromise(Scope.provide(copyOf(server, name), scope))
  return { url: Redacted.value(copy), drop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** One without any rows. */
export const emptyDatabase = (): Promise<AppDatabase> => {
  const { template, url } = inject("postgres")
  return copied(Redacted.make(url), template)
}

/** Another one as this one is; nobody may be connected to it. */
export const sameAgain = (url: string): Promise<AppDatabase> =>
  copied(Redacted.make(inject("postgres").url), new URL(url).pathname.slice(1))

/** `env`: the settings of the servers that will use it. */
export const demonstrationDatabase = async (env: Environment): Promise<AppDatabase> => {
  const { template, url } = inject("postgres")
  const server = Redacted.make(url)
  return copied(server, await furnished(server, template, env))
}

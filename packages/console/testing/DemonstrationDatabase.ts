/** Databases with the demonstration in them: copies of one that the first file of a test run has the command make. */
import { administer, copyOf, inDatabase, uniqueName } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Exit, Redacted, Scope } from "effect"
import { inject } from "vitest"
import { type Environment, serve } from "../../cli/test/Freehold.ts"

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

export interface DemonstrationDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

/** `env`: the settings of the servers that will use it. */
export const demonstrationDatabase = async (env: Environment): Promise<DemonstrationDatabase> => {
  const { template, url } = inject("postgres")
  const server = Redacted.make(url)
  const name = await furnished(server, template, env)
  const scope = Scope.makeUnsafe()
  const copy = await Effect.runPromise(Scope.provide(copyOf(server, name), scope))
  return { url: Redacted.value(copy), drop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

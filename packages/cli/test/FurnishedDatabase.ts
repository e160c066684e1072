/** Databases with something in them: copies of one that the first file of a test run has the command make. */
import { administer, copyOf, inDatabase, uniqueName } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Exit, Redacted, Scope } from "effect"
import { inject } from "vitest"

export interface FurnishedDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

export interface Furniture {
  /** What tells it from others that are made in the same run. */
  readonly name: string
  /** Whether it is begun without any table, rather than migrated. */
  readonly fromNothing?: boolean
  /** Fills the database of that address, and leaves nobody connected to it. */
  readonly furnish: (url: string) => Promise<void>
}

/** Makes it under another name, so that nobody copies what is not whole. */
const make = async (server: Redacted.Redacted, template: string, name: string, furnish: Furniture["furnish"]) => {
  const made = uniqueName()
  await Effect.runPromise(
    administer(server, (sql) => sql`CREATE DATABASE ${sql(made)} TEMPLATE ${sql(template)}`)
  )
  await furnish(Redacted.value(inDatabase(server, made)))
  await Effect.runPromise(administer(server, (sql) => sql`ALTER DATABASE ${sql(made)} RENAME TO ${sql(name)}`))
}

const copied = async (server: Redacted.Redacted, name: string): Promise<FurnishedDatabase> => {
  const scope = Scope.makeUnsafe()
  const copy = await Effect.runPromise(Scope.provide(copyOf(server, name), scope))
  return { url: Redacted.value(copy), drop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** A copy of the one that is so furnished. Whoever comes while that is being made waits. */
export const furnished = async ({ fromNothing = false, furnish, name }: Furniture): Promise<FurnishedDatabase> => {
  const { template, url } = inject("postgres")
  const server = Redacted.make(url)
  const whole = `${template}_${name}`
  await Effect.runPromise(
    administer(server, (sql) =>
      sql.withTransaction(Effect.gen(function*() {
        yield* sql`SELECT pg_advisory_xact_lock(hashtext(${whole}))`
        const found = yield* sql`SELECT FROM pg_database WHERE datname = ${whole}`
        if (found.length > 0) return
        yield* Effect.promise(() => make(server, fromNothing ? "template0" : template, whole, furnish))
      })))
  )
  return copied(server, whole)
}

/** Another one as this one is; nobody may be connected to it. */
export const sameAgain = (url: string): Promise<FurnishedDatabase> =>
  copied(Redacted.make(inject("postgres").url), new URL(url).pathname.slice(1))

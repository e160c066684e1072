/** An importing installation and two cells of it, in one server, with a worker's connections to each cell. */
import { PgClient } from "@effect/sql-pg"
import { type Seed, Seeder } from "@freehold/core/testing/Seed"
import { Context, Effect, Fiber, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { Importer } from "../../src/cell/Importer.ts"
import * as Move from "../../src/cell/Move.ts"
import * as Publication from "../../src/cell/Publication.ts"
import * as Subscription from "../../src/cell/Subscription.ts"
import * as Arrivals from "../../src/change/Arrivals.ts"
import { relay } from "../../src/change/ChangeRelay.ts"
import { transaction } from "../../src/database/Transaction.ts"
import * as SeederPg from "../../src/testing/SeederPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"
import * as SealerNode from "../../src/webhook/SealerNode.ts"
import { holding, waiting } from "../database/Holding.ts"

const clientTo = (url: Redacted.Redacted, applicationName: string) =>
  Effect.map(
    Layer.build(Layer.orDie(PgClient.layer({ url, applicationName, maxConnections: 6 }))),
    Context.get(PgClient.PgClient)
  )

/** Statements on a client. */
export const at = (sql: PgClient.PgClient) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, SqlClient.SqlClient, sql)

/** Waits until the statement finds something. */
export const once = <A, E, R>(look: Effect.Effect<ReadonlyArray<A>, E, R>) =>
  Effect.repeat(look, { until: (rows) => rows.length > 0 })

const cell = Effect.fnUntraced(function*(importer: PgClient.PgClient, importerUrl: Redacted.Redacted, side: string) {
  const url = yield* TestDatabase.make
  const sql = yield* clientTo(url, "freehold command")
  const worker = yield* clientTo(url, "freehold worker")
  const name = `${side.slice(0, 1)}${randomBytes(3).toString("hex")}`
  const here = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(at(sql), Effect.provideService(Importer, importer))
  yield* Effect.acquireRelease(
    here(Subscription.join({ name, url: importerUrl, dryRun: false, nothingLost: false })),
    () => Effect.orDie(here(Effect.andThen(Subscription.leave(), Subscription.forgetAtImporter(name))))
  )
  yield* once(sql`SELECT FROM pg_subscription_rel WHERE srsubstate <> 'r' HAVING count(*) = 0`)
  return { name, sql, worker }
})

export class TwoCells extends Context.Service<TwoCells>()("TwoCells", {
  make: Effect.gen(function*() {
    const importerUrl = yield* TestDatabase.make
    const importer = yield* clientTo(importerUrl, "freehold command")
    yield* at(importer)(Publication.publish({ dryRun: false }))
    const east = yield* cell(importer, importerUrl, "east")
    const west = yield* cell(importer, importerUrl, "west")

    const moving = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      effect.pipe(
        at(east.sql),
        Effect.provideService(Importer, importer),
        Effect.provideService(Move.Target, west.sql),
        Effect.provide(SealerNode.layer(WebhookPorts.key))
      )

    const move = (orgId: string) => moving(Move.move({ orgId, to: west.name, dryRun: false }))

    const seedAt = (sql: PgClient.PgClient) => (seed: Partial<Seed>) =>
      Seeder.use((seeder) => seeder.add(seed)).pipe(Effect.provide(SeederPg.layer), at(sql))

    return {
      importer,
      east,
      west,
      move,
      giveUp: (orgId: string) => moving(Move.giveUp({ orgId, to: west.name })),

      /** Records, which come to both cells. */
      seed: (seed: Partial<Seed>) =>
        Effect.andThen(
          seedAt(importer)(seed),
          Effect.forEach([east, west], ({ sql }) =>
            once(sql`SELECT FROM property WHERE id = ANY(${
              (seed.properties ?? []).map(({ id }) => id)
            }::uuid[])
              HAVING count(*) = ${(seed.properties ?? []).length}`))
        ),

      /** What organizations have in the east; of records nothing is written in a cell. */
      furnish: (seed: Partial<Seed>) =>
        transaction(
          east.sql,
          Effect.andThen(east.sql`SET LOCAL session_replication_role = replica`, seedAt(east.sql)(seed))
        ),

      merge: Effect.fnUntraced(function*(from: string, into: string) {
        yield* importer`SELECT property_merge(${from}::uuid, ${into}::uuid)`
        yield* Effect.forEach(
          [east, west],
          ({ sql }) => once(sql`SELECT FROM property WHERE id = ${from}::uuid AND retired_into IS NOT NULL`)
        )
      }),

      /** What the worker of a cell does with what arrived. */
      work: ({ worker }: typeof east) => Effect.andThen(Arrivals.settle(worker), relay(worker)),

      /** What is to be done while the organization is fenced in, by a move that is killed or, as it says, goes on. */
      whileFenced: Effect.fnUntraced(function*<A, E, R>(
        orgId: string,
        then: "is killed" | "goes on",
        meanwhile: Effect.Effect<A, E, R>
      ) {
        const release = yield* at(west.sql)(
          holding(west.sql`SELECT pg_advisory_xact_lock(hashtext('freehold move ' || ${orgId}::text))`)
        )
        const fiber = yield* Effect.forkChild(move(orgId))
        yield* at(west.sql)(waiting(1))
        yield* meanwhile
        if (then === "is killed") yield* Fiber.interrupt(fiber)
        yield* release
        return yield* Fiber.await(fiber)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(TwoCells, TwoCells.make)
}

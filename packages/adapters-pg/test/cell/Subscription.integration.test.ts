/** What joining a cell tells, and to whom. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Redacted, Result, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { inspect } from "node:util"
import { Importer } from "../../src/cell/Importer.ts"
import * as Publication from "../../src/cell/Publication.ts"
import * as Subscription from "../../src/cell/Subscription.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { at, once } from "./TwoCells.ts"

const clientTo = (url: Redacted.Redacted) =>
  Effect.map(Layer.build(Layer.orDie(PgClient.layer({ url, maxConnections: 2 }))), Context.get(PgClient.PgClient))

/** Runs the effect; answers what came of it and all that its spans have. */
const traced = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const exit = yield* Effect.exit(Effect.withTracer(effect, tracer))
  return { exit, told: spans.map(({ attributes, events }) => inspect([attributes, events], { depth: 9 })).join("\n") }
})

describe("Subscription", () => {
  it.live("tells neither a trace nor an error the password of the importing installation", () =>
    Effect.gen(function*() {
      const importerUrl = yield* TestDatabase.make
      const importer = yield* clientTo(importerUrl)
      const sql = yield* clientTo(yield* TestDatabase.make)
      const here = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        effect.pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.provideService(Importer, importer))
      yield* Effect.provideService(Publication.publish({ dryRun: false }), SqlClient.SqlClient, importer)
      const join = (url: Redacted.Redacted) =>
        traced(here(Subscription.join({ name: "east", url, dryRun: false, nothingLost: false })))

      const wrong = new URL(Redacted.value(importerUrl))
      wrong.password = "not-the-password-of-anybody"
      const refused = yield* join(Redacted.make(wrong.href))
      assert.isTrue(Exit.isFailure(refused.exit))
      assert.notInclude(refused.told, wrong.password)
      if (Exit.isFailure(refused.exit)) {
        const fault = inspect(
          refused.exit.cause.reasons.map((reason) => Cause.isFailReason(reason) ? reason.error : reason),
          {
            depth: 9,
            showHidden: true
          }
        )
        assert.include(fault, "could not connect")
        assert.notInclude(fault, wrong.password)
      }

      const { password } = new URL(Redacted.value(importerUrl))
      const joined = yield* Effect.acquireRelease(
        join(importerUrl),
        () => Effect.orDie(here(Effect.andThen(Subscription.leave(), Subscription.forgetAtImporter("east"))))
      )
      assert.deepStrictEqual(joined.exit, Exit.succeed({ cell: "east", outcome: "joined" as const }))
      assert.include(joined.told, "CREATE SUBSCRIPTION")
      assert.notInclude(joined.told, password)
    }).pipe(Effect.scoped))

  it.live("joins no cell anew that may lack something, until the operator says that it does not", () =>
    Effect.gen(function*() {
      const importerUrl = yield* TestDatabase.make
      const importer = yield* clientTo(importerUrl)
      const sql = yield* clientTo(yield* TestDatabase.make)
      const here = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        effect.pipe(at(sql), Effect.provideService(Importer, importer))
      const join = (nothingLost: boolean) =>
        here(Effect.result(Subscription.join({ name: "north", url: importerUrl, dryRun: false, nothingLost })))
      const isPromoted = Effect.map(here(Subscription.receiving), (cell) => cell?.promoted)
      const refusal = (joined: Effect.Success<ReturnType<typeof join>>) =>
        Result.isFailure(joined) ? joined.failure.message : "joined"
      yield* at(importer)(Publication.publish({ dryRun: false }))
      yield* Effect.acquireRelease(
        join(false),
        () => Effect.orDie(here(Effect.andThen(Subscription.leave(), Subscription.forgetAtImporter("north"))))
      )
      assert.isFalse(yield* isPromoted)

      // As a copy has it that another server made a primary.
      yield* sql`UPDATE cell_timeline SET timeline = '000000AA'`
      assert.isTrue(yield* isPromoted)
      assert.match(refusal(yield* join(false)), /was promoted or restored; .* --nothing-lost/)
      assert.isTrue(yield* isPromoted)
      assert.deepStrictEqual(yield* join(true), Result.succeed({ cell: "north", outcome: "refreshed" as const }))
      assert.isFalse(yield* isPromoted)

      // As an importing installation that was restored: it would send what comes from now on.
      yield* sql`ALTER SUBSCRIPTION freehold_cell_north DISABLE`
      yield* once(importer`SELECT FROM pg_replication_slots WHERE slot_name = 'freehold_cell_north' AND NOT active`)
      yield* importer`SELECT pg_drop_replication_slot('freehold_cell_north')::text`
      assert.match(refusal(yield* join(true)), /has no log for this cell any more/)
    }).pipe(Effect.scoped))
})

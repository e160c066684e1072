/** What joining a cell tells, and to whom. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Redacted, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { inspect } from "node:util"
import { Importer } from "../../src/cell/Importer.ts"
import * as Publication from "../../src/cell/Publication.ts"
import * as Subscription from "../../src/cell/Subscription.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

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
      const join = (url: Redacted.Redacted) => traced(here(Subscription.join({ name: "east", url, dryRun: false })))

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
})

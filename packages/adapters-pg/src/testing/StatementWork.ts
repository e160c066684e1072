/**
 * How much work the statements of an effect are, as the database tells itself. Unlike time, it is the same on a busy machine.
 *
 * The statements are run twice, the second time by EXPLAIN; so the effect should only read.
 */
import { Effect, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"

const Plan = Schema.Struct({ "Shared Hit Blocks": Schema.Number, "Shared Read Blocks": Schema.Number })
const Explained = Schema.Tuple([
  Schema.Struct({ "QUERY PLAN": Schema.Tuple([Schema.Struct({ Plan })]) })
])

/** Blocks of tables and indexes that the statements look at, each as often as they do. */
export const blocksOf = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const sent: Array<readonly [text: string, parameters: ReadonlyArray<unknown>]> = []
  const note: Statement.Transformer = (statement) =>
    Effect.sync(() => {
      const [text, parameters] = statement.compile()
      sent.push([text, parameters])
      return statement
    })
  yield* Effect.provideService(effect, Statement.CurrentTransformer, note)
  const blocks = yield* Effect.forEach(sent, ([text, parameters]) =>
    Effect.map(
      Effect.flatMap(
        sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`, parameters),
        Schema.decodeUnknownEffect(Explained)
      ),
      ([{ "QUERY PLAN": [{ Plan }] }]) => Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"]
    ))
  return blocks.reduce((sum, each) => sum + each, 0)
})

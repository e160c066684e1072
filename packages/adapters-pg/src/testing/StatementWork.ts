/**
 * How much work the statements of an effect are: what the database visits for them, as it tells itself. Unlike time, it is
 * the same on a busy machine.
 *
 * The statements are run twice, the second time by EXPLAIN; so the effect should only read.
 */
import { Effect, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"

export interface Work {
  /** Blocks of tables and indexes that were looked at, each as often as it was. */
  readonly blocks: number
  /** Rows that were read, whether they were kept or not. */
  readonly rows: number
}

interface Node {
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
  readonly Plans?: ReadonlyArray<Node>
}

const Node: Schema.Codec<Node> = Schema.Struct({
  "Actual Rows": Schema.Number,
  "Actual Loops": Schema.Number,
  "Rows Removed by Filter": Schema.optionalKey(Schema.Number),
  "Shared Hit Blocks": Schema.Number,
  "Shared Read Blocks": Schema.Number,
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend(() => Node)))
})

const Explained = Schema.Tuple([
  Schema.Struct({ "QUERY PLAN": Schema.Tuple([Schema.Struct({ Plan: Node })]) })
])

/** What the leaves of a plan read; everything else works on that. */
const rowsOf = (node: Node): number =>
  node.Plans === undefined
    ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
    : node.Plans.reduce((sum, plan) => sum + rowsOf(plan), 0)

export const workOf = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const sent: Array<readonly [text: string, parameters: ReadonlyArray<unknown>]> = []
  const note: Statement.Transformer = (statement) =>
    Effect.sync(() => {
      const [text, parameters] = statement.compile()
      sent.push([text, parameters])
      return statement
    })
  yield* Effect.provideService(effect, Statement.CurrentTransformer, note)
  const works = yield* Effect.forEach(sent, ([text, parameters]) =>
    Effect.map(
      Effect.flatMap(
        sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`, parameters),
        Schema.decodeUnknownEffect(Explained)
      ),
      ([{ "QUERY PLAN": [{ Plan: plan }] }]): Work => ({
        blocks: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"],
        rows: rowsOf(plan)
      })
    ))
  return works.reduce((sum, work) => ({ blocks: sum.blocks + work.blocks, rows: sum.rows + work.rows }), {
    blocks: 0,
    rows: 0
  })
})

/**
 * How much work the statements of an effect are, as the database tells itself. Unlike time, it is the same on a busy machine.
 *
 * The statements are run twice, the second time by EXPLAIN; so the effect should only read. Settings of a transaction hold for those
 * after them.
 */
import { Effect, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: ReadonlyArray<Plan>
}
const Plan = Schema.Struct({
  "Node Type": Schema.String,
  "Relation Name": Schema.optionalKey(Schema.String),
  "Shared Hit Blocks": Schema.Number,
  "Shared Read Blocks": Schema.Number,
  "Actual Rows": Schema.Number,
  "Actual Loops": Schema.Number,
  "Rows Removed by Filter": Schema.optionalKey(Schema.Number),
  "Rows Removed by Index Recheck": Schema.optionalKey(Schema.Number),
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<Plan> => Plan)))
})
const Explained = Schema.Tuple([
  Schema.Struct({ "QUERY PLAN": Schema.Tuple([Schema.Struct({ Plan })]) })
])

/** Tables that the plan reads from end to end. */
const readWhole = ({ "Node Type": type, Plans = [], "Relation Name": table }: Plan): ReadonlyArray<string> => [
  ...type === "Seq Scan" && table !== undefined ? [table] : [],
  ...Plans.flatMap(readWhole)
]

/** Rows that the steps of the plan hand on, each as often as it is run. */
const handedOn = ({ "Actual Loops": loops, "Actual Rows": rows, Plans = [] }: Plan): number =>
  Plans.reduce((sum, plan) => sum + handedOn(plan), rows * loops)

/** Rows that the steps of the plan look at and pass over, each as often as it is run. */
const passedOver = (plan: Plan): number =>
  (plan.Plans ?? []).reduce(
    (sum, each) => sum + passedOver(each),
    ((plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Index Recheck"] ?? 0)) * plan["Actual Loops"]
  )

/**
 * Blocks of tables and indexes that the statements look at, each as often as they do, the tables that they read from
 * end to end, and the rows that their steps hand on and pass over.
 */
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
  const planOf = (text: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(
      Effect.flatMap(
        sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`, parameters),
        Schema.decodeUnknownEffect(Explained)
      ),
      ([{ "QUERY PLAN": [{ Plan }] }]) => [Plan]
    )
  const explained = yield* sql.withTransaction(
    Effect.forEach(
      sent,
      ([text, parameters]) => text.startsWith("SET LOCAL ") ? Effect.as(sql.unsafe(text), []) : planOf(text, parameters)
    )
  )
  const plans = explained.flat()
  return {
    blocks: plans.reduce((sum, plan) => sum + plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], 0),
    readWhole: plans.flatMap(readWhole),
    rows: plans.reduce((sum, plan) => sum + handedOn(plan), 0),
    passedOver: plans.reduce((sum, plan) => sum + passedOver(plan), 0)
  }
})

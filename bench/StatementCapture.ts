/**
 * The statements that an adapter sends, as text and parameters, so that a baseline runs the very same ones.
 *
 * The parameters are those of `@effect/sql-pg`; strings, numbers, booleans, nulls and arrays of strings mean the same to
 * `pg`. Others would be a fault of the benchmark.
 */
import { Effect, Predicate, Schema } from "effect"
import { Statement } from "effect/sql"

export const Captured = Schema.Struct({ text: Schema.String, parameters: Schema.Array(Schema.Json) })
export type Captured = typeof Captured.Type

const plain = (value: unknown): Schema.Json => {
  if (value === null || value === undefined) return null
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  if (Array.isArray(value) && value.every(Predicate.isString)) return value
  throw new Error(`a parameter that the baseline cannot send: ${String(value)}`)
}

/** Runs the effect and answers with the statements that it sent, in order. */
export const statementsOf = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<ReadonlyArray<Captured>, E, R> =>
  Effect.suspend(() => {
    const captured: Array<Captured> = []
    const note: Statement.Transformer = (statement) =>
      Effect.sync(() => {
        const [text, parameters] = statement.compile()
        captured.push({ text, parameters: parameters.map(plain) })
        return statement
      })
    return Effect.as(Effect.provideService(effect, Statement.CurrentTransformer, note), captured)
  })

/**
 * A map without lookups in other files: what a lookup finds becomes the table of values of its column, so that a document is
 * whole and any machine can go by it.
 */
import { Effect, Predicate, type Schema } from "effect"
import { dirname, resolve } from "node:path"
import { ImportFileFault } from "../import/ImportFileFault.ts"
import { loadLookup } from "../import/ImportMap.ts"

/** Lines of one lookup: a document is kept in one row of the database. */
const mostValues = 50_000

type Json = Schema.Json

const inline = Effect.fnUntraced(function*(spec: Readonly<Record<string, Json>>, file: string) {
  const { from, lookup, on, take, ...options } = spec
  if (typeof from !== "string" || typeof lookup !== "string" || typeof on !== "string" || typeof take !== "string") {
    return yield* new ImportFileFault({ file, reason: "a lookup needs lookup, on, from and take" })
  }
  if (options["values"] !== undefined) {
    return yield* new ImportFileFault({ file, reason: "a lookup in a source cannot have values of its own" })
  }
  const table = yield* loadLookup(resolve(dirname(file), lookup), from, take)
  if (table.size > mostValues) {
    return yield* new ImportFileFault({ file, reason: `${lookup} has more than ${mostValues} lines` })
  }
  const known = [...table].filter(([, value]) => value !== "")
  const inlined: Json = { ...options, column: on, values: Object.fromEntries(known), otherwise: null }
  return inlined
})

const isRecord = (value: Json): value is { readonly [name: string]: Json } =>
  Predicate.isObject(value) && !Array.isArray(value)

const walk = (value: Json, file: string): Effect.Effect<Json, ImportFileFault> => {
  if (Array.isArray(value)) return Effect.forEach(value, (item: Json) => walk(item, file))
  if (!isRecord(value)) return Effect.succeed(value)
  if ("lookup" in value) return inline(value, file)
  return "column" in value || "template" in value || "const" in value ? Effect.succeed(value) : Effect.map(
    Effect.forEach(
      Object.entries(value),
      ([name, part]) => Effect.map(walk(part, file), (walked) => [name, walked] as const)
    ),
    (parts): Json => Object.fromEntries(parts)
  )
}

/** The fields of a map that was read from `file`. */
export const inlined = (
  fields: Readonly<Record<string, Json>>,
  file: string
): Effect.Effect<Readonly<Record<string, Json>>, ImportFileFault> =>
  Effect.map(walk(fields, file), (walked) => isRecord(walked) ? walked : {})

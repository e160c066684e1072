/**
 * A map without lookups in other files: what a lookup finds becomes a table of the map itself, so that a document is whole and any
 * machine can go by it. What is looked up is read as an import of the same map reads it.
 */
import { Effect, Predicate, Result, type Schema } from "effect"
import { dirname, resolve } from "node:path"
import { ImportFileFault } from "../import/ImportFileFault.ts"
import * as LookupFile from "../import/LookupFile.ts"
import { decodeLookup } from "../import/MapDocument.ts"

/** Lines of one lookup: a document is kept in one row of the database. */
const mostLines = 50_000

type Json = Schema.Json

const inline = Effect.fnUntraced(function*(spec: Readonly<Record<string, Json>>, at: string, file: string) {
  const faulty = (reason: string) => new ImportFileFault({ file, reason: `${at}: ${reason}` })
  const decoded = decodeLookup(spec)
  if (Result.isFailure(decoded)) return yield* faulty(decoded.failure.message)
  const { from, lookup, take, ...others } = decoded.success
  const table = yield* LookupFile.load(resolve(dirname(file), lookup), from, take).pipe(
    Effect.mapError(({ message }) => faulty(message))
  )
  if (table.size > mostLines) return yield* faulty(`${lookup} has more than ${mostLines} lines`)
  const inlined: Json = { ...others, table: Object.fromEntries(table) }
  return inlined
})

const isRecord = (value: Json): value is { readonly [name: string]: Json } =>
  Predicate.isObject(value) && !Array.isArray(value)

/** What a field that looks nothing up in another file says of where its value comes from. */
const places = ["column", "template", "table", "const"]

const walk = (value: Json, at: string, file: string): Effect.Effect<Json, ImportFileFault> => {
  if (Array.isArray(value)) return Effect.forEach(value, (item: Json, index) => walk(item, `${at}[${index}]`, file))
  if (!isRecord(value) || places.some((place) => place in value)) return Effect.succeed(value)
  return "lookup" in value ? inline(value, at, file) : fieldsOf(value, at, file)
}

const fieldsOf = (fields: Readonly<Record<string, Json>>, at: string, file: string) =>
  Effect.map(
    Effect.forEach(
      Object.entries(fields),
      ([name, value]) => Effect.map(walk(value, `${at}.${name}`, file), (walked) => [name, walked] as const)
    ),
    (walked): Readonly<Record<string, Json>> => Object.fromEntries(walked)
  )

/** The fields of a map that was read from `file`. */
export const inlined = (
  fields: Readonly<Record<string, Json>>,
  file: string
): Effect.Effect<Readonly<Record<string, Json>>, ImportFileFault> => fieldsOf(fields, "fields", file)

/** The document of a source as an operator writes it: a file whose map may stand in another one. */
import { decoder } from "@freehold/core/operation/InvalidInput"
import { shortcoming, SourceDocument, SourceMap } from "@freehold/core/source/SourceDocument"
import { Effect, Predicate, Result } from "effect"
import { dirname, resolve } from "node:path"
import { readJson } from "../command/JsonFile.ts"
import { CommandRefused } from "../CommandRefused.ts"
import { inlined } from "./InlineLookups.ts"
import { mapOf, rowContext } from "./SourceSync.ts"

const decodeDocument = decoder(SourceDocument, { hints: true })
const decodeMap = decoder(SourceMap, { hints: true })

const refuse = (file: string, reason: string) => new CommandRefused({ reason: `${file}: ${reason}` })

/** The map beside the document, where it stands in another file: that of an import. */
const mapFile = Effect.fnUntraced(function*(file: string, map: string) {
  const path = resolve(dirname(file), map)
  const json = yield* readJson(path)
  const { format: _, ...rest } = Predicate.isObject(json) ? { format: undefined, ...json } : { format: undefined }
  return { path, json: rest }
})

/** Whether a document says what its kind needs, and its map what rows need. */
export const checked = Effect.fnUntraced(function*(document: SourceDocument, file: string) {
  const lack = shortcoming(document)
  if (lack !== undefined) return yield* refuse(file, lack)
  yield* mapOf(document, yield* rowContext).pipe(
    Effect.mapError(({ message }) => new CommandRefused({ reason: message }))
  )
  return document
})

/** Reads it, with everything that it needs of other files. */
export const read = Effect.fnUntraced(function*(file: string) {
  const json = yield* readJson(file)
  if (!Predicate.isObject(json) || Array.isArray(json)) return yield* refuse(file, "expected an object")
  const given: { readonly [name: string]: unknown } = { ...json }
  const { path, json: map } = typeof given["map"] === "string"
    ? yield* mapFile(file, given["map"])
    : { path: file, json: given["map"] }
  const decodedMap = decodeMap(map)
  if (Result.isFailure(decodedMap)) return yield* refuse(path, `map: ${decodedMap.failure.message}`)
  const fields = yield* inlined(decodedMap.success.fields, path).pipe(
    Effect.mapError(({ message }) => new CommandRefused({ reason: message }))
  )
  const document = decodeDocument({ ...given, map: { ...decodedMap.success, fields } })
  if (Result.isFailure(document)) return yield* refuse(file, document.failure.message)
  return yield* checked(document.success, file)
})

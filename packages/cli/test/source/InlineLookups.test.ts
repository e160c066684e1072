/** A map that looks up in another file: what an import reads by it, and what a source reads by the document that it becomes part of. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as ByteSource from "@freehold/cli/import/ByteSource"
import * as ImportMap from "@freehold/cli/import/ImportMap"
import * as RowRecords from "@freehold/cli/import/RowRecords"
import { read } from "@freehold/cli/source/DocumentFile"
import * as PortalReader from "@freehold/cli/source/PortalReader"
import { mapOf, rowContext, rowsOfPage } from "@freehold/cli/source/SourceSync"
import { SourceReader } from "@freehold/core/source/SourceReader"
import { GuardedGet } from "@freehold/webhook-worker/GuardedGet"
import { Duration, Effect, FileSystem, Layer, type Stdio, Stream } from "effect"
import { pathToFileURL } from "node:url"

const reader = PortalReader.layer({ deadline: Duration.seconds(5), pause: Duration.millis(1) }).pipe(
  Layer.provide(GuardedGet.layer({ policy: "any", patience: Duration.seconds(5), userAgent: "Freehold/test" }))
)

const folderWith = Effect.fnUntraced(function*(files: Readonly<Record<string, string>>) {
  const fileSystem = yield* FileSystem.FileSystem
  const folder = yield* fileSystem.makeTempDirectoryScoped()
  for (const [name, content] of Object.entries(files)) yield* fileSystem.writeFileString(`${folder}/${name}`, content)
  return folder
})

const documentOf = (address: string) => ({
  name: "lots",
  title: "Lots (made up)",
  publisher: "a county (made up)",
  licence: "public domain",
  attribution: "Lots: a county (made up)",
  kind: "file",
  address,
  map: "map.json"
})

/** The rows that can be used, and the faults of the others. */
const imported = Effect.fnUntraced(function*(folder: string) {
  const map = yield* ImportMap.load(`${folder}/map.json`, "properties", yield* rowContext)
  const file = `${folder}/lots.csv`
  const records = yield* Stream.runCollect(RowRecords.read(file, map, ByteSource.read(file)))
  return {
    rows: records.flatMap(({ faults, row }) => faults.length === 0 ? [row] : []),
    faults: records.flatMap(({ faults, line }) =>
      faults.map(({ field, reason }) => ({ place: `line ${line}`, field, reason }))
    )
  }
})

/** The document as a database keeps it. */
const kept = Effect.fnUntraced(function*(folder: string) {
  const document = yield* read(`${folder}/source.json`)
  const stored: typeof document = JSON.parse(JSON.stringify(document))
  return stored
})

const synced = Effect.fnUntraced(function*(folder: string) {
  const document = yield* kept(folder)
  const context = yield* rowContext
  const map = yield* mapOf(document, context)
  const portal = yield* SourceReader
  const pages = yield* Stream.runCollect(portal.read({ document, token: null, since: null, position: null }))
  const found = pages.map((page) => rowsOfPage(map, "properties", page, context))
  return {
    rows: found.flatMap(({ rows }) => rows.flatMap(({ digest, row }) => digest === null ? [] : [row])),
    faults: found.flatMap(({ rejects }) => rejects)
  }
})

const files = (fields: object) => ({
  "map.json": JSON.stringify({ format: "csv", key: "lots:{id}", null: ["NA"], fields }),
  "codes.csv": "code,year,area,kind\nA,1987,\"12,000\",O\nB,NA,10.5,X\n*,2001,0,I\n0,1950,7,O\n",
  "lots.csv": "id,code\n1,A\n2,B\n3,C\n4,NA\n5,\n6,0\n7,*\n"
})

const within = <A, E>(effect: Effect.Effect<A, E, FileSystem.FileSystem | SourceReader | Stdio.Stdio>) =>
  effect.pipe(Effect.provide(Layer.merge(reader, NodeServices.layer)))

describe("a lookup", () => {
  it.live("is read by a source as by an import: of the field's type, null where it means nothing, with the options of the field", () =>
    within(Effect.scoped(Effect.gen(function*() {
      const lookup = { lookup: "codes.csv", on: "code", from: "code" }
      const folder = yield* folderWith(files({
        countyFips: { const: "53903" },
        yearBuilt: { ...lookup, take: "year" },
        lotSqft: { ...lookup, take: "area", round: true, zeroIs: null },
        assetCategory: { ...lookup, take: "kind", values: { O: "Office", I: "Industrial" }, otherwise: null },
        buildings: [{ yearBuilt: { ...lookup, take: "year" } }]
      }))
      const fileSystem = yield* FileSystem.FileSystem
      yield* fileSystem.writeFileString(
        `${folder}/source.json`,
        JSON.stringify(documentOf(pathToFileURL(`${folder}/lots.csv`).href))
      )
      const found = yield* synced(folder)
      assert.deepStrictEqual(found, yield* imported(folder))
      const row = (id: number, yearBuilt: number | null, lotSqft: number | null, assetCategory: string | null) => ({
        key: `lots:${id}`,
        countyFips: "53903",
        yearBuilt,
        lotSqft,
        assetCategory,
        buildings: yearBuilt === null ? [] : [{ yearBuilt }]
      })
      assert.deepStrictEqual(found, {
        rows: [
          row(1, 1987, 12_000, "Office"),
          row(2, null, 11, null),
          row(3, null, null, null),
          row(4, null, null, null),
          row(5, null, null, null),
          row(6, 1950, 7, "Office"),
          row(7, 2001, null, "Industrial")
        ],
        faults: []
      })
    }))))

  it.effect("of a map that came without its files says what to do", () =>
    Effect.gen(function*() {
      const county = { lookup: "codes.csv", on: "code", from: "code", take: "county" }
      const map = JSON.stringify({ format: "csv", key: "lots:{id}", fields: { countyFips: county } })
      const read = ImportMap.parse(map, { file: "the map", folder: null }, "properties", yield* rowContext)
      const { message } = yield* Effect.flip(read)
      assert.include(message, "fields.countyFips: looks up in another file")
      for (const step of ["freehold import", "\"table\""]) assert.include(message, step)
    }).pipe(Effect.provide(NodeServices.layer)))
})

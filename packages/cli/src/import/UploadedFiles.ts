/** `Importer`: a file that was uploaded goes the way of one that `freehold import` reads. */
import * as FormerCountyRows from "@freehold/core/coverage/FormerCountyRows"
import { Importer, ImportRefused } from "@freehold/core/import/Importer"
import type { ImportKind } from "@freehold/core/import/ImportKind"
import type { ShownRow } from "@freehold/core/import/ImportRuns"
import { ImportStore } from "@freehold/core/import/ImportStore"
import { Effect, Layer, Schema, Stream } from "effect"
import * as ByteSource from "./ByteSource.ts"
import * as Import from "./Import.ts"
import type { ImportFileFault } from "./ImportFileFault.ts"
import * as ImportMap from "./ImportMap.ts"
import * as Rejects from "./Rejects.ts"

const isJson = Schema.is(Schema.Json)

const shownOf = ({ line, row }: Import.ShownRow): ShownRow => ({ line, row: isJson(row) ? row : null })

const refused = ({ reason }: ImportFileFault) => Effect.fail(new ImportRefused({ reason }))

const mapOf = (kind: ImportKind, text: string) =>
  Effect.flatMap(
    Import.rowContext,
    (context) => ImportMap.parse(text, { file: "the map", folder: null }, kind, context)
  )

/** Over the store that rows are loaded into. */
export const layer = Layer.effect(
  Importer,
  Effect.map(ImportStore, (store) =>
    Importer.of({
      check: Effect.fn("Importer.check")((kind, map) =>
        Effect.asVoid(mapOf(kind, map)).pipe(Effect.catchTag("ImportFileFault", refused))
      ),
      run: Effect.fn("Importer.run")(
        function*({ bytes, dryRun, kind, map: text, name, onProgress, onRejects, strict }) {
          const map = text === null ? undefined : yield* mapOf(kind, text)
          const { ofFormerCounties, shown, summary } = yield* Import.run({
            kind,
            name,
            map,
            totalBytes: null,
            read: (onBytes) => ByteSource.decompressed(name, Stream.tap(bytes, ({ length }) => onBytes(length))),
            reject: (rejected) => onRejects(Effect.map(rejected, Rejects.linesOf)),
            isKept: true
          }, {
            strict,
            dryRun,
            onProgress: ({ bytes: read }, counts) => onProgress(counts, read)
          })
          const { kind: _, ...counts } = summary
          return {
            counts,
            shown: Effect.map(shown, (rows) => rows.map(shownOf)),
            note: FormerCountyRows.noted(ofFormerCounties)
          }
        },
        Effect.provideService(ImportStore, store),
        Effect.catchTag("ImportFileFault", refused)
      )
    }))
)

/** A reading that loads nothing: what the map makes of the first rows, and what could not be used. */
import * as FormerCountyRows from "@freehold/core/coverage/FormerCountyRows"
import type { SourceDocument } from "@freehold/core/source/SourceDocument"
import { SourceReader } from "@freehold/core/source/SourceReader"
import type { RunReject } from "@freehold/core/source/Sources"
import { Effect, type Redacted, type Schema, Stream } from "effect"
import { CommandRefused } from "../CommandRefused.ts"
import { checkColumns, formerCountiesOf, mapOf, rowContext, rowsOf, rowsOfPage } from "./SourceSync.ts"

const shownRows = 10
const shownRejects = 20

export const trial = Effect.fnUntraced(function*({ document, most, token }: {
  readonly document: SourceDocument
  readonly token: Redacted.Redacted | null
  /** Pages that are read; null: all. */
  readonly most: number | null
}) {
  const reader = yield* SourceReader
  const context = yield* rowContext
  const map = yield* mapOf(document, context)
  const rows: Array<Schema.Json> = []
  const rejects: Array<RunReject> = []
  const kind = rowsOf(document)
  let formerCounties = FormerCountyRows.none
  let read = 0
  let rejected = 0
  const pages = reader.read({ document, token, since: null, position: null })
  yield* (most === null ? pages : Stream.take(pages, most)).pipe(
    Stream.tap((page) => checkColumns(map, page)),
    Stream.runForEach((page) =>
      Effect.sync(() => {
        const found = rowsOfPage(map, kind, page, context)
        for (const { digest, row } of found.rows) if (digest !== null && rows.length < shownRows) rows.push(row)
        for (const reject of found.rejects) if (rejects.length < shownRejects) rejects.push(reject)
        formerCounties = FormerCountyRows.sum(formerCounties, formerCountiesOf(kind, found.rows))
        read += page.records.length
        rejected += found.rejected
      })
    ),
    Effect.mapError(({ reason }) => new CommandRefused({ reason: `${document.name}: ${reason}` }))
  )
  return { formerCounties, read, rejected, rows, rejects }
})

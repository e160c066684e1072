/**
 * The datastore of CKAN: `GET <portal>/api/3/action/datastore_search`.
 *
 * It knows offsets alone, and rows that go move the others. So each page begins with the last row of the one before, and where
 * that is not found, the reading goes back until it is; rows that were read already, which their `_id` tells, are passed over. A portal
 * may answer fewer rows than were asked for, so the end is where nothing but that row comes.
 */
import { type Reading, SourceFault, type SourcePage } from "@freehold/core/source/SourceReader"
import { Effect, Option, Redacted, Result, Schema, Stream } from "effect"
import { cellsOf } from "./Cells.ts"
import type { Portal } from "./Portal.ts"

const pageSize = 2000

const Found = Schema.Struct({
  success: Schema.Literal(true),
  result: Schema.Struct({
    fields: Schema.Array(Schema.Struct({ id: Schema.String })),
    records: Schema.Array(Schema.Record(Schema.String, Schema.Unknown))
  })
})
const decodeFound = Schema.decodeUnknownResult(Found)

/** `last`: the greatest `_id` that was read; `left`: the offset that the reading went back from. */
const Position = Schema.Struct({ offset: Schema.Int, last: Schema.Int, left: Schema.optionalKey(Schema.Int) })
const decodePosition = Schema.decodeUnknownOption(Position)

const lasting = (reason: string) => new SourceFault({ reason, lasting: true })

export const read = (
  portal: Portal,
  { document, position, token }: Reading
): Stream.Stream<SourcePage, SourceFault> => {
  // Two at least: the first row is one that was read before.
  const limit = Math.max(2, document.page ?? pageSize)
  const page = Effect.fnUntraced(function*({ last, left = 0, offset }: typeof Position.Type) {
    const from = Math.max(0, offset - 1)
    const url = new URL("/api/3/action/datastore_search", document.address)
    url.searchParams.set("resource_id", document.query?.resource_id ?? "")
    url.searchParams.set("limit", String(limit))
    url.searchParams.set("offset", String(from))
    url.searchParams.set("sort", "_id asc")
    if (document.query?.filters !== undefined) url.searchParams.set("filters", JSON.stringify(document.query.filters))
    const { value } = yield* portal.json({
      url: url.href,
      ...token === null ? {} : { secretHeaders: { Authorization: Redacted.value(token) } }
    })
    const found = decodeFound(value)
    if (Result.isFailure(found)) return yield* lasting("did not answer records of a datastore")
    const { fields, records } = found.success.result
    const columns = fields.map(({ id }) => id)
    const numbered = records.flatMap((record) =>
      typeof record["_id"] === "number" ? [[record["_id"], record] as const] : []
    )
    if (numbered.length !== records.length) return yield* lasting("answered a record without _id")
    const [first] = numbered
    const none: SourcePage = { records: [], columns, position: { offset: from, last }, mark: null }
    if (from > 0 && (first === undefined || first[0] > last)) {
      // Rows before this page are gone: what stood behind them was never seen.
      return [[none], Option.some({ offset: Math.max(0, from - limit), last, left: from })] as const
    }
    const fresh = numbered.filter(([id]) => id > last)
    const next = { offset: from + records.length, last: fresh.at(-1)?.[0] ?? last, left }
    const isOnTheWay = fresh.length > 0 || records.length > 1 && next.offset <= left
    if (!isOnTheWay && records.length > 1) {
      return yield* lasting("answered records again that it was not asked for")
    }
    const read: SourcePage = {
      records: fresh.map(([id, record]) => ({ _tag: "Read", place: String(id), cells: cellsOf(record) })),
      columns,
      position: next,
      mark: null
    }
    return [[read], isOnTheWay ? Option.some(next) : Option.none()] as const
  })
  return Stream.paginate(Option.getOrElse(decodePosition(position), () => ({ offset: 0, last: -1 })), page)
}

/**
 * Socrata's SODA: `GET <dataset>.json` with SoQL.
 *
 * Pages are what follows the last `:id`, in the portal's own order of them, so rows that come and go move no other. The mark is the latest
 * `:updated_at` before the first page was read, since a row of that page may change while the others are read. What changed is asked
 * for from somewhat before the mark, itself included: rows of one moment become visible one after the other. Unknown values are left
 * out of rows; which columns there are, and of which type, is told by the headers `X-SODA2-Fields` and `X-SODA2-Types`.
 */
import { type Reading, SourceFault, type SourcePage } from "@freehold/core/source/SourceReader"
import { DateTime, Duration, Effect, Option, Predicate, Redacted, Schema, Stream } from "effect"
import { cellsOf } from "./Cells.ts"
import type { JsonAnswer, Portal } from "./Portal.ts"

const pageSize = 2000

/** How long before the mark rows are asked for again: as long as writing them may take. */
const overlap = Duration.minutes(10)

/** `updated`: the mark of this reading. */
const Position = Schema.Struct({ after: Schema.String, updated: Schema.NullOr(Schema.String) })
const decodePosition = Schema.decodeUnknownOption(Position)
const Mark = Schema.Struct({ updated: Schema.NullOr(Schema.String) })
const decodeMark = Schema.decodeUnknownOption(Mark)
const decodeNames = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.String)))

const lasting = (reason: string) => new SourceFault({ reason, lasting: true })

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Numbers come as text with all the digits of their column; as a number has them they are `3052960043` and `0.5`. */
const plainNumber = (text: string): string => text.replace(/^(-?\d+)(?:(\.\d*[1-9])0*|\.0*)$/, "$1$2")

/** The columns of numbers, where the portal says which they are. */
const numberColumns = (headers: JsonAnswer["headers"]): ReadonlySet<string> => {
  const names = Option.getOrElse(decodeNames(headers["x-soda2-fields"]), () => [])
  const types = Option.getOrElse(decodeNames(headers["x-soda2-types"]), () => [])
  return new Set(names.filter((_, index) => types[index] === "number"))
}

const textOf = (value: unknown): string | null => typeof value === "string" ? value : null

/** From when on what changed since the mark is asked for; null: the mark is no moment, and everything is. */
const changedSince = (mark: string): string | null =>
  DateTime.make(mark).pipe(
    Option.map((moment) => DateTime.formatIso(DateTime.subtractDuration(moment, overlap))),
    Option.getOrNull
  )

export const read = (
  portal: Portal,
  { document, position, since, token }: Reading
): Stream.Stream<SourcePage, SourceFault> => {
  const limit = document.page ?? pageSize
  const known = Option.match(decodeMark(since), { onNone: () => null, onSome: ({ updated }) => updated })
  const from = known === null ? null : changedSince(known)

  const ask = Effect.fnUntraced(function*(
    query: { readonly select: string; readonly order: string; readonly limit: number },
    conditions: ReadonlyArray<string>
  ) {
    const url = new URL(document.address.endsWith(".json") ? document.address : `${document.address}.json`)
    url.searchParams.set("$select", query.select)
    url.searchParams.set("$order", query.order)
    url.searchParams.set("$limit", String(query.limit))
    const where = [...document.query?.where === undefined ? [] : [`(${document.query.where})`], ...conditions]
    if (where.length > 0) url.searchParams.set("$where", where.join(" AND "))
    const { headers, value } = yield* portal.json({
      url: url.href,
      ...token === null ? {} : { secretHeaders: { "X-App-Token": Redacted.value(token) } }
    })
    if (!Array.isArray(value)) return yield* lasting("did not answer an array of rows")
    return { headers, rows: value }
  })

  // Without an answer there is no mark, and the next reading is of everything.
  const latest = ask({ select: ":updated_at", order: ":updated_at DESC", limit: 1 }, []).pipe(
    Effect.map(({ rows: [row] }) => Predicate.isObject(row) ? textOf(row[":updated_at"]) : null),
    Effect.catchIf(({ lasting }) => lasting, () => Effect.succeed(null))
  )

  const page = Effect.fnUntraced(function*(at: typeof Position.Type | null) {
    const updated = at === null ? yield* latest : at.updated
    const { headers, rows } = yield* ask({ select: ":*,*", order: ":id", limit }, [
      ...from === null ? [] : [`:updated_at >= ${quoted(from)}`],
      ...at === null ? [] : [`:id > ${quoted(at.after)}`]
    ])
    const numbers = numberColumns(headers)
    let after = at?.after ?? ""
    const records: Array<SourcePage["records"][number]> = []
    for (const row of rows) {
      if (!Predicate.isObject(row)) return yield* lasting("answered a row that is no object")
      const id = textOf(row[":id"])
      if (id === null) return yield* lasting("answered a row without :id")
      if (id === at?.after) return yield* lasting("answered a row again that it was not asked for")
      after = id
      const cells = cellsOf(row)
      for (const column of numbers) {
        const cell = cells.get(column)
        if (cell !== undefined) cells.set(column, plainNumber(cell))
      }
      records.push({ _tag: "Read", place: id, cells })
    }
    const next = { after, updated }
    const read: SourcePage = {
      records,
      columns: Option.getOrNull(decodeNames(headers["x-soda2-fields"])),
      position: next,
      mark: { updated }
    }
    return [[read], rows.length < limit ? Option.none() : Option.some(next)] as const
  })
  return Stream.paginate(Option.getOrNull(decodePosition(position)), page)
}

/**
 * Socrata's SODA: `GET <dataset>.json` with SoQL.
 *
 * Pages are what follows the last `:id`, in the portal's own order of them, so rows that come and go move no other. Rows that changed are
 * those with a later `:updated_at`. Unknown values are left out of rows; which columns there are, and of which type, is told by
 * the headers `X-SODA2-Fields` and `X-SODA2-Types`.
 */
import { type Reading, SourceFault, type SourcePage } from "@freehold/core/source/SourceReader"
import { Effect, Option, Predicate, Redacted, Schema, Stream } from "effect"
import { cellsOf } from "./Cells.ts"
import type { JsonAnswer, Portal } from "./Portal.ts"

const pageSize = 2000

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

/** The later of two moments, which the portal writes in one form. */
const later = (one: string | null, other: string | null): string | null =>
  one === null || other !== null && other > one ? other : one

export const read = (
  portal: Portal,
  { document, position, since, token }: Reading
): Stream.Stream<SourcePage, SourceFault> => {
  const limit = document.page ?? pageSize
  const changedAfter = Option.match(decodeMark(since), { onNone: () => null, onSome: ({ updated }) => updated })
  const conditions = (after: string | null): string =>
    [
      document.query?.where === undefined ? undefined : `(${document.query.where})`,
      changedAfter === null ? undefined : `:updated_at > ${quoted(changedAfter)}`,
      after === null ? undefined : `:id > ${quoted(after)}`
    ].filter((part) => part !== undefined).join(" AND ")

  const page = Effect.fnUntraced(function*(at: typeof Position.Type | null) {
    const url = new URL(document.address.endsWith(".json") ? document.address : `${document.address}.json`)
    url.searchParams.set("$select", ":*,*")
    url.searchParams.set("$order", ":id")
    url.searchParams.set("$limit", String(limit))
    const where = conditions(at?.after ?? null)
    if (where !== "") url.searchParams.set("$where", where)
    const { headers, value } = yield* portal.json({
      url: url.href,
      ...token === null ? {} : { secretHeaders: { "X-App-Token": Redacted.value(token) } }
    })
    if (!Array.isArray(value)) return yield* lasting("did not answer an array of rows")
    const numbers = numberColumns(headers)
    let after = at?.after ?? ""
    let updated = at?.updated ?? changedAfter
    const records: Array<SourcePage["records"][number]> = []
    for (const row of value) {
      if (!Predicate.isObject(row)) return yield* lasting("answered a row that is no object")
      const id = textOf(row[":id"])
      if (id === null) return yield* lasting("answered a row without :id")
      if (id === at?.after) return yield* lasting("answered a row again that it was not asked for")
      after = id
      updated = later(updated, textOf(row[":updated_at"]))
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
    return [[read], value.length < limit ? Option.none() : Option.some(next)] as const
  })
  return Stream.paginate(Option.getOrNull(decodePosition(position)), page)
}

/**
 * Companies that file with the SEC: `GET <address>/submissions/CIK##########.json`, one for each CIK that was asked for.
 *
 * Of a company's submissions its own facts are columns (`name`, `sic`, `addresses.business.city`), its filings are not. A
 * CIK that nobody has is a record that could not be read, and nothing more.
 */
import { type Reading, SourceFault, type SourcePage } from "@freehold/core/source/SourceReader"
import { Effect, Option, Predicate, Schema, Stream } from "effect"
import { cellsOf } from "./Cells.ts"
import type { Portal } from "./Portal.ts"

/** Companies of one page: each is a request. */
const pageSize = 20

const Position = Schema.Struct({ next: Schema.Int })
const decodePosition = Schema.decodeUnknownOption(Position)

export const read = (portal: Portal, { document, position }: Reading): Stream.Stream<SourcePage, SourceFault> => {
  const ciks = document.query?.ciks ?? []
  const size = document.page ?? pageSize

  const company = Effect.fnUntraced(function*(cik: number) {
    const place = String(cik).padStart(10, "0")
    const url = new URL(`/submissions/CIK${place}.json`, document.address).href
    const found = yield* portal.find({ url })
    if (Option.isNone(found)) {
      return { _tag: "Unreadable", place, reason: "is no company of the SEC", text: "" } as const
    }
    const { value } = found.value
    if (!Predicate.isObject(value)) return yield* new SourceFault({ reason: "did not answer a company", lasting: true })
    const { filings: _, ...facts } = value
    return { _tag: "Read", place, cells: cellsOf(facts) } as const
  })

  const page = Effect.fnUntraced(function*({ next }: typeof Position.Type) {
    const records = yield* Effect.forEach(ciks.slice(next, next + size), company)
    const after = { next: next + records.length }
    const read: SourcePage = { records, columns: null, position: after, mark: null }
    return [[read], after.next < ciks.length ? Option.some(after) : Option.none()] as const
  })
  return Stream.paginate(Option.getOrElse(decodePosition(position), () => ({ next: 0 })), page)
}

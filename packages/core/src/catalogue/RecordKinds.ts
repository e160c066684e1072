/**
 * Which of what a caller sees a text names: an id, whatever it is the id of, or the key or the parcel number of a property. It is
 * asked where something was not found by it, so that whoever mistook one id for another is told.
 *
 * What the caller does not see is told like what does not exist.
 */
import { Context, Effect, Layer, Option } from "effect"
import { Caller } from "../access/Caller.ts"
import { Standings } from "../coverage/Standings.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import { Firms } from "../firm/Firms.ts"
import { listReader } from "../list/ListKeeper.ts"
import { Lists } from "../list/Lists.ts"
import { isPlain } from "../operation/PlainText.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { parseId } from "../operation/Uuid.ts"
import { parcelForm } from "../property/AddressMatch.ts"
import { PropertyLookup } from "../property/PropertyLookup.ts"
import * as RunSight from "../research/RunSight.ts"
import { SavedSearches } from "../search/SavedSearches.ts"

export type RecordKind = "property" | "contact" | "organization" | "list" | "research run" | "saved search"

/** A record that the caller sees, and what of it the text was. */
export type NamedRecord =
  | { readonly kind: RecordKind; readonly id: string; readonly by: "id" | "key" }
  /** Such a number is unique in its county alone. */
  | { readonly kind: "property"; readonly id: string; readonly by: "parcel number"; readonly countyFips: string }

/** More of one parcel number are not told. */
const mostParcels = 3

/** No key or parcel number is longer. */
const longestName = 200

const anyId = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/** Without what a text may have been written in: the marks of emphasis, quotes and links around it, or words around the one id. */
const bare = (given: string): string => {
  const text = given.slice(0, 2 * longestName).replaceAll(/^[\s`*_"'<([{]+|[\s`*_"'>)\]}.,;]+$/g, "")
  const [id, ...others] = text.match(anyId) ?? []
  return id !== undefined && others.length === 0 ? id : text
}

/** A parcel number has digits, and no words: those of an address are what a search is for. */
const isParcel = (text: string): boolean => /\d{3}/.test(text) && !/\p{L}{3,}.*\s|\s.*\p{L}{3,}/u.test(text)

export class RecordKinds extends Context.Service<RecordKinds, {
  /** What the text names: nothing that the caller does not see, and several only by a parcel number. */
  of(text: string): Effect.Effect<ReadonlyArray<NamedRecord>, TemporarilyUnavailable, Caller>
}>()("@freehold/core/catalogue/RecordKinds") {
  static readonly layer = Layer.effect(
    RecordKinds,
    Effect.gen(function*() {
      const standings = yield* Standings
      const firms = yield* Firms
      const lists = yield* Lists
      const searches = yield* SavedSearches
      const properties = yield* PropertyLookup
      const readRun = yield* RunSight.makeReader

      const byId = Effect.fnUntraced(function*(id: string) {
        const caller = yield* Caller
        const { org_id: orgId } = caller.organization
        const viewer = viewerOf(caller)
        const asking = listReader(caller)
        const found = (kind: RecordKind, isThere: boolean): ReadonlyArray<NamedRecord> =>
          isThere ? [{ kind, id, by: "id" }] : []
        const [standing, firm, list, run, search] = yield* Effect.all([
          standings.read({ orgId, properties: [id], contacts: [id] }),
          firms.seen([id], viewer),
          lists.items({ ...asking, listId: id, visible: viewer.visible, after: null, offset: 0, limit: 1 }),
          readRun(id),
          searches.find({ ...asking, id })
        ], { concurrency: 2 })
        const sees = (countyFips: string) => Territory.sees(caller, countyFips)
        return [
          ...found(
            "property",
            standing.properties.some(({ countyFips, retiredInto }) => retiredInto === null && sees(countyFips))
          ),
          ...found("contact", standing.contacts.some(({ counties }) => counties.some(sees))),
          ...found("organization", firm.length > 0),
          ...found("list", Option.isSome(list)),
          ...found("research run", Option.isSome(run)),
          ...found("saved search", Option.isSome(search))
        ]
      })

      const byName = Effect.fnUntraced(function*(text: string) {
        const caller = yield* Caller
        const { properties: keyed } = yield* standings.read({
          orgId: caller.organization.org_id,
          properties: [text],
          contacts: []
        })
        const known = keyed.filter(({ countyFips, retiredInto }) =>
          retiredInto === null && Territory.sees(caller, countyFips)
        )
        if (known.length > 0) return known.map(({ id }): NamedRecord => ({ kind: "property", id, by: "key" }))
        const parcel = isParcel(text) ? parcelForm(text) : null
        if (parcel === null) return []
        const visible = Territory.visible(caller)
        const [found = []] = yield* properties.candidates(
          [{ probe: null, city: null, zip: null, parcel }],
          visible,
          mostParcels
        )
        return found.map(({ countyFips, id }): NamedRecord => ({
          kind: "property",
          id,
          by: "parcel number",
          countyFips
        }))
      })

      return RecordKinds.of({
        of: Effect.fn("RecordKinds.of")(function*(given) {
          const text = bare(given)
          if (text === "" || text.length > longestName || !isPlain(text)) return []
          return yield* Option.match(parseId(text), { onNone: () => byName(text), onSome: byId })
        })
      })
    })
  )

  /** Knows nothing. */
  static readonly none = Layer.succeed(RecordKinds, { of: () => Effect.succeed([]) })
}

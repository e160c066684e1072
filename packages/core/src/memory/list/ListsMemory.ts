/** `Lists` in memory. */
import { Array, Effect, Layer, Option } from "effect"
import { contains } from "../../coverage/Territory.ts"
import type { Area } from "../../coverage/Territory.ts"
import { type KeptList, type List, type ListType, nameKey } from "../../list/List.ts"
import { type ListItem, type ListReader, Lists, type RecentPage, type RecentPlace } from "../../list/Lists.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { parseId } from "../../operation/Uuid.ts"
import { isoOf } from "../IsoTime.ts"
import { listedTies } from "../Listed.ts"
import { MemoryState, type State, type StoredList } from "../MemoryState.ts"
import { compareBy } from "../property/PropertyReading.ts"

const shown = (list: StoredList): List => ({
  id: list.id,
  name: list.name,
  type: list.type,
  visibility: list.visibility,
  ownerName: list.ownerName,
  createdAt: isoOf(list.createdAt)
})

const kept = (list: StoredList): KeptList => ({
  ...shown(list),
  ownerId: list.ownerId,
  sharedWith: list.sharedWith
})

const sees = (list: StoredList, reader: string | null): boolean =>
  reader === null || list.visibility === "team" || list.ownerId === reader ||
  list.visibility === "shared" && list.sharedWith.includes(reader)

const newestFirst = compareBy<RecentPlace>(
  (left, right) => compareText(right.at, left.at),
  (left, right) => compareText(left.id, right.id)
)

/** Of the rows, newest first, those after a place and beyond the offset. */
export const pageOf = <Row>(
  rows: ReadonlyArray<Row>,
  place: (row: Row) => RecentPlace,
  { after, limit, offset }: RecentPage
): ReadonlyArray<Row> =>
  rows.filter((row) => after === null || newestFirst(place(row), after) > 0)
    .toSorted((left, right) => newestFirst(place(left), place(right)))
    .slice(offset, offset + limit)

const propertyOf = (state: State, visible: Area, id: string) => {
  const property = state.properties.get(id)
  return property !== undefined && property.retiredInto === null && contains(visible, property.countyFips)
    ? property
    : undefined
}

const contactOf = (state: State, visible: Area, id: string) =>
  listedTies(state).some((each) => each.contactId === id && propertyOf(state, visible, each.propertyId) !== undefined)
    ? state.contacts.get(id)
    : undefined

const available = (state: State, visible: Area, type: ListType, id: string): boolean =>
  (type === "properties" ? propertyOf(state, visible, id) : contactOf(state, visible, id)) !== undefined

const itemOf = (state: State, visible: Area, type: ListType, id: string, addedAt: number): ReadonlyArray<ListItem> => {
  const at = isoOf(addedAt)
  if (type === "properties") {
    const property = propertyOf(state, visible, id)
    if (property === undefined) return []
    const { address, assetCategory, city, key, state: abbr, zip } = property
    return [{ _tag: "Property", id, key, address, city, state: abbr, zip, assetCategory, addedAt: at }]
  }
  const contact = contactOf(state, visible, id)
  if (contact === undefined) return []
  const { employerName, roleType, seniority, title } = contact
  return [{ _tag: "Contact", id, title, roleType, seniority, employerName, addedAt: at }]
}

/** The id of an item that is named by id, or as a property by key; none for a key that nothing visible has. */
const idOf = (state: State, visible: Area) => (item: string): Option.Option<string> =>
  Option.orElse(parseId(item), () =>
    Option.map(
      Array.findFirst(
        state.properties.values(),
        ({ countyFips, key }) => key === item && contains(visible, countyFips)
      ),
      ({ id }) => id
    ))

/** `Lists` in memory. */
export const layer: Layer.Layer<Lists, never, MemoryState> = Layer.effect(
  Lists,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const seen = ({ orgId, reader }: ListReader): ReadonlyArray<StoredList> =>
      Array.fromIterable(state.lists.values()).filter((list) => list.orgId === orgId && sees(list, reader))

    const find = (request: ListReader, listId: string): StoredList | undefined =>
      seen(request).find(({ id }) => id === listId)

    const keep = (list: StoredList) => state.lists.set(`${list.orgId} ${list.id}`, list)

    return Lists.of({
      page: Effect.fn("Lists.page")((request) =>
        Effect.sync(() => {
          const lists = seen(request).filter(({ type }) => request.type === null || type === request.type).map(shown)
          return { lists: pageOf(lists, ({ createdAt: at, id }) => ({ at, id }), request), total: lists.length }
        })
      ),

      create: Effect.fn("Lists.create")((request) =>
        Effect.sync(() => {
          const { bounds, id, name, now, onClash, orgId, owner, sharedWith, type, visibility } = request
          const inPlace = (list: StoredList) =>
            list.visibility === visibility && (visibility === "team" || list.ownerId === owner.memberId)
          const [found] = onClash === "allow" ? [] : seen({ orgId, reader: null })
            .filter((list) =>
              list.type === type && nameKey(list.name) === nameKey(name) &&
              (inPlace(list) || onClash === "reuse" && owner.memberId !== null && sees(list, owner.memberId))
            )
            .toSorted(compareBy(
              (left, right) => Number(inPlace(right)) - Number(inPlace(left)),
              (left, right) => left.createdAt - right.createdAt,
              (left, right) => compareText(left.id, right.id)
            ))
          if (found !== undefined) {
            return { outcome: onClash === "reuse" ? "found" as const : "in_use" as const, list: shown(found) }
          }
          if (seen({ orgId, reader: null }).length >= bounds.lists) return { outcome: "too_many" as const, list: null }
          const made: StoredList = {
            id,
            orgId,
            name,
            type,
            visibility,
            ownerId: owner.memberId,
            ownerName: owner.name,
            sharedWith,
            createdAt: now,
            items: new Map()
          }
          keep(made)
          return { outcome: "created" as const, list: shown(made) }
        })
      ),

      add: Effect.fn("Lists.add")((request) =>
        Effect.sync(() => {
          const { bounds, itemIds, listId, now, orgId, visible } = request
          const list = find(request, listId)
          if (list === undefined) return { _tag: "NoList" as const }
          const named = idOf(state, visible)
          const among = (type: ListType) => (item: string) =>
            Option.exists(named(item), (id) => available(state, visible, type, id))
          const missing = itemIds.filter((item) => !among(list.type)(item))
          if (missing.length > 0) {
            const other = list.type === "properties" ? "contacts" : "properties"
            return {
              _tag: "Unavailable" as const,
              type: list.type,
              itemIds: missing,
              ofOtherKind: missing.some(among(other))
            }
          }
          const fresh = new Set(Array.getSomes(itemIds.map(named)).filter((id) => !list.items.has(id)))
          const inAll = seen({ orgId, reader: null }).reduce((sum, { items }) => sum + items.size, 0)
          const isFull = list.items.size + fresh.size > bounds.itemsOfOne || inAll + fresh.size > bounds.itemsOfAll
          if (fresh.size > 0 && isFull) return { _tag: "Full" as const }
          keep({
            ...list,
            items: new Map([...list.items, ...Array.fromIterable(fresh).map((id) => [id, now] as const)])
          })
          return { _tag: "Added" as const, added: fresh.size, alreadyExists: itemIds.length - fresh.size }
        })
      ),

      remove: Effect.fn("Lists.remove")((request) =>
        Effect.sync(() => {
          const list = find(request, request.listId)
          if (list === undefined) return Option.none()
          const taken = new Set(Array.getSomes(request.itemIds.map(idOf(state, request.visible))))
          const left = new Map(Array.fromIterable(list.items).filter(([id]) => !taken.has(id)))
          keep({ ...list, items: left })
          return Option.some(list.items.size - left.size)
        })
      ),

      items: Effect.fn("Lists.items")((request) =>
        Effect.sync(() => {
          const { listId, visible } = request
          return Option.map(Option.fromUndefinedOr(find(request, listId)), (list) => {
            const items = Array.fromIterable(list.items).flatMap(([id, at]) =>
              itemOf(state, visible, list.type, id, at)
            )
            return {
              list: shown(list),
              items: pageOf(items, ({ addedAt: at, id }) => ({ at, id }), request),
              total: items.length
            }
          })
        })
      ),

      counts: Effect.fn("Lists.counts")(({ listIds, orgId, visible }) =>
        Effect.sync(() =>
          new Map(
            Array.fromIterable(state.lists.values()).filter((list) => list.orgId === orgId && listIds.includes(list.id))
              .map(
                ({ id, items, type }) => [
                  id,
                  Array.fromIterable(items.keys()).filter((item) => available(state, visible, type, item)).length
                ]
              )
          )
        )
      ),

      find: Effect.fn("Lists.find")((request) =>
        Effect.sync(() => Option.map(Option.fromUndefinedOr(find(request, request.listId)), kept))
      ),

      change: Effect.fn("Lists.change")((request) =>
        Effect.sync(() => {
          const { listId, name, orgId, sharedWith, visibility } = request
          const list = find(request, listId)
          if (list === undefined) return "no_list" as const
          const taken = seen({ orgId, reader: null }).some((each) =>
            each.id !== listId && each.type === list.type && each.visibility === visibility &&
            nameKey(each.name) === nameKey(name) && (visibility === "team" || each.ownerId === list.ownerId)
          )
          if (taken) return "in_use" as const
          keep({ ...list, name, visibility, sharedWith })
          return "changed" as const
        })
      ),

      delete: Effect.fn("Lists.delete")((request) =>
        Effect.sync(() => {
          const list = find(request, request.listId)
          return list !== undefined && state.lists.delete(`${list.orgId} ${list.id}`)
        })
      ),

      types: Effect.fn("Lists.types")((request) =>
        Effect.sync(() =>
          new Map(
            seen(request).flatMap(({ id, type }) => request.listIds.includes(id) ? [[id, type] as const] : [])
          )
        )
      )
    })
  })
)

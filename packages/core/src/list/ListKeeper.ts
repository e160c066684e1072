/**
 * Keeps the lists of an organization: makes them, fills them, reads them.
 *
 * A list that a key makes is the team's; one that a person makes is that person's own. service-api "Lists", decisions
 * section 4.
 */
import { Clock, Context, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Acting from "../access/Acting.ts"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { Standings } from "../coverage/Standings.ts"
import * as Territory from "../coverage/Territory.ts"
import * as BrowsePage from "../operation/BrowsePage.ts"
import { invalid } from "../operation/InvalidInput.ts"
import * as PageCursor from "../operation/PageCursor.ts"
import { distinctNames, parseId } from "../operation/Uuid.ts"
import { type List, listBounds } from "./List.ts"
import type { AddToList, CreateList, GetListItems, ListLists, RemoveFromList } from "./ListOperations.ts"
import { ContactNotAvailable, ListNotFound, NameInUse, PropertyNotAvailable, WrongListType } from "./ListRefusals.ts"
import { type Addition, type ListItem, type ListReader, Lists } from "./Lists.ts"

const defaultLimit = 100
const maximumLimit = 200

/** So many characters of the items that are not available are told: enough for all of one call, where they are ids. */
const toldLength = 20_000

/**
 * Whether a list may have the name of another one: refused, unless the host has no refusal for it. REST has none
 * (decisions, section 4).
 */
export const ClashingNames = Context.Reference<"allow" | "refuse">("@freehold/core/list/ListKeeper/ClashingNames", {
  defaultValue: () => "refuse"
})

/** Refused where the organization has as many lists as it may. */
export const tooManyLists = `Expected at most ${listBounds.lists} lists in your organization; delete one first`

/** And where the list, or all of them, hold as much as they may. */
export const tooManyItems =
  `Expected at most ${listBounds.itemsOfOne} items in a list, and ${listBounds.itemsOfAll} in all lists ` +
  "of your organization; take some out first"

/** The first of the items, with what those that were merged became, that are as long together as may be told. */
const toldOf = (itemIds: ReadonlyArray<string>, successors: ReadonlyMap<string, string>) => {
  let length = 0
  const end = itemIds.findIndex((id) => {
    const successor = successors.get(id)
    length += id.length + 3 + (successor === undefined ? 0 : id.length + successor.length + 6)
    return length > toldLength
  })
  const item_ids = end < 0 ? itemIds : itemIds.slice(0, end)
  const merged = item_ids.flatMap((id): ReadonlyArray<readonly [string, string]> => {
    const successor = successors.get(id)
    return successor === undefined ? [] : [[id, successor]]
  })
  return {
    ids: { item_ids, ...end < 0 ? {} : { unnamed: itemIds.length - end } },
    merged: merged.length === 0 ? {} : { successors: Object.fromEntries(merged) }
  }
}

/** As whom the caller reads lists. */
export const listReader = (caller: CallerFacts): ListReader => ({
  orgId: caller.organization.org_id,
  reader: Acting.member(caller)?.memberId ?? null
})

const summary = (list: List, itemCount: number) => ({
  id: list.id,
  list_name: list.name,
  list_type: list.type,
  visibility: list.visibility,
  item_count: itemCount
})

/** A list as the API shows it, with as many items as are available to who asks. */
export const listRecord = (list: List, itemCount: number) => ({
  ...summary(list, itemCount),
  owner_name: list.ownerName,
  created_at: list.createdAt
})

/** An item as the API shows it. */
export const listItem = (item: ListItem) =>
  item._tag === "Property"
    ? {
      property_id: item.id,
      key: item.key,
      address: item.address,
      city: item.city,
      state: item.state,
      zip: item.zip,
      asset_category: item.assetCategory,
      added_at: item.addedAt
    }
    : {
      contact_id: item.id,
      title: item.title,
      role_type: item.roleType,
      seniority: item.seniority,
      employer_name: item.employerName,
      added_at: item.addedAt
    }

const nothingMerged: ReadonlyMap<string, string> = new Map()
const nothingCounted: ReadonlyMap<string, number> = new Map()

interface PageInput {
  readonly limit?: number
  readonly cursor?: string
  readonly offset?: number | string
}

export const make = Effect.gen(function*() {
  const lists = yield* Lists
  const standings = yield* Standings
  const random = yield* SecureRandom.SecureRandom
  const cursors = yield* PageCursor.make(PageCursor.Recent)

  /** What of the rows is asked for, one more than are shown. A cursor may stand in `offset`, too. */
  const pageOf = Effect.fnUntraced(function*(input: PageInput, question: PageCursor.Question) {
    yield* BrowsePage.oneWay(input)
    const inOffset = typeof input.offset === "string" && !/^\d{1,9}$/.test(input.offset)
    const cursor = inOffset ? input.offset : input.cursor
    const position = yield* cursors.open(cursor, question, inOffset ? "offset" : "cursor")
    const limit = Math.min(input.limit ?? defaultLimit, maximumLimit)
    return {
      limit,
      asked: {
        after: position === null ? null : { at: position[0], id: position[1] },
        offset: inOffset ? 0 : Number(input.offset ?? 0),
        limit: limit + 1
      }
    }
  })

  /** How many items the caller finds on each of the lists. */
  const counted = Effect.fnUntraced(function*(found: ReadonlyArray<List>) {
    const caller = yield* Caller
    const counts = found.length === 0 ? nothingCounted : yield* lists.counts({
      orgId: caller.organization.org_id,
      listIds: found.map(({ id }) => id),
      visible: Territory.visible(caller)
    })
    return ({ id }: List): number => counts.get(id) ?? 0
  })

  /** Those of the items that the caller may know of; a key is looked for within the area alone. */
  const seen = Effect.fnUntraced(function*(items: ReadonlyArray<string>) {
    const caller = yield* Caller
    if (caller.territory === null) return items
    const itemIds = items.filter((item) => Option.isSome(parseId(item)))
    const { contacts, properties } = yield* standings.read({
      orgId: caller.organization.org_id,
      properties: itemIds,
      contacts: itemIds
    })
    const known = new Set([
      ...properties.filter(({ countyFips }) => Territory.sees(caller, countyFips)).map(({ id }) => id),
      ...contacts.filter(({ counties }) => counties.some((county) => Territory.sees(caller, county))).map(({ id }) =>
        id
      )
    ])
    return items.filter((item) => Option.isNone(parseId(item)) || known.has(item))
  })

  /** What the merged ones of the properties, as they are named, became, where the caller sees both. */
  const successorsOf = Effect.fnUntraced(function*(itemIds: ReadonlyArray<string>) {
    const caller = yield* Caller
    const read = (properties: ReadonlyArray<string>) =>
      Effect.map(
        standings.read({ orgId: caller.organization.org_id, properties, contacts: [] }),
        (found) => found.properties.filter(({ countyFips }) => Territory.sees(caller, countyFips))
      )
    const asked = new Set(itemIds)
    const merged = (yield* read(itemIds)).flatMap(({ id, key, retiredInto }) =>
      retiredInto === null
        ? []
        : [id, key].filter((name) => asked.has(name)).map((name) => [name, retiredInto] as const)
    )
    if (merged.length === 0) return nothingMerged
    const known = new Set((yield* read(merged.map(([, successor]) => successor))).map(({ id }) => id))
    return new Map(merged.filter(([, successor]) => known.has(successor)))
  })

  const unavailable = Effect.fnUntraced(
    function*({ itemIds, ofOtherKind, type }: Extract<Addition, { readonly _tag: "Unavailable" }>) {
      const isOfProperties = type === "properties" && !ofOtherKind
      const { ids, merged } = toldOf(itemIds, isOfProperties ? yield* successorsOf(itemIds) : nothingMerged)
      if (ofOtherKind) return new WrongListType({ list_type: type, field: "item_ids", ...ids })
      return isOfProperties ? new PropertyNotAvailable({ ...ids, ...merged }) : new ContactNotAvailable(ids)
    }
  )

  const list: HandlerOf<typeof ListLists> = Effect.fn("ListKeeper.list")(function*(input) {
    const caller = yield* Caller
    const question = ["lists", caller.organization.org_id, input.type]
    const { asked, limit } = yield* pageOf(input, question)
    const found = yield* lists.page({ ...listReader(caller), ...asked, type: input.type ?? null })
    const position = ({ createdAt, id }: List) => [createdAt, id] as const
    const page = yield* cursors.page(found.lists, { limit, question, position })
    const itemsOf = yield* counted(page.rows)
    return {
      lists: page.rows.map((each) => listRecord(each, itemsOf(each))),
      total: found.total,
      has_more: page.next !== null,
      next_cursor: page.next
    }
  })

  const items: HandlerOf<typeof GetListItems> = Effect.fn("ListKeeper.items")(function*(input) {
    const caller = yield* Caller
    const listId = input.list_id.toLowerCase()
    const question = ["items", caller.organization.org_id, listId]
    const { asked, limit } = yield* pageOf(input, question)
    const found = yield* lists.items({ ...listReader(caller), ...asked, listId, visible: Territory.visible(caller) })
    if (Option.isNone(found)) return yield* new ListNotFound()
    const { items, list, total } = found.value
    const page = yield* cursors.page(items, {
      limit,
      question,
      position: ({ addedAt, id }: ListItem) => [addedAt, id] as const
    })
    return {
      list: listRecord(list, total),
      items: page.rows.map(listItem),
      total,
      has_more: page.next !== null,
      next_cursor: page.next
    }
  })

  const create: HandlerOf<typeof CreateList> = Effect.fn("ListKeeper.create")(function*(input) {
    const caller = yield* Caller
    const { list, outcome } = yield* lists.create({
      orgId: caller.organization.org_id,
      id: yield* random.uuidV4(),
      name: input.list_name,
      type: input.list_type,
      visibility: caller.kind === "key" ? "team" : "private",
      sharedWith: [],
      owner: caller.kind === "key"
        ? { memberId: null, name: caller.keyName }
        : { memberId: caller.member.memberId, name: caller.member.name },
      onClash: input.reuse_existing_by_name === true ? "reuse" : yield* ClashingNames,
      bounds: listBounds,
      now: yield* Clock.currentTimeMillis
    })
    if (outcome === "too_many") return yield* invalid("list_name", tooManyLists)
    if (outcome === "in_use") return yield* new NameInUse({ resource: "list" })
    const itemsOf = yield* counted(outcome === "created" ? [] : [list])
    return { list: summary(list, itemsOf(list)), created: outcome === "created" }
  })

  const add: HandlerOf<typeof AddToList> = Effect.fn("ListKeeper.add")(function*(input) {
    const caller = yield* Caller
    const listId = input.list_id.toLowerCase()
    const addition = yield* lists.add({
      ...listReader(caller),
      listId,
      itemIds: distinctNames(input.item_ids),
      visible: Territory.visible(caller),
      bounds: listBounds,
      now: yield* Clock.currentTimeMillis
    })
    switch (addition._tag) {
      case "Added":
        return { list_id: listId, added: addition.added, already_exists: addition.alreadyExists }
      case "Unavailable":
        return yield* yield* unavailable(addition)
      case "Full":
        return yield* invalid("item_ids", tooManyItems)
      case "NoList":
        return yield* new ListNotFound()
    }
  })

  const remove: HandlerOf<typeof RemoveFromList> = Effect.fn("ListKeeper.remove")(function*(input) {
    const caller = yield* Caller
    const listId = input.list_id.toLowerCase()
    const itemIds = distinctNames(input.item_ids)
    const removed = yield* lists.remove({
      ...listReader(caller),
      listId,
      itemIds: yield* seen(itemIds),
      visible: Territory.visible(caller)
    })
    if (Option.isNone(removed)) return yield* new ListNotFound()
    return { list_id: listId, removed: removed.value, not_in_list: itemIds.length - removed.value }
  })

  return { list, items, create, add, remove }
})

/** What every `Lists` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { type ListBounds, listBounds, type ListType, type Visibility } from "../list/List.ts"
import { Lists, type NewList, type RecentPlace } from "../list/Lists.ts"
import { defaults } from "../organization/Organization.ts"
import { contact, member, property, type Seeder, startOver } from "./Seed.ts"

const orgId = "list-org"
const otherOrgId = "other-list-org"
const at = 1_780_000_000_000
const visible = { nationwide: false, stateFips: ["48"], countyFips: ["06001"] }

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const people = { ana: id(901), ben: id(902), cleo: id(903) }
/** Properties 1 to 600 are available; 701 is merged, 702 outside. Contact 801 is available, 802 is outside. */
const seed = Effect.gen(function*() {
  yield* startOver({
    organizations: [defaults(orgId), defaults(otherOrgId)],
    members: Object.entries(people).map(([name, memberId]) => ({ orgId, ...member({ memberId, name }) })),
    properties: [
      ...Array.from(
        { length: 600 },
        (_, index) =>
          property({ id: id(index + 1), countyFips: index % 2 === 0 ? "48113" : "06001", address: `${index + 1} Oak` })
      ),
      property({ id: id(701), countyFips: "48113", retiredInto: id(1) }),
      property({ id: id(702), countyFips: "06003" })
    ],
    contacts: [
      contact({ id: id(801), title: "Manager", roleType: "property_manager" }),
      contact({ id: id(802) })
    ],
    relationships: [[id(1), id(801)], [id(702), id(802)], [id(701), id(802)]].map((
      [propertyId = "", contactId = ""]
    ) => ({
      propertyId,
      contactId,
      role: null,
      relationshipStatus: "current" as const,
      attributionType: "web"
    }))
  })
  return yield* Lists
})

const reader = { orgId, reader: null }

const list = (n: number, more: Partial<NewList> = {}): NewList => ({
  orgId,
  id: id(n),
  name: `List ${n}`,
  type: "properties",
  visibility: "team",
  sharedWith: [],
  owner: { memberId: null, name: "sample key" },
  onClash: "refuse",
  bounds: listBounds,
  now: at + n,
  ...more
})

const ownedBy = (memberId: string, visibility: Visibility, sharedWith: ReadonlyArray<string> = []) => ({
  owner: { memberId, name: "Sample Member" },
  visibility,
  sharedWith
})

const range = (from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: to - from + 1 }, (_, index) => id(from + index))

/** `layer` is a store of its own. */
export const listsContract = <E>(name: string, layer: Layer.Layer<Lists | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`Lists: ${name}`, (it) => {
    const addTo = (
      listId: string,
      itemIds: ReadonlyArray<string>,
      as: string | null = null,
      bounds: ListBounds = listBounds
    ) => Lists.use((lists) => lists.add({ orgId, reader: as, listId, itemIds, visible, bounds, now: at }))

    const page = (as: string | null, type: ListType | null = null, limit = 100, offset = 0) =>
      Effect.map(
        Lists.use((lists) => lists.page({ orgId, reader: as, type, after: null, limit, offset })),
        ({ lists, total }) => ({ ids: lists.map((each) => each.id), total })
      )

    it.effect("lists come newest first, a page at a time with the total, of one kind when asked", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        for (const n of [11, 12, 13]) yield* lists.create(list(n))
        yield* lists.create(list(14, { type: "contacts" }))
        yield* lists.create(list(15, { orgId: otherOrgId }))
        assert.deepStrictEqual(yield* page(null), { ids: [id(14), id(13), id(12), id(11)], total: 4 })
        assert.deepStrictEqual(yield* page(null, "properties", 2, 1), { ids: [id(12), id(11)], total: 3 })
        assert.deepStrictEqual(yield* page(null, "contacts", 2, 5), { ids: [], total: 1 })
        const { lists: [newest] } = yield* lists.page({ ...reader, type: null, after: null, limit: 1, offset: 0 })
        assert.deepStrictEqual(newest, {
          id: id(14),
          name: "List 14",
          type: "contacts",
          visibility: "team",
          ownerName: "sample key",
          createdAt: "2026-05-28T20:26:40.014Z"
        })
      }))

    it.effect("counts of each list what is available in an area", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        yield* lists.create(list(11))
        yield* lists.create(list(12, { type: "contacts" }))
        yield* addTo(id(11), [id(1), id(2), id(3)])
        yield* addTo(id(12), [id(801)])
        const counts = (countyFips: string, of: string = orgId) =>
          lists.counts({
            orgId: of,
            listIds: [id(11), id(12)],
            visible: { nationwide: false, stateFips: [], countyFips: [countyFips] }
          })
        assert.deepStrictEqual(yield* counts("48113"), new Map([[id(11), 2], [id(12), 1]]))
        assert.deepStrictEqual(yield* counts("06001"), new Map([[id(11), 1], [id(12), 0]]))
        assert.deepStrictEqual(yield* counts("48113", otherOrgId), new Map())
      }))

    it.effect("a key sees every list, a member the team's, the own and the shared ones", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        yield* lists.create(list(11))
        yield* lists.create(list(12, ownedBy(people.ana, "private")))
        yield* lists.create(list(13, ownedBy(people.ana, "shared", [people.ben])))
        assert.deepStrictEqual((yield* page(null)).ids, [id(13), id(12), id(11)])
        assert.deepStrictEqual(yield* page(people.ana), { ids: [id(13), id(12), id(11)], total: 3 })
        assert.deepStrictEqual(yield* page(people.ben), { ids: [id(13), id(11)], total: 2 })
        assert.deepStrictEqual(yield* page(people.cleo), { ids: [id(11)], total: 1 })
        assert.deepStrictEqual(yield* addTo(id(12), [id(1)], people.ben), { _tag: "NoList" })
        assert.deepStrictEqual(yield* addTo(id(13), [id(1)], people.ben), { _tag: "Added", added: 1, alreadyExists: 0 })
        assert.isTrue(Option.isNone(
          yield* lists.items({ orgId, reader: people.cleo, listId: id(13), visible, after: null, limit: 9, offset: 0 })
        ))
        assert.isTrue(Option.isNone(
          yield* lists.remove({ orgId: otherOrgId, reader: null, listId: id(13), itemIds: [id(1)], visible })
        ))
        assert.deepStrictEqual(
          Array.from(yield* lists.types({ orgId, reader: people.cleo, listIds: [id(11), id(12), id(99)] })),
          [[id(11), "properties"]]
        )
      }))

    it.effect("is given another name, and others who see it, where nobody else has the name", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        yield* lists.create(list(11, { name: "North", ...ownedBy(people.ana, "private") }))
        yield* lists.create(list(12, { name: "South", ...ownedBy(people.ana, "private") }))
        yield* lists.create(list(13, { name: "North" }))
        const found = (n: number, as: string | null) =>
          Effect.map(lists.find({ orgId, reader: as, listId: id(n) }), Option.getOrNull)
        assert.deepInclude(yield* found(11, people.ana), {
          name: "North",
          visibility: "private",
          ownerId: people.ana,
          sharedWith: []
        })
        assert.isNull(yield* found(11, people.ben))
        const change = (
          as: string | null,
          name: string,
          visibility: Visibility,
          sharedWith: ReadonlyArray<string> = []
        ) => lists.change({ orgId, reader: as, listId: id(11), name, visibility, sharedWith })
        assert.strictEqual(yield* change(people.ben, "West", "private"), "no_list")
        assert.strictEqual(yield* change(people.ana, " SOUTH ", "private"), "in_use")
        assert.strictEqual(yield* change(people.ana, "north", "team"), "in_use")
        assert.strictEqual(yield* change(people.ana, "NORTH", "private"), "changed")
        assert.strictEqual(yield* change(people.ana, "South", "shared", [people.ben]), "changed")
        assert.deepInclude(yield* found(11, people.ben), {
          name: "South",
          visibility: "shared",
          sharedWith: [people.ben]
        })
        assert.isNull(yield* found(11, people.cleo))
        const other = { orgId: otherOrgId, reader: null, listId: id(11) }
        assert.strictEqual(
          yield* lists.change({ ...other, name: "West", visibility: "team", sharedWith: [] }),
          "no_list"
        )
        assert.isTrue(Option.isNone(yield* lists.find(other)))
      }))

    it.effect("of changes to one name at once one takes effect", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        const all = Array.from({ length: 6 }, (_, index) => 11 + index)
        for (const n of all) yield* lists.create(list(n))
        const outcomes = yield* Effect.forEach(
          all,
          (n) => lists.change({ ...reader, listId: id(n), name: "One", visibility: "team", sharedWith: [] }),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(outcomes.toSorted(), ["changed", ...Array.from({ length: 5 }, () => "in_use")])
      }))

    it.effect("is deleted with what is in it, by whoever sees it, and is gone for everybody", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        yield* lists.create(list(11, ownedBy(people.ana, "private")))
        yield* lists.create(list(12))
        yield* addTo(id(11), [id(1), id(2)], people.ana)
        const remove = (as: string | null, org = orgId) => lists.delete({ orgId: org, reader: as, listId: id(11) })
        assert.isFalse(yield* remove(people.ben))
        assert.isFalse(yield* remove(null, otherOrgId))
        assert.isTrue(yield* remove(people.ana))
        assert.isFalse(yield* remove(null))
        assert.deepStrictEqual((yield* page(null)).ids, [id(12)])
        yield* lists.create(list(11))
        assert.deepStrictEqual(
          yield* lists.counts({ orgId, listIds: [id(11)], visible }),
          new Map([[id(11), 0]])
        )
      }))

    it.effect("a name is the same in any case, among lists of one kind in one place", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        const create = (n: number, more: Partial<NewList>) =>
          Effect.map(lists.create(list(n, more)), ({ list, outcome }) => [outcome, list?.id])
        assert.deepStrictEqual(yield* create(11, { name: "Straße  Süd" }), ["created", id(11)])
        assert.deepStrictEqual(yield* create(12, { name: " STRAßE  SÜD " }), ["in_use", id(11)])
        assert.deepStrictEqual(yield* create(13, { name: "straße  süd", onClash: "reuse" }), ["found", id(11)])
        assert.deepStrictEqual(yield* create(14, { name: "straße  süd", onClash: "allow" }), ["created", id(14)])
        assert.deepStrictEqual(yield* create(15, { name: "Straße  Süd", onClash: "reuse" }), ["found", id(11)])
        assert.deepStrictEqual(yield* create(16, { name: "Straße  Süd", type: "contacts" }), ["created", id(16)])
        const own = { name: "Straße  Süd", ...ownedBy(people.ana, "private") }
        assert.deepStrictEqual(yield* create(17, { ...own, onClash: "reuse" }), ["found", id(11)])
        assert.deepStrictEqual(yield* create(18, own), ["created", id(18)])
        assert.deepStrictEqual(yield* create(19, { ...own, onClash: "reuse" }), ["found", id(18)])
        assert.deepStrictEqual(yield* create(20, own), ["in_use", id(18)])
        const other = { name: "Straße  Süd", ...ownedBy(people.ben, "private") }
        assert.deepStrictEqual(yield* create(21, other), ["created", id(21)])
      }))

    it.effect("of calls for one name at once exactly one creates the list", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        const made = yield* Effect.forEach(Array.from({ length: 8 }, (_, index) => index), (index) =>
          lists.create(list(20 + index, { name: index % 2 === 0 ? "Wanted" : "WANTED", onClash: "reuse" })), {
          concurrency: "unbounded"
        })
        assert.lengthOf(
          made.filter(({ outcome }) =>
            outcome === "created"
          ),
          1
        )
        assert.lengthOf(new Set(made.map(({ list }) => list?.id)), 1)
        assert.strictEqual((yield* page(null)).total, 1)
      }))

    it.effect("all items are added or none, and what is in the list already is counted apart", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        yield* lists.create(list(11))
        assert.deepStrictEqual(yield* addTo(id(11), range(1, 3)), { _tag: "Added", added: 3, alreadyExists: 0 })
        assert.deepStrictEqual(yield* addTo(id(11), range(2, 5)), { _tag: "Added", added: 2, alreadyExists: 2 })
        for (const missing of [id(701), id(702), id(999)]) {
          assert.deepStrictEqual(yield* addTo(id(11), [id(6), missing]), {
            _tag: "Unavailable",
            type: "properties",
            itemIds: [missing],
            ofOtherKind: false
          })
        }
        assert.deepStrictEqual(
          yield* lists.counts({ orgId, listIds: [id(11)], visible }),
          new Map([[id(11), 5]])
        )
        assert.deepStrictEqual(yield* addTo(id(99), [id(1)]), { _tag: "NoList" })
      }))

    it.effect("properties are named by key as well, and what is unavailable is told as it was named", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        yield* lists.create(list(11))
        yield* lists.create(list(12, { type: "contacts" }))
        const keys = {
          1: `48113-${id(1)}`,
          2: `06001-${id(2)}`,
          merged: `48113-${id(701)}`,
          outside: `06003-${id(702)}`
        }
        const added = (added: number, alreadyExists: number) => ({ _tag: "Added" as const, added, alreadyExists })
        assert.deepStrictEqual(yield* addTo(id(11), [keys[1], id(3)]), added(2, 0))
        assert.deepStrictEqual(yield* addTo(id(11), [keys[1], keys[2], id(2)]), added(1, 2))
        const missing = ["no such key", keys.outside, id(999), keys.merged]
        assert.deepStrictEqual(yield* addTo(id(11), [id(4), ...missing, keys[2]]), {
          _tag: "Unavailable",
          type: "properties",
          itemIds: missing,
          ofOtherKind: false
        })
        assert.deepStrictEqual(yield* addTo(id(12), [id(801), keys[1]]), {
          _tag: "Unavailable",
          type: "contacts",
          itemIds: [keys[1]],
          ofOtherKind: true
        })
        const take = (itemIds: ReadonlyArray<string>, within = visible) =>
          lists.remove({ ...reader, listId: id(11), itemIds, visible: within })
        const elsewhere = { nationwide: false, stateFips: [], countyFips: ["48113"] }
        assert.deepStrictEqual(yield* take([keys[2]], elsewhere), Option.some(0))
        assert.deepStrictEqual(yield* take([keys[1], keys[2], "no such key"]), Option.some(2))
      }))

    /** Each time there is room for one more: of a few calls at once some meet, but not every time. */
    const rounds = Array.from({ length: 24 }, (_, round) => round + 1)

    const eightAtOnce = <A, E, R>(call: (index: number) => Effect.Effect<A, E, R>) =>
      Effect.forEach(Array.from({ length: 8 }, (_, index) => index), call, { concurrency: "unbounded" })

    it.effect("are so many at most in an organization, however many are made at once", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        const boundOf = (most: number) => ({ bounds: { ...listBounds, lists: most } })
        for (const most of rounds) {
          const made = yield* eightAtOnce((index) =>
            lists.create(
              list(1000 + 8 * most + index, { ...boundOf(most), onClash: index % 2 === 0 ? "allow" : "refuse" })
            )
          )
          assert.deepStrictEqual(made.map(({ outcome }) => outcome).toSorted(), [
            "created",
            ...Array.from({ length: 7 }, () => "too_many")
          ])
        }
        const full = boundOf(rounds.length)
        const { ids: [there = ""], total } = yield* page(null)
        assert.strictEqual(total, rounds.length)
        // Another organization has its own, one that is there is answered all the same, and one that is deleted makes room.
        assert.strictEqual((yield* lists.create(list(11, { ...full, orgId: otherOrgId }))).outcome, "created")
        const { name } = Option.getOrThrow(yield* lists.find({ ...reader, listId: there }))
        assert.strictEqual((yield* lists.create(list(31, { ...full, name, onClash: "reuse" }))).outcome, "found")
        yield* lists.delete({ ...reader, listId: there })
        assert.strictEqual((yield* lists.create(list(32, full))).outcome, "created")
      }))

    it.effect("hold so many items at most, one and all together, however many are added at once", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        const numbers = [11, 12, 13, 14, 15, 16, 17, 18]
        for (const n of numbers) yield* lists.create(list(n))
        const add = (n: number, from: number, to: number, bounds: Partial<ListBounds>) =>
          addTo(id(n), range(from, to), null, { ...listBounds, ...bounds })
        const tags = (additions: ReadonlyArray<{ readonly _tag: string }>) =>
          additions.map(({ _tag }) => _tag).toSorted()
        const oneOfEight = ["Added", ...Array.from({ length: 7 }, () => "Full")]
        for (const most of rounds) {
          // Eight different items: first into eight lists, then into one.
          const spread = yield* eightAtOnce((index) => add(11 + index, most, most, { itemsOfAll: most }))
          assert.deepStrictEqual(tags(spread), oneOfEight)
        }
        yield* lists.create(list(21))
        for (const most of rounds) {
          const together = yield* eightAtOnce((index) => {
            const item = 100 + 8 * most + index
            return add(21, item, item, { itemsOfOne: most })
          })
          assert.deepStrictEqual(tags(together), oneOfEight)
        }
        const bounds = { itemsOfOne: rounds.length + 4 }
        assert.deepStrictEqual(yield* add(21, 500, 503, bounds), { _tag: "Added", added: 4, alreadyExists: 0 })
        // What is in the list already takes no room, and what is taken out makes some.
        assert.deepStrictEqual(yield* add(21, 500, 503, bounds), { _tag: "Added", added: 0, alreadyExists: 4 })
        assert.deepStrictEqual(yield* add(21, 503, 504, bounds), { _tag: "Full" })
        yield* lists.remove({ ...reader, listId: id(21), itemIds: [id(500)], visible })
        assert.deepStrictEqual(yield* add(21, 503, 504, bounds), { _tag: "Added", added: 1, alreadyExists: 1 })
      }))

    it.effect("an available item of the other kind is told apart from a missing one", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        yield* lists.create(list(11))
        yield* lists.create(list(12, { type: "contacts" }))
        const other = (listId: string, itemIds: ReadonlyArray<string>) =>
          Effect.map(addTo(listId, itemIds), (addition) => addition._tag === "Unavailable" && addition.ofOtherKind)
        assert.isTrue(yield* other(id(11), [id(1), id(801)]))
        assert.isFalse(yield* other(id(11), [id(802)]))
        assert.isTrue(yield* other(id(12), [id(1)]))
        assert.isFalse(yield* other(id(12), [id(702)]))
        assert.deepStrictEqual(yield* addTo(id(12), [id(801)]), { _tag: "Added", added: 1, alreadyExists: 0 })
        assert.deepStrictEqual(yield* addTo(id(12), [id(802)]), {
          _tag: "Unavailable",
          type: "contacts",
          itemIds: [id(802)],
          ofOtherKind: false
        })
      }))

    it.effect("adds and removals at once are exact, in any order of the same items", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        yield* lists.create(list(11))
        const additions = yield* Effect.forEach(Array.from({ length: 8 }, (_, index) => index), (index) =>
          addTo(id(11), index % 2 === 0 ? range(1, 500) : range(1, 500).toReversed()), { concurrency: "unbounded" })
        const added = additions.map((each) =>
          each._tag === "Added" ? each.added : -1
        )
        assert.strictEqual(added.reduce((sum, each) => sum + each, 0), 500)
        const removals = yield* Effect.forEach([range(1, 60), range(41, 100).toReversed()], (itemIds) =>
          lists.remove({ ...reader, listId: id(11), itemIds, visible }), { concurrency: "unbounded" })
        assert.strictEqual(
          removals.reduce((sum, each) =>
            sum + Option.getOrElse(each, () =>
              -1000), 0),
          100
        )
        const found = Option.getOrThrow(
          yield* lists.items({ ...reader, listId: id(11), visible, after: null, limit: 1, offset: 0 })
        )
        const counts = yield* lists.counts({ orgId, listIds: [id(11)], visible })
        assert.deepStrictEqual([counts.get(id(11)), found.total], [400, 400])
      }))

    it.effect("items and lists of one moment are read whole by their places, while others come and go", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        yield* lists.create(list(11))
        yield* addTo(id(11), range(1, 9))
        const items = Effect.fnUntraced(function*(after: RecentPlace | null, limit: number) {
          const found = yield* lists.items({ ...reader, listId: id(11), visible, after, limit, offset: 0 })
          return Option.getOrThrow(found).items.map(({ addedAt, id }) => ({ at: addedAt, id }))
        })
        const first = yield* items(null, 4)
        assert.deepStrictEqual(first.map((item) => item.id), range(1, 4))
        yield* lists.remove({ ...reader, listId: id(11), itemIds: [id(2), id(4), id(7)], visible })
        yield* lists.add({ ...reader, listId: id(11), itemIds: [id(20)], visible, bounds: listBounds, now: at + 1 })
        const second = yield* items(first.at(-1) ?? null, 2)
        assert.deepStrictEqual(second.map((item) => item.id), [id(5), id(6)])
        assert.deepStrictEqual((yield* items(second.at(-1) ?? null, 9)).map((item) => item.id), [id(8), id(9)])

        for (const n of [12, 13, 14]) yield* lists.create(list(n, { now: at + 11 }))
        const page = Effect.fnUntraced(function*(after: RecentPlace | null) {
          const found = yield* lists.page({ ...reader, type: null, after, limit: 2, offset: 0 })
          assert.strictEqual(found.total, 4)
          return found.lists.map(({ createdAt, id }) => ({ at: createdAt, id }))
        })
        const newest = yield* page(null)
        const rest = yield* page(newest.at(-1) ?? null)
        assert.deepStrictEqual([...newest, ...rest].map((each) => each.id), [id(11), id(12), id(13), id(14)])
        assert.deepStrictEqual(yield* page(rest.at(-1) ?? null), [])
      }))

    it.effect("items come last added first, and only those that are available now", () =>
      Effect.gen(function*() {
        const lists = yield* seed
        yield* lists.create(list(11))
        yield* lists.create(list(12, { type: "contacts" }))
        yield* lists.add({ ...reader, listId: id(11), itemIds: [id(2), id(1)], visible, bounds: listBounds, now: at })
        yield* lists.add({ ...reader, listId: id(11), itemIds: [id(3)], visible, bounds: listBounds, now: at + 1 })
        const items = (area: typeof visible, limit: number, offset: number) =>
          Effect.map(
            lists.items({ ...reader, listId: id(11), visible: area, after: null, limit, offset }),
            (found) => {
              const { items, total } = Option.getOrThrow(found)
              return { ids: items.map((item) => item.id), total }
            }
          )
        assert.deepStrictEqual(yield* items(visible, 2, 0), { ids: [id(3), id(1)], total: 3 })
        assert.deepStrictEqual(yield* items(visible, 2, 2), { ids: [id(2)], total: 3 })
        assert.deepStrictEqual(yield* items({ ...visible, countyFips: [] }, 9, 0), { ids: [id(3), id(1)], total: 2 })
        const { items: [first] } = Option.getOrThrow(
          yield* lists.items({ ...reader, listId: id(11), visible, after: null, limit: 1, offset: 0 })
        )
        assert.deepStrictEqual(first, {
          _tag: "Property",
          id: id(3),
          key: `48113-${id(3)}`,
          address: "3 Oak",
          city: null,
          state: null,
          zip: null,
          assetCategory: null,
          addedAt: "2026-05-28T20:26:40.001Z"
        })
        yield* lists.add({ ...reader, listId: id(12), itemIds: [id(801)], visible, bounds: listBounds, now: at })
        const contacts = Option.getOrThrow(
          yield* lists.items({ ...reader, listId: id(12), visible, after: null, limit: 9, offset: 0 })
        )
        assert.deepStrictEqual(contacts.items, [{
          _tag: "Contact",
          id: id(801),
          title: "Manager",
          roleType: "property_manager",
          seniority: "unknown",
          employerName: null,
          addedAt: "2026-05-28T20:26:40.000Z"
        }])
        assert.strictEqual(contacts.list.type, "contacts")
      }))
  })
}

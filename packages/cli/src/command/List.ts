/** `freehold list`: the lists of an organization, members' private ones included. */
import { type List, listBounds, ListType, maximumListName, Visibility } from "@freehold/core/list/List"
import { listItem, listRecord } from "@freehold/core/list/ListKeeper"
import { ListNotFound, NameInUse } from "@freehold/core/list/ListRefusals"
import type { ListItem } from "@freehold/core/list/Lists"
import { Lists } from "@freehold/core/list/Lists"
import { within } from "@freehold/core/operation/Characters"
import { parseId } from "@freehold/core/operation/Uuid"
import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { CommandRefused } from "../CommandRefused.ts"
import { administration } from "../LazyComposition.ts"
import { json, print, record, table } from "../Output.ts"
import { allPages, type Page } from "./AllPages.ts"
import { by, findAuthor, findMember } from "./MemberFlag.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"

/** Nothing is out of the operator's sight. */
const everywhere = { nationwide: true, stateFips: [], countyFips: [] }

const pageSize = 500

const type = Flag.Literals("type", ListType.literals).pipe(Flag.withDescription("What the list holds"))

const all = Command.make(
  "list",
  { org, type: type.pipe(Flag.optional), json },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const port = yield* Lists
    const lists = yield* allPages(({ last, limit }: Page<List>) =>
      Effect.map(
        port.page({
          orgId,
          reader: null,
          type: Option.getOrNull(input.type),
          after: last === undefined ? null : { at: last.createdAt, id: last.id },
          limit,
          offset: 0
        }),
        (found) => found.lists
      )
    )
    const counts = yield* port.counts({ orgId, listIds: lists.map(({ id }) => id), visible: everywhere })
    const shown = lists.map((list) => listRecord(list, counts.get(list.id) ?? 0))
    yield* print(input.json, { items: shown }, ({ items }) =>
      table(
        ["id", "list_name", "list_type", "visibility", "owner_name", "item_count"],
        items.map((list) => [
          list.id,
          list.list_name,
          list.list_type,
          list.visibility,
          list.owner_name,
          list.item_count
        ])
      ))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("List the lists of an organization, newest first"),
  Command.withExamples([{ command: "freehold list list --org org_acme", description: "Every list of org_acme" }])
)

const show = Command.make(
  "show",
  { id: Argument.String("id").pipe(Argument.withDescription("Id of the list")), org, json },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const listId = parseId(input.id)
    if (Option.isNone(listId)) return yield* new ListNotFound()
    const items: Array<ListItem> = []
    for (;;) {
      const last = items.at(-1)
      const page = yield* Lists.use((port) =>
        port.items({
          orgId,
          reader: null,
          listId: listId.value,
          visible: everywhere,
          after: last === undefined ? null : { at: last.addedAt, id: last.id },
          limit: pageSize,
          offset: 0
        })
      )
      if (Option.isNone(page)) return yield* new ListNotFound()
      items.push(...page.value.items)
      if (page.value.items.length === pageSize) continue
      return yield* print(
        input.json,
        { list: listRecord(page.value.list, items.length), items: items.map(listItem) },
        ({ list }) =>
          `${record(Object.entries(list))}\n\n${
            table(
              ["id", "what", "where", "added_at"],
              items.map((item) =>
                item._tag === "Property"
                  ? [item.id, item.address, item.city, item.addedAt]
                  : [item.id, item.title, item.employerName, item.addedAt]
              )
            )
          }`
      )
    }
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Show a list and what is in it"),
  Command.withExamples([{
    command: "freehold list show 3f0c2f5e-0000-4000-8000-000000000001 --org org_acme",
    description: "What is in a list"
  }])
)

const create = Command.make(
  "create",
  {
    org,
    by,
    name: Flag.String("name").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription(`What the list is called, at most ${maximumListName} characters`)
    ),
    type,
    visibility: Flag.Literals("visibility", Visibility.literals).pipe(
      Flag.withDescription(
        "Who sees it: its owner alone (private), the team (team), or the owner and the members of --share-with (shared)"
      ),
      Flag.withDefault("private" as const)
    ),
    shareWith: Flag.String("share-with").pipe(
      Flag.withMetavar("EMAIL"),
      Flag.withDescription("A member who sees a shared list; may be given more than once"),
      Flag.between(0, 100),
      Flag.withDefault([])
    ),
    json
  },
  Effect.fn(function*(input) {
    const organization = yield* findOrganization(input.org)
    const owner = yield* findAuthor(organization, input.by, "lists")
    if (input.name.trim() === "" || !within(input.name, 1, maximumListName)) {
      return yield* new CommandRefused({ reason: `a list's name has 1 to ${maximumListName} characters` })
    }
    if ((input.visibility === "shared") !== input.shareWith.length > 0) {
      return yield* new CommandRefused({ reason: "a shared list, and no other, is shared with members: --share-with" })
    }
    const members = yield* Effect.forEach(input.shareWith, (email) => findMember(organization.org_id, email))
    const random = yield* SecureRandom.SecureRandom
    const lists = yield* Lists
    const { list, outcome } = yield* lists.create({
      orgId: organization.org_id,
      id: yield* random.uuidV4(),
      name: input.name,
      type: input.type,
      visibility: input.visibility,
      sharedWith: members.flatMap(({ memberId }) => memberId === owner.memberId ? [] : [memberId]),
      owner,
      onClash: "refuse",
      bounds: listBounds,
      now: yield* Clock.currentTimeMillis
    })
    if (outcome === "too_many") {
      return yield* new CommandRefused({ reason: `an organization has at most ${listBounds.lists} lists` })
    }
    if (outcome === "in_use") return yield* new NameInUse({ resource: "list" })
    yield* print(input.json, listRecord(list, 0), (shown) => record(Object.entries(shown)))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Make an empty list in a member's name"),
  Command.withExamples([{
    command: "freehold list create --org org_acme --by ana@acme.example --name Roofs --type properties",
    description: "Ana makes a list of her own"
  }])
)

export const listCommand = Command.make("list").pipe(
  Command.withExamples([{ command: "freehold list list --org org_acme", description: "The lists of org_acme" }]),
  Command.withSubcommands([all, show, create])
)

/** Renames, shares and deletes lists in the app: a member their own ones, an admin also the team's. */
import { Effect, Option } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { Organizations } from "../organization/Organizations.ts"
import type { KeptList } from "./List.ts"
import type { ChangeList, DeleteList, GetList } from "./ListCareOperations.ts"
import { listReader } from "./ListKeeper.ts"
import { ListNotFound, NameInUse } from "./ListRefusals.ts"
import { Lists } from "./Lists.ts"

const mayManage = (list: KeptList, caller: CallerFacts): boolean => {
  const person = Acting.member(caller)
  if (person === null || person.role === "read_only") return false
  return list.ownerId === person.memberId || list.visibility === "team" && person.role === "admin"
}

const view = (list: KeptList, caller: CallerFacts) => {
  const manageable = mayManage(list, caller)
  return {
    id: list.id,
    list_name: list.name,
    list_type: list.type,
    visibility: list.visibility,
    owner_name: list.ownerName,
    created_at: list.createdAt,
    manageable,
    shareable: manageable && list.ownerId === Acting.actor(caller).id,
    shared_count: list.sharedWith.length,
    shared_with: manageable ? list.sharedWith : null
  }
}

export const make = Effect.gen(function*() {
  const lists = yield* Lists
  const organizations = yield* Organizations

  const found = Effect.fnUntraced(function*(listId: string) {
    const caller = yield* Caller
    const list = yield* lists.find({ ...listReader(caller), listId: listId.toLowerCase() })
    return Option.isSome(list) ? { caller, list: list.value } : yield* new ListNotFound()
  })

  /** A list that the caller may change. */
  const own = Effect.fnUntraced(function*(listId: string) {
    const { caller, list } = yield* found(listId)
    return mayManage(list, caller)
      ? { caller, list }
      : yield* invalid("list_id", "Its owner changes it, or an admin if it is the team's")
  })

  /** Whom a list is shared with: active members of the organization, its owner left out. */
  const sharers = Effect.fnUntraced(function*(list: KeptList, memberIds: ReadonlyArray<string>) {
    const { organization: { org_id: orgId } } = yield* Caller
    const members = yield* organizations.members(orgId)
    const ids = new Set(memberIds.map((id) => id.toLowerCase()))
    const active = new Set(members.filter(({ status }) => status === "active").map(({ memberId }) => memberId))
    if ([...ids].some((id) => !active.has(id))) return yield* invalid("shared_with", "There is no such member")
    return [...ids].filter((id) => id !== list.ownerId)
  })

  const read: HandlerOf<typeof GetList> = Effect.fn("ListCare.read")(function*(input) {
    const { caller, list } = yield* found(input.list_id)
    return view(list, caller)
  })

  const update: HandlerOf<typeof ChangeList> = Effect.fn("ListCare.update")(function*(input) {
    const { caller, list } = yield* own(input.list_id)
    const visibility = input.visibility ?? list.visibility
    if (list.ownerId === null && visibility !== "team") {
      return yield* invalid("visibility", "A list that a key made is the team's")
    }
    if (list.ownerId !== Acting.actor(caller).id && visibility !== list.visibility) {
      return yield* invalid("visibility", "Its owner alone says who sees it")
    }
    if (input.shared_with !== undefined && visibility !== "shared") {
      return yield* invalid("shared_with", "Expected with the visibility shared alone")
    }
    const sharedWith = visibility !== "shared"
      ? []
      : input.shared_with === undefined
      // Who was removed and comes back sees what they saw.
      ? list.sharedWith
      : yield* sharers(list, input.shared_with)
    const name = input.list_name ?? list.name
    const outcome = yield* lists.change({ ...listReader(caller), listId: list.id, name, visibility, sharedWith })
    switch (outcome) {
      case "changed":
        return view({ ...list, name, visibility, sharedWith }, caller)
      case "in_use":
        return yield* new NameInUse({ resource: "list" })
      case "no_list":
        return yield* new ListNotFound()
    }
  })

  const remove: HandlerOf<typeof DeleteList> = Effect.fn("ListCare.remove")(function*(input) {
    const { caller, list } = yield* own(input.list_id)
    const there = yield* lists.delete({ ...listReader(caller), listId: list.id })
    return there ? { list_id: list.id, deleted: true as const } : yield* new ListNotFound()
  })

  return { read, update, remove }
})

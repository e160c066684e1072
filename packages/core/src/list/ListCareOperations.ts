/** What the app asks of lists beyond what REST and tools do: another name, who sees them, and an end. */
import { Schema } from "effect"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { ListType, Visibility } from "./List.ts"
import { ListName } from "./ListOperations.ts"
import { ListNotFound, NameInUse } from "./ListRefusals.ts"

/** Most members that a list is shared with. */
const maximumShared = 200

const access = { scope: null, plan: "team", gate: "lists" } as const

const KeptList = Schema.Struct({
  id: Schema.String,
  list_name: Schema.String,
  list_type: ListType,
  visibility: Visibility,
  owner_name: Schema.String,
  created_at: Schema.String,
  /** Whether the caller may rename, share and delete it: its owner may, and admins what is the team's. */
  manageable: Schema.Boolean,
  /** Whether the caller may say who sees it: its owner alone. A list that a key made stays the team's. */
  shareable: Schema.Boolean,
  shared_count: Schema.Int,
  /** The members whom it is shared with; null: not told to whoever may not manage it. decisions, section 4. */
  shared_with: Schema.NullOr(Schema.Array(Schema.String))
})

export const GetList = Operation.make("app_get_list", {
  title: "A list",
  description: "Free. A list, who sees it, and whether you may change that.",
  input: Schema.Struct({ list_id: Uuid }),
  output: KeptList,
  refusals: [ListNotFound],
  access: { ...access, gate: null },
  effect: "read",
  work: "point",
  tool: false
})

export const ChangeList = Operation.make("app_change_list", {
  title: "Change a list",
  description:
    "Free. Another name, or others who see it; what is left out stays. By its owner, or an admin for the team's.",
  input: Schema.Struct({
    list_id: Uuid,
    list_name: Schema.optionalKey(ListName),
    visibility: Schema.optionalKey(Visibility),
    /** Members by id; of a shared list alone. */
    shared_with: Schema.optionalKey(Schema.Array(Uuid).check(Schema.isMaxLength(maximumShared)))
  }),
  output: KeptList,
  refusals: [ListNotFound, NameInUse],
  access,
  effect: "write",
  tool: false
})

export const DeleteList = Operation.make("app_delete_list", {
  title: "Delete a list",
  description:
    "Free. Deletes a list for everybody; what is on it stays where it is. By its owner, or an admin for the team's.",
  input: Schema.Struct({ list_id: Uuid }),
  output: Schema.Struct({ list_id: Schema.String, deleted: Schema.Literal(true) }),
  refusals: [ListNotFound],
  access,
  effect: "write",
  tool: false
})

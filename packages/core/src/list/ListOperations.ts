/** What can be asked of lists. service-api "Lists", decisions sections 4 and 14. */
import { Schema } from "effect"
import { atMost } from "../operation/Characters.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import * as Operation from "../operation/Operation.ts"
import { Cursor } from "../operation/PageCursor.ts"
import { oneLine } from "../operation/PlainText.ts"
import { ReducedLimit } from "../operation/ReducedLimit.ts"
import { Uuid } from "../operation/Uuid.ts"
import { ListType, maximumItemsPerCall, maximumListName, Visibility } from "./List.ts"
import { ContactNotAvailable, ListNotFound, NameInUse, PropertyNotAvailable, WrongListType } from "./ListRefusals.ts"

const Text = Schema.NullOr(Schema.String)

const maximumOffset = 2_147_483_647

const Limit = ReducedLimit.annotate({
  description: "Default 100, at most 200."
})

/** A number of rows, also as text, or the next_cursor of the page before: the contract has it go here. */
const Offset = Schema.Union([
  Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maximumOffset })),
  Schema.String.check(
    Schema.makeFilter((text: string) =>
      /^(\d{1,9}|[\w-]{22,2000})$/.test(text) || "Expected a number of rows, or the next_cursor of the page before"
    )
  )
]).annotate({ description: "As cursor, or rows." })

const pageFields = {
  limit: Schema.optionalKey(Limit),
  cursor: Schema.optionalKey(Cursor),
  offset: Schema.optionalKey(Offset)
}

const listFields = {
  id: Schema.String,
  list_name: Schema.String,
  list_type: ListType,
  visibility: Visibility,
  item_count: Schema.Int
}

const ListRecord = Schema.Struct({ ...listFields, owner_name: Schema.String, created_at: Schema.String })

/** What a list may be called. */
export const ListName = Schema.String.check(
  Schema.isMinLength(1),
  atMost(maximumListName),
  oneLine,
  Schema.makeFilter((name: string) => name === "" || name.trim() !== "" || "Expected a name that is not blank")
)

const itemsOf = <Item extends typeof ItemIdOrKey | typeof Uuid>(item: Item, description: string) =>
  Schema.Array(item).check(Schema.isMinLength(1), Schema.isMaxLength(maximumItemsPerCall)).annotate({ description })

const ItemIdOrKey = Schema.String.check(Schema.isMinLength(1), atMost(200))

const Items = itemsOf(ItemIdOrKey, "Ids of the list's kind; a property's key will do.")

/** The items as REST takes them: by id alone. */
export const ItemIds = itemsOf(Uuid, "1 to 500 ids, all of the list's kind.")

/** GET /lists. */
export const ListLists = Operation.make("service_list_lists", {
  title: "Lists",
  description: "Free. The lists of properties and contacts that you see, newest first.",
  input: Schema.Struct({ type: Schema.optionalKey(ListType), ...pageFields }),
  output: Schema.Struct({
    lists: Schema.Array(ListRecord),
    total: Schema.Int,
    has_more: Schema.Boolean,
    next_cursor: Text
  }),
  refusals: [InvalidCursor],
  access: { scope: "lists:read", plan: "team" },
  effect: "read"
})

/** What is in a list. decisions, section 14. */
export const GetListItems = Operation.make("service_get_list_items", {
  title: "Items of a list",
  description:
    "Free. What is in one list, last added first: addresses of properties, or titles and employers of contacts. Items " +
    "outside your area are left out.",
  input: Schema.Struct({ list_id: Uuid, ...pageFields }),
  output: Schema.Struct({
    list: ListRecord,
    items: Schema.Array(Schema.Union([
      Schema.Struct({
        property_id: Schema.String,
        key: Schema.String,
        address: Text,
        city: Text,
        state: Text,
        zip: Text,
        asset_category: Text,
        added_at: Schema.String
      }),
      Schema.Struct({
        contact_id: Schema.String,
        title: Text,
        role_type: Text,
        seniority: Schema.String,
        employer_name: Text,
        added_at: Schema.String
      })
    ])),
    total: Schema.Int,
    has_more: Schema.Boolean,
    next_cursor: Text
  }),
  refusals: [ListNotFound, InvalidCursor],
  access: { scope: "lists:read", plan: "team" },
  effect: "read"
})

/** POST /lists. */
export const CreateList = Operation.make("service_create_list", {
  title: "Create a list",
  description:
    "Free. Makes an empty list. With reuse_existing_by_name a list of that name and type is answered instead of refused.",
  input: Schema.Struct({
    list_name: ListName,
    list_type: ListType,
    reuse_existing_by_name: Schema.optionalKey(Schema.Boolean)
  }),
  output: Schema.Struct({ list: Schema.Struct(listFields), created: Schema.Boolean }),
  refusals: [NameInUse],
  access: { scope: "lists:write", plan: "team", gate: "lists" },
  effect: "write"
})

/** POST /lists/{id}/items. */
export const AddToList = Operation.make("service_add_to_list", {
  title: "Add to a list",
  description: "Free. Adds up to 500 items to a list, all or none. Items that are in it already stay.",
  input: Schema.Struct({ list_id: Uuid, item_ids: Items }),
  output: Schema.Struct({ list_id: Schema.String, added: Schema.Int, already_exists: Schema.Int }),
  refusals: [ListNotFound, WrongListType, PropertyNotAvailable, ContactNotAvailable],
  access: { scope: "lists:write", plan: "team", gate: "lists" },
  effect: "write"
})

/** Takes items out of a list. decisions, section 14. */
export const RemoveFromList = Operation.make("service_remove_from_list", {
  title: "Remove from a list",
  description: "Free. Takes up to 500 items out of a list. Items that are not in it are passed over.",
  input: Schema.Struct({ list_id: Uuid, item_ids: Items }),
  output: Schema.Struct({ list_id: Schema.String, removed: Schema.Int, not_in_list: Schema.Int }),
  refusals: [ListNotFound],
  access: { scope: "lists:write", plan: "team", gate: "lists" },
  effect: "write"
})

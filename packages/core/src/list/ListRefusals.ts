/** Refusals about lists and what is put into them. service-api "Research, list and search codes". */
import { Schema } from "effect"
import { ListType } from "./List.ts"

/** No such list, or another member's private one. On REST it is NOT_FOUND. */
export class ListNotFound extends Schema.TaggedError<ListNotFound>()("LIST_NOT_FOUND", {}) {
  override get message() {
    return "No such list."
  }
}

/** So many of the items stand in the sentence; the others are counted. */
const toldItems = 3

const told = (items: ReadonlyArray<string>, unnamed = 0): string => {
  const more = Math.max(0, items.length - toldItems) + unnamed
  return items.slice(0, toldItems).join(", ") + (more === 0 ? "" : ` and ${more} more`)
}

const ids = {
  item_ids: Schema.Array(Schema.String),
  /** How many more there are, where their names are so long that not all are told; absent: none. */
  unnamed: Schema.optionalKey(Schema.Int)
}

/**
 * The list holds the other kind of item. `field` names the argument that does not fit: `item_ids` when there are items
 * of the other kind among them, or the filter that names the list.
 */
export class WrongListType extends Schema.TaggedError<WrongListType>()("WRONG_LIST_TYPE", {
  list_type: ListType,
  field: Schema.String,
  ...ids
}) {
  override get message() {
    return `This is a list of ${this.list_type}.`
  }
}

/** A list, or a saved search, of that name exists where the new one would be. */
export class NameInUse extends Schema.TaggedError<NameInUse>()("NAME_IN_USE", {
  resource: Schema.Literals(["list", "saved_search"])
}) {
  override get message() {
    return this.resource === "list"
      ? "A list of this name exists; choose another name or send reuse_existing_by_name."
      : "A saved search of this name exists; choose another name."
  }
}

/** Properties that are missing, merged or outside the area; nothing was added. */
export class PropertyNotAvailable extends Schema.TaggedError<PropertyNotAvailable>()("PROPERTY_NOT_AVAILABLE", {
  ...ids,
  /** Of those that were merged, the property that each became, where the caller sees it; absent: there are none. */
  successors: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}) {
  override get message() {
    const merged = Object.entries(this.successors ?? {})
    const others = this.item_ids.filter((id) => this.successors?.[id] === undefined)
    const unknown = others.length > 0 ? `: no such property in your area: ${told(others, this.unnamed)}` : ""
    return `Nothing was added${unknown}.` +
      merged.slice(0, toldItems).map(([id, successor]) => ` ${id} was merged; use ${successor}.`).join("")
  }
}

/** Contacts that are missing or without a property in the area; nothing was added. */
export class ContactNotAvailable extends Schema.TaggedError<ContactNotAvailable>()("CONTACT_NOT_AVAILABLE", ids) {
  override get message() {
    return `Nothing was added: no such contact available to you: ${told(this.item_ids, this.unnamed)}.`
  }
}

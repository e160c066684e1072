/** What can be asked of saved searches. decisions, section 14. */
import { Schema, Struct } from "effect"
import { ActingUserRequired, SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { NameInUse } from "../list/ListRefusals.ts"
import { atMost } from "../operation/Characters.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { InputIssue } from "../operation/InvalidInput.ts"
import * as Operation from "../operation/Operation.ts"
import { Cursor } from "../operation/PageCursor.ts"
import { oneLine } from "../operation/PlainText.ts"
import { Uuid } from "../operation/Uuid.ts"
import { SearchProperties } from "../property/PropertyOperations.ts"
import { SearchInput } from "../property/SearchInput.ts"
import { AmbiguousSearchMode, MissingQueryBoundsOrCounty } from "../property/SearchRefusals.ts"
import { maximumSavedSearches } from "./SavedSearches.ts"

export const maximumName = 200

/** Without a sort that is asked for, rows may move between pages. service-api "Research, list and search codes". */
export class OffsetRequiresSort extends Schema.TaggedError<OffsetRequiresSort>()("OFFSET_REQUIRES_SORT", {
  issues: Schema.Array(InputIssue)
}) {
  static refuse() {
    return new OffsetRequiresSort({ issues: [{ field: "sortBy", message: "Expected with offset" }] })
  }
  override get message() {
    return "Paging a saved search by offset needs an explicit sort: send sortBy, such as relevance, with every page."
  }
}

const SearchName = Schema.String.check(
  Schema.isMinLength(1),
  atMost(maximumName),
  oneLine,
  Schema.makeFilter((name: string) => name === "" || name.trim() !== "" || "Expected a name that is not blank")
)

/** The arguments of a search that are kept: all but where a page begins, and that only a count was asked for. */
export const KeptSearch = SearchInput.mapFields(Struct.omit(["cursor", "offset", "count_only"]))

const SavedSearchRecord = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  owner_name: Schema.String,
  search: Schema.Record(Schema.String, Schema.Unknown),
  created_at: Schema.String
})

const access = { scope: "mcp", plan: "enterprise" } as const

export const ListSavedSearches = Operation.make("service_list_saved_searches", {
  title: "Saved searches",
  description: "Free. Your saved searches, newest first; to an organization key, every member's.",
  input: Schema.Struct({
    limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumSavedSearches }))),
    cursor: Schema.optionalKey(Cursor)
  }),
  output: Schema.Struct({
    saved_searches: Schema.Array(SavedSearchRecord),
    total: Schema.Int,
    next_cursor: Schema.NullOr(Schema.String)
  }),
  refusals: [InvalidCursor],
  access,
  effect: "read"
})

export const RunSavedSearch = Operation.make("service_run_saved_search", {
  title: "Run a saved search",
  description:
    "Free. Runs the query or filters of a saved search with your own rights. What else is given replaces what was saved, as in " +
    "service_search_properties, with a sort by offset.",
  input: Schema.Struct({
    saved_search_id: Uuid,
    ...Struct.pick(SearchInput.fields, ["limit", "offset", "sortBy", "sortOrder", "cursor", "fields", "count_only"])
  }),
  output: SearchProperties.output,
  refusals: [...SearchProperties.refusals, NotFound, OffsetRequiresSort],
  access,
  effect: "read"
})

export const SaveSearch = Operation.make("service_save_search", {
  title: "Save a search",
  description: "Free. Keeps the arguments of a property search under a name, for you. Needs a person.",
  input: Schema.Struct({
    name: SearchName,
    search: KeptSearch
  }),
  output: Schema.Struct({ saved_search: SavedSearchRecord }),
  refusals: [NameInUse, ActingUserRequired, MissingQueryBoundsOrCounty, AmbiguousSearchMode, SignalsNotEnabled],
  access: { ...access, person: "required" },
  effect: "write"
})

export const DeleteSavedSearch = Operation.make("service_delete_saved_search", {
  title: "Delete a saved search",
  description: "Free. Deletes one of your saved searches. Needs a person.",
  input: Schema.Struct({ saved_search_id: Uuid }),
  output: Schema.Struct({ saved_search_id: Schema.String, deleted: Schema.Literal(true) }),
  refusals: [NotFound, ActingUserRequired],
  access: { ...access, person: "required" },
  effect: "write"
})

/** Of the app alone. */
export const RenameSearch = Operation.make("app_rename_search", {
  title: "Rename a saved search",
  description: "Free. Gives one of the searches that you saved another name.",
  input: Schema.Struct({ saved_search_id: Uuid, name: SearchName }),
  output: Schema.Struct({ saved_search_id: Schema.String, name: Schema.String }),
  refusals: [NotFound, NameInUse, ActingUserRequired],
  access: { scope: null, plan: "team" },
  effect: "write",
  tool: false
})

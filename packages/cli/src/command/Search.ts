/** `freehold search`: the searches that members saved. */
import { within } from "@freehold/core/operation/Characters"
import { decoder } from "@freehold/core/operation/InvalidInput"
import { parseId } from "@freehold/core/operation/Uuid"
import { type SavedSearch, SavedSearches } from "@freehold/core/search/SavedSearches"
import { KeptSearch, maximumName } from "@freehold/core/search/SavedSearchOperations"
import * as SearchShelf from "@freehold/core/search/SearchShelf"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { administration } from "../LazyComposition.ts"
import { json, print, record, table } from "../Output.ts"
import { allPages, type Page } from "./AllPages.ts"
import { readJson } from "./JsonFile.ts"
import { by, findAuthor, findMember } from "./MemberFlag.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"

const decodeSearch = decoder(KeptSearch)

type Shown = ReturnType<typeof SearchShelf.savedSearchRecord>

const lines = (saved: Shown) => record(Object.entries({ ...saved, search: JSON.stringify(saved.search) }))

const save = Command.make(
  "save",
  {
    org,
    by,
    name: Flag.String("name").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription(`What the search is called, at most ${maximumName} characters`)
    ),
    file: Argument.String("file").pipe(
      Argument.withDescription(
        "JSON: the body of POST /properties/search without cursor and offset; - is standard input"
      )
    ),
    json
  },
  Effect.fn(function*(input) {
    const search = yield* Effect.fromResult(decodeSearch(yield* readJson(input.file)))
    if (input.name.trim() === "" || !within(input.name, 1, maximumName)) {
      return yield* new CommandRefused({ reason: `a search's name has 1 to ${maximumName} characters` })
    }
    const saving = Effect.gen(function*() {
      const organization = yield* findOrganization(input.org)
      const owner = yield* findAuthor(organization, input.by, null)
      const shelf = yield* SearchShelf.make
      return yield* shelf.save(organization, owner, input.name, search)
    })
    const saved = yield* Effect.provide(saving, administration)
    yield* print(input.json, SearchShelf.savedSearchRecord(saved), lines)
  })
).pipe(
  Command.withDescription("Save a property search in a member's name"),
  Command.withExamples([{
    command: "freehold search save --org org_acme --by ana@acme.example --name Warehouses search.json",
    description: "Ana saves a search"
  }])
)

const list = Command.make(
  "list",
  { org, by: by.pipe(Flag.withDescription("Only those of this member"), Flag.optional), json },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const reader = Option.isNone(input.by) ? null : (yield* findMember(orgId, input.by.value)).memberId
    const port = yield* SavedSearches
    const searches = yield* allPages(({ last, limit }: Page<SavedSearch>) =>
      Effect.map(
        port.list({
          orgId,
          reader,
          after: last === undefined ? null : { at: last.createdAt, id: last.id },
          limit
        }),
        (found) => found.searches
      )
    )
    yield* print(input.json, { items: searches.map(SearchShelf.savedSearchRecord) }, ({ items }) =>
      table(
        ["id", "name", "owner_name", "created_at"],
        items.map((saved) => [saved.id, saved.name, saved.owner_name, saved.created_at])
      ))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("List saved searches, newest first"),
  Command.withExamples([{ command: "freehold search list --org org_acme", description: "What members saved" }])
)

const remove = Command.make(
  "delete",
  { id: Argument.String("id").pipe(Argument.withDescription("Id of the saved search")), org, by, json },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const { memberId: ownerId } = yield* findMember(orgId, input.by)
    const id = Option.getOrElse(parseId(input.id), () => "")
    const deleted = id !== "" && (yield* SavedSearches.use((port) => port.remove({ orgId, ownerId, id })))
    if (!deleted) return yield* new CommandRefused({ reason: "this member has no such saved search" })
    yield* print(input.json, { id, deleted }, (shown) => record(Object.entries(shown)))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Delete a search that a member saved"),
  Command.withExamples([{
    command: "freehold search delete 3f0c2f5e-0000-4000-8000-000000000001 --org org_acme --by ana@acme.example",
    description: "Ana deletes a saved search"
  }])
)

export const searchCommand = Command.make("search").pipe(
  Command.withExamples([{
    command: "freehold search list --org org_acme",
    description: "The saved searches of org_acme"
  }]),
  Command.withSubcommands([save, list, remove])
)

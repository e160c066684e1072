/** `freehold note`: what members write about properties. */
import * as NoteKeeper from "@freehold/core/note/NoteKeeper"
import { maximumNote } from "@freehold/core/note/NoteOperations"
import { within } from "@freehold/core/operation/Characters"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { administration } from "../LazyComposition.ts"
import { json, print, record, table } from "../Output.ts"
import { by, findAuthor } from "./MemberFlag.ts"
import { wholeNumberFlag } from "./NumberFlag.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"
import { property } from "./PropertyFlag.ts"

const add = Command.make(
  "add",
  {
    org,
    property,
    by,
    text: Argument.String("text").pipe(Argument.withDescription(`The note, at most ${maximumNote} characters`)),
    json
  },
  Effect.fn(function*(input) {
    const organization = yield* findOrganization(input.org)
    const member = yield* findAuthor(organization, input.by, "pipeline")
    if (input.text.trim() === "" || !within(input.text, 1, maximumNote)) {
      return yield* new CommandRefused({ reason: `a note has 1 to ${maximumNote} characters and is not blank` })
    }
    const { write } = yield* NoteKeeper.make
    const note = yield* write({ organization, territory: member.territory }, member, input.property, input.text)
    yield* print(input.json, NoteKeeper.noteRecord(note), (shown) => record(Object.entries(shown)))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Write a note about a property in a member's name; it goes into lead bundles"),
  Command.withExamples([{
    command:
      "freehold note add --org org_acme --property 36061-1000477501 --by ana@acme.example \"Roof leaks, call in May\"",
    description: "Ana writes a note"
  }])
)

const list = Command.make(
  "list",
  {
    org,
    property,
    limit: wholeNumberFlag("limit", { least: 1, most: 1000 }).pipe(
      Flag.withDescription("How many, 1 to 1000"),
      Flag.withDefault(100)
    ),
    json
  },
  Effect.fn(function*(input) {
    const organization = yield* findOrganization(input.org)
    const { of } = yield* NoteKeeper.make
    const notes = yield* of({ organization, territory: null }, input.property, input.limit)
    yield* print(input.json, { items: notes.map(NoteKeeper.noteRecord) }, ({ items }) =>
      table(
        ["created_at", "author", "content"],
        items.map((note) => [note.created_at, note.author, note.content])
      ))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("List the notes about a property, newest first"),
  Command.withExamples([{
    command: "freehold note list --org org_acme --property 36061-1000477501",
    description: "What was written about a property"
  }])
)

export const noteCommand = Command.make("note").pipe(
  Command.withExamples([{
    command: "freehold note list --org org_acme --property 36061-1000477501",
    description: "What was noted about a property"
  }]),
  Command.withSubcommands([add, list])
)

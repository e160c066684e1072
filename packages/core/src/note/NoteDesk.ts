/** Notes in the app: read by whoever sees the property, changed by their author, deleted also by an admin. */
import { Effect, Option } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { invalid } from "../operation/InvalidInput.ts"
import * as VisibleProperty from "../property/VisibleProperty.ts"
import * as NoteKeeper from "./NoteKeeper.ts"
import type { DeleteNote, EditNote, ListNotesInApp } from "./NoteOperations.ts"
import { type Note, Notes } from "./Notes.ts"

const isAuthor = (note: Note, caller: CallerFacts): boolean =>
  note.authorId !== null && note.authorId === Acting.member(caller)?.memberId

const mayDelete = (note: Note, caller: CallerFacts): boolean =>
  isAuthor(note, caller) || Acting.member(caller)?.role === "admin"

const view = (note: Note, caller: CallerFacts) => ({
  ...NoteKeeper.noteRecord(note),
  editable: isAuthor(note, caller),
  deletable: mayDelete(note, caller)
})

export const make = Effect.gen(function*() {
  const notes = yield* Notes
  const keeper = yield* NoteKeeper.make
  const visible = yield* VisibleProperty.make

  /** A note about a property that the caller sees. */
  const noteOf = Effect.fnUntraced(function*(id: string) {
    const caller = yield* Caller
    const found = yield* notes.find(caller.organization.org_id, id.toLowerCase())
    if (Option.isNone(found)) return yield* noSuchNote
    yield* visible(found, caller)
    return { caller, note: found.value }
  })

  const noSuchNote = invalid("id", "There is no such note")

  const list: HandlerOf<typeof ListNotesInApp> = Effect.fn("NoteDesk.list")(function*(input) {
    const caller = yield* Caller
    const found = yield* keeper.of(caller, input.property_id, input.limit)
    return { notes: found.map((note) => view(note, caller)) }
  })

  const edit: HandlerOf<typeof EditNote> = Effect.fn("NoteDesk.edit")(function*({ content, id }) {
    const { caller, note } = yield* noteOf(id)
    if (!isAuthor(note, caller)) return yield* invalid("id", "Its author alone changes a note")
    const edited = yield* notes.edit({ orgId: caller.organization.org_id, id: note.id, content })
    return Option.isSome(edited) ? view(edited.value, caller) : yield* noSuchNote
  })

  const remove: HandlerOf<typeof DeleteNote> = Effect.fn("NoteDesk.remove")(function*({ id }) {
    const { caller, note } = yield* noteOf(id)
    if (!mayDelete(note, caller)) return yield* invalid("id", "Its author or an admin deletes a note")
    const there = yield* notes.delete(caller.organization.org_id, note.id)
    return there ? { id: note.id, deleted: true as const } : yield* noSuchNote
  })

  return { list, edit, remove }
})

/** Reads and writes notes: by a person through an assistant or the command line, read by anyone of the organization. */
import { Clock, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { ActingUserRequired } from "../access/AccessRefusals.ts"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import type { Perspective } from "../coverage/Territory.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { Properties } from "../property/Properties.ts"
import * as PropertyRef from "../property/PropertyRef.ts"
import * as VisibleProperty from "../property/VisibleProperty.ts"
import type { AddNote, GetNotes, ListNotes } from "./NoteOperations.ts"
import { type Author, mostNotes, type Note, Notes } from "./Notes.ts"

const defaultLimit = 50

/** Refused where the organization has as many notes as it may. */
export const tooManyNotes = `Expected at most ${mostNotes} notes in your organization; delete some first`

/** A note as the API shows it. */
export const noteRecord = (note: Note) => ({
  id: note.id,
  property_id: note.propertyId,
  content: note.content,
  author: note.author,
  created_at: note.createdAt
})

const marked = (note: Note) => ({ ...noteRecord(note), user_content: true as const })

export const make = Effect.gen(function*() {
  const notes = yield* Notes
  const properties = yield* Properties
  const visible = yield* VisibleProperty.make
  const random = yield* SecureRandom.SecureRandom

  /** The notes of a property named by id or key, newest first. */
  const of = Effect.fn("NoteKeeper.of")(function*(perspective: Perspective, property: string, limit?: number) {
    const found = yield* notes.of({
      orgId: perspective.organization.org_id,
      property: PropertyRef.parse(property),
      limit: limit ?? defaultLimit
    })
    return (yield* visible(found, perspective)).notes
  })

  /** Writes a note about a property named by id or key. */
  const write = Effect.fn("NoteKeeper.write")(function*(
    perspective: Perspective,
    author: Author,
    property: string,
    content: string
  ) {
    const orgId = perspective.organization.org_id
    const found = yield* properties.standing(PropertyRef.parse(property), orgId)
    const { id: propertyId } = yield* visible(found, perspective)
    const now = yield* Clock.currentTimeMillis
    const id = yield* random.uuidV4()
    const written = yield* notes.add({ orgId, id, propertyId, content, author, most: mostNotes, now })
    return Option.isSome(written)
      ? written.value
      : yield* invalid("content", tooManyNotes)
  })

  const get: HandlerOf<typeof GetNotes> = Effect.fn("NoteKeeper.get")(function*(input) {
    return { notes: (yield* of(yield* Caller, input.propertyId, input.limit)).map(noteRecord) }
  })

  const list: HandlerOf<typeof ListNotes> = Effect.fn("NoteKeeper.list")(function*(input) {
    return { notes: (yield* of(yield* Caller, input.property_id, input.limit)).map(marked) }
  })

  const add: HandlerOf<typeof AddNote> = Effect.fn("NoteKeeper.add")(function*(input) {
    const caller = yield* Caller
    const author = Acting.member(caller)
    if (author === null) return yield* new ActingUserRequired()
    return marked(yield* write(caller, author, input.property_id, input.content))
  })

  return { of, write, get, list, add }
})

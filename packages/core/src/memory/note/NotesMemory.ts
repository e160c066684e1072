/** `Notes` in memory. */
import { Effect, Layer, Option } from "effect"
import { Notes } from "../../note/Notes.ts"
import { isoOf } from "../IsoTime.ts"
import { newestFirst } from "../lead/BundleSourceMemory.ts"
import { MemoryState, type State, type StoredNote } from "../MemoryState.ts"
import { readingOf } from "../property/PropertyReading.ts"
import { unlessRetired } from "../property/Retired.ts"

/** A note with the property under which it is kept. */
const noteOf = (state: State, orgId: string, id: string) => {
  for (const property of state.properties.values()) {
    const kept = `${orgId} ${property.id}`
    const note = state.notes.get(kept)?.find((each) => each.id === id)
    if (note !== undefined) return { kept, note, property }
  }
  return undefined
}

/** `Notes` in memory. */
export const layer: Layer.Layer<Notes, never, MemoryState> = Layer.effect(
  Notes,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const put = (kept: string, change: (note: StoredNote) => StoredNote) =>
      state.notes.set(kept, (state.notes.get(kept) ?? []).map(change))
    return Notes.of({
      of: Effect.fn("Notes.of")(({ limit, orgId, property }) =>
        Effect.sync(() =>
          Option.map(
            Option.fromUndefinedOr(readingOf(state, orgId).find(property)),
            ({ countyFips, id, retiredInto }) => ({
              id,
              countyFips,
              retiredInto,
              notes: (state.notes.get(`${orgId} ${id}`) ?? []).toSorted(newestFirst).slice(0, limit)
                .map((note) => ({ ...note, propertyId: id }))
            })
          )
        )
      ),

      add: Effect.fn("Notes.add")(({ author, content, id, most, now, orgId, propertyId }) =>
        unlessRetired(state, [propertyId], () => {
          const ofOrganization = Array.from(state.notes).filter(([key]) => key.startsWith(`${orgId} `))
          if (ofOrganization.reduce((count, [, written]) => count + written.length, 0) >= most) {
            return Effect.succeedNone
          }
          const kept = `${orgId} ${propertyId}`
          const note = { id, content, author: author.name, authorId: author.memberId, createdAt: isoOf(now) }
          state.notes.set(kept, [...state.notes.get(kept) ?? [], note])
          return Effect.succeedSome({ ...note, propertyId })
        })
      ),

      find: Effect.fn("Notes.find")((orgId, id) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(noteOf(state, orgId, id)), ({ note, property }) => ({
            ...note,
            propertyId: property.id,
            countyFips: property.countyFips,
            retiredInto: property.retiredInto
          }))
        )
      ),

      edit: Effect.fn("Notes.edit")(({ content, id, orgId }) =>
        Effect.sync(() =>
          Option.map(Option.fromUndefinedOr(noteOf(state, orgId, id)), ({ kept, note, property }) => {
            put(kept, (each) => each.id === id ? { ...each, content } : each)
            return { ...note, content, propertyId: property.id }
          })
        )
      ),

      delete: Effect.fn("Notes.delete")((orgId, id) =>
        Effect.sync(() => {
          const found = noteOf(state, orgId, id)
          if (found === undefined) return false
          state.notes.set(found.kept, (state.notes.get(found.kept) ?? []).filter((each) => each.id !== id))
          return true
        })
      )
    })
  })
)

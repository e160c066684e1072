/** `Notes` in memory. */
import { Effect, Layer, Option } from "effect"
import { Notes } from "../../note/Notes.ts"
import { isoOf } from "../IsoTime.ts"
import { newestFirst } from "../lead/BundleSourceMemory.ts"
import { MemoryState } from "../MemoryState.ts"
import { readingOf } from "../property/PropertyReading.ts"
import { unlessRetired } from "../property/Retired.ts"

/** `Notes` in memory. */
export const layer: Layer.Layer<Notes, never, MemoryState> = Layer.effect(
  Notes,
  Effect.gen(function*() {
    const state = yield* MemoryState
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

      add: Effect.fn("Notes.add")(({ author, content, id, now, orgId, propertyId }) =>
        unlessRetired(state, [propertyId], () => {
          const kept = `${orgId} ${propertyId}`
          const note = { id, content, author: author.name, createdAt: isoOf(now) }
          state.notes.set(kept, [...state.notes.get(kept) ?? [], note])
          return Effect.succeed({ ...note, propertyId })
        })
      )
    })
  })
)

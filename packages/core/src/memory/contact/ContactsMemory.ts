/** `Contacts` in memory. */
import { Effect, Layer, Option } from "effect"
import { Contacts } from "../../contact/Contacts.ts"
import { MemoryState } from "../MemoryState.ts"
import { contactReadingOf } from "./ContactReading.ts"

/** `Contacts` in memory. */
export const layer: Layer.Layer<Contacts, never, MemoryState> = Layer.effect(
  Contacts,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return Contacts.of({
      read: Effect.fn("Contacts.read")((contactId, orgId) =>
        Effect.sync(() =>
          Option.map(
            Option.fromUndefinedOr(state.contacts.get(contactId)),
            contactReadingOf(state, orgId).standing
          )
        )
      )
    })
  })
)

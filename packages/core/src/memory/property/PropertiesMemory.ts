/** `Properties` in memory. */
import { Effect, Layer, Option } from "effect"
import { compareText } from "../../operation/TextOrder.ts"
import { Properties } from "../../property/Properties.ts"
import { MemoryState } from "../MemoryState.ts"
import { readingOf } from "./PropertyReading.ts"

/** `Properties` in memory. */
export const layer: Layer.Layer<Properties, never, MemoryState> = Layer.effect(
  Properties,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return Properties.of({
      standing: Effect.fn("Properties.standing")((ref, orgId) =>
        Effect.sync(() => {
          const reading = readingOf(state, orgId)
          return Option.map(Option.fromUndefinedOr(reading.find(ref)), (stored) => ({
            ...reading.standing(stored),
            key: stored.key,
            address: stored.address
          }))
        })
      ),
      people: Effect.fn("Properties.people")((propertyIds) =>
        Effect.sync(() => {
          const { attachedContacts } = readingOf(state, "")
          return [...new Set(propertyIds.flatMap(attachedContacts).map(({ id }) => id))].sort(compareText)
        })
      ),
      read: Effect.fn("Properties.read")((ref, orgId) =>
        Effect.sync(() => {
          const reading = readingOf(state, orgId)
          return Option.map(Option.fromUndefinedOr(reading.find(ref)), reading.property)
        })
      ),
      readWithContacts: Effect.fn("Properties.readWithContacts")((ref, orgId) =>
        Effect.sync(() => {
          const reading = readingOf(state, orgId)
          return Option.map(Option.fromUndefinedOr(reading.find(ref)), (stored) => ({
            property: reading.property(stored),
            contacts: reading.attachedContacts(stored.id)
          }))
        })
      )
    })
  })
)

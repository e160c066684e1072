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
      people: Effect.fn("Properties.people")((propertyIds, orgId) =>
        Effect.sync(() => {
          const { attachedContacts, opensPeople } = readingOf(state, orgId)
          const opened = new Map<string, boolean>()
          for (const propertyId of propertyIds) {
            for (const person of attachedContacts(propertyId)) {
              opened.set(person.id, person.opened || opensPeople(propertyId) || opened.get(person.id) === true)
            }
          }
          return Array.from(opened, ([id, isOpen]) => ({ id, opened: isOpen })).sort((a, b) => compareText(a.id, b.id))
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

/** `CustomerAccounts` in memory. */
import { Clock, Effect, Layer, Option } from "effect"
import { CustomerAccounts } from "../../customer/CustomerAccounts.ts"
import { recordLeadChange } from "../event/EventRecord.ts"
import { MemoryState } from "../MemoryState.ts"
import { readingOf } from "../property/PropertyReading.ts"
import { unlessRetired } from "../property/Retired.ts"

/** `CustomerAccounts` in memory. */
export const layer: Layer.Layer<CustomerAccounts, never, MemoryState> = Layer.effect(
  CustomerAccounts,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return CustomerAccounts.of({
      locate: Effect.fn("CustomerAccounts.locate")((refs) =>
        Effect.sync(() => {
          const reading = readingOf(state, "")
          return refs.map((ref) => Option.fromUndefinedOr(reading.find(ref)))
        })
      ),
      sync: Effect.fn("CustomerAccounts.sync")((orgId, accounts, { byAgent, now }) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (recordedAt) =>
            unlessRetired(state, accounts.map(({ propertyId }) => propertyId), () => {
              for (const { eventId, propertyId, status } of accounts) {
                const key = `${orgId} ${propertyId}`
                const flagChanged = (state.customerAccounts.get(key) === "active") !== (status === "active")
                state.customerAccounts.set(key, status)
                if (!flagChanged || !state.leads.has(key)) continue
                recordLeadChange(state, { id: eventId, orgId, propertyId, byAgent, occurredAt: now }, recordedAt)
              }
              return Effect.void
            })
        )
      )
    })
  })
)

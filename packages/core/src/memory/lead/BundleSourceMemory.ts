/** `BundleSource` in memory. */
import { Effect, Layer, Option } from "effect"
import { type AttachedFirm, BundleSource, type BundleTask, mostOfBundle } from "../../lead/BundleSource.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { listedFirms } from "../Listed.ts"
import { MemoryState } from "../MemoryState.ts"
import { compareBy, readingOf } from "../property/PropertyReading.ts"

const roles: ReadonlyArray<AttachedFirm["role"]> = ["owner", "property_manager", "operator", "tenant"]

interface Dated {
  readonly id: string
  readonly createdAt: string
}

/** The newest first, then by id. */
export const newestFirst = compareBy<Dated>(
  (left, right) => compareText(right.createdAt, left.createdAt),
  (left, right) => compareText(left.id, right.id)
)

const openFirst = compareBy<BundleTask>(
  (left, right) => Number(right.status === "open") - Number(left.status === "open"),
  newestFirst
)

/** `BundleSource` in memory. */
export const layer: Layer.Layer<BundleSource, never, MemoryState> = Layer.effect(
  BundleSource,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return BundleSource.of({
      read: Effect.fn("BundleSource.read")((ref, orgId) =>
        Effect.sync(() => {
          const reading = readingOf(state, orgId)
          return Option.map(Option.fromUndefinedOr(reading.find(ref)), (stored) => {
            const kept = `${orgId} ${stored.id}`
            return {
              property: reading.property(stored),
              contacts: reading.attachedContacts(stored.id),
              firms: listedFirms(state, stored.id).toSorted(compareBy(
                (left, right) => roles.indexOf(left.role) - roles.indexOf(right.role),
                (left, right) => compareText(left.id, right.id)
              )),
              lead: state.leads.get(kept) ?? null,
              notes: (state.notes.get(kept) ?? []).toSorted(newestFirst).slice(0, mostOfBundle)
                .map(({ authorId: _, ...note }) => note),
              tasks: (state.tasks.get(kept) ?? []).toSorted(openFirst).slice(0, mostOfBundle)
                .map(({ assigneeId: _, ...task }) => task),
              customerAccountStatus: state.customerAccounts.get(kept) ?? null
            }
          })
        })
      )
    })
  })
)

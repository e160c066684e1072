/** `LeadFeed` in memory. */
import { Effect, Layer } from "effect"
import { contains } from "../../coverage/Territory.ts"
import { LeadFeed } from "../../lead/LeadFeed.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState, type StoredEvent } from "../MemoryState.ts"
import { survivorOf } from "../property/Survivor.ts"

const microsOf = (event: StoredEvent): number => Math.round(event.createdAt * 1000)

/** `LeadFeed` in memory. */
export const layer: Layer.Layer<LeadFeed, never, MemoryState> = Layer.effect(
  LeadFeed,
  Effect.gen(function*() {
    const state = yield* MemoryState

    return LeadFeed.of({
      page: Effect.fn("LeadFeed.page")(({ from, limit, orgId, recordedBefore, visible }) =>
        Effect.sync(() => {
          const starts = (event: StoredEvent): boolean => {
            if (from._tag === "Since") return from.since === null || event.createdAt >= from.since
            const position = Number(from.position.createdAt)
            return microsOf(event) > position || microsOf(event) === position && event.id > from.position.eventId
          }
          const events = [...state.events.values()].flatMap((event) => {
            const property = survivorOf(state, event.propertyId)
            const shown = event.orgId === orgId && event.type === "lead.qualified" && !event.test &&
              event.createdAt <= recordedBefore && starts(event)
            return shown && property !== undefined && property.retiredInto === null &&
                contains(visible, property.countyFips)
              ? [{ event, propertyId: property.id }]
              : []
          }).sort((left, right) =>
            left.event.createdAt - right.event.createdAt || (left.event.id < right.event.id ? -1 : 1)
          )
          const page = events.slice(0, limit)
          const last = page.at(-1)?.event
          return {
            items: page.map(({ event, propertyId }) => ({
              event_id: event.id,
              property_id: propertyId,
              event_type: "lead.qualified" as const,
              qualified_at: isoOf(event.occurredAt),
              created_at: isoOf(event.createdAt)
            })),
            last: last === undefined ? null : { createdAt: String(microsOf(last)), eventId: last.id },
            hasMore: events.length > limit
          }
        })
      )
    })
  })
)

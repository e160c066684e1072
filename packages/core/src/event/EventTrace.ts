/**
 * The trace of an event: everything that is done to deliver it, in whichever process and at whichever attempt. Its id is
 * the event's, without the dashes, so that neither has to be kept for the other.
 */
import { Effect, Option, Tracer } from "effect"

const traceIdOf = (eventId: string): string => eventId.replaceAll("-", "").toLowerCase()

/** What all spans of the event have as their parent. */
export const rootOf = (eventId: string): Tracer.ExternalSpan => {
  const traceId = traceIdOf(eventId)
  return Tracer.externalSpan({ traceId, spanId: traceId.slice(-16), sampled: true })
}

/** Begins the trace, with a link to what recorded the event. */
export const recorded = (eventId: string, eventType: string): Effect.Effect<void> =>
  Effect.flatMap(Effect.option(Effect.currentSpan), (current) =>
    Effect.withSpan(Effect.void, "event.recorded", {
      parent: rootOf(eventId),
      kind: "producer",
      links: Option.match(current, { onNone: () => [], onSome: (span) => [{ span, attributes: {} }] }),
      attributes: { event_id: eventId, event_type: eventType }
    }))

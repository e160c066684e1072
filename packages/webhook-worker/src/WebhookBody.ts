/**
 * The body of a webhook: an envelope around data that was built once.
 *
 * The data is put in as the text that was stored, never parsed and written again, so that every attempt carries the same
 * bytes of it; only `created_at` differs.
 */
import { DateTime } from "effect"

export interface WebhookContent {
  readonly eventId: string
  /** The event in the feed, whichever endpoint it goes to. */
  readonly feedEventId: string
  readonly eventType: string
  readonly test: boolean
  /** JSON text. */
  readonly data: string
}

const encoder = new TextEncoder()

/** `signedAt`: milliseconds. */
export const encode = (
  { data, eventId, eventType, feedEventId, test }: WebhookContent,
  signedAt: number
): Uint8Array => {
  const envelope = {
    event_id: eventId,
    feed_event_id: feedEventId,
    event_type: eventType,
    created_at: DateTime.formatIso(DateTime.makeUnsafe(signedAt)),
    test
  }
  return encoder.encode(`${JSON.stringify(envelope).slice(0, -1)},"data":${data}}`)
}

/** Examples of the endpoints about events. All data is made up. */
import { ListEvents } from "@freehold/core/event/EventOperations"
import { example } from "./Example.ts"

export const eventExamples = [
  example(ListEvents, { days: 7, limit: 50, eventType: "lead.changed" }, {
    events: [{
      id: "5d3f8f0e-7c1c-4b4e-9b53-0a8a5b1d5a10",
      type: "lead.changed",
      property_id: "984d985b-cf50-5a37-86a9-2c9c6d63499b",
      subject_type: "property",
      subject_id: "984d985b-cf50-5a37-86a9-2c9c6d63499b",
      withdraws_event_id: null,
      status: "skipped",
      skip_reason: "record_only",
      by_agent: true,
      occurred_at: "2026-11-22T09:15:04.120Z",
      fanned_out_at: null,
      test: false
    }],
    total: 1,
    next_cursor: null
  })
] as const

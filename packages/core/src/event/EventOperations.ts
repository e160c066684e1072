/** What can be asked of events. service-api "GET /events". */
import { Schema } from "effect"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import * as Operation from "../operation/Operation.ts"
import { Cursor } from "../operation/PageCursor.ts"
import { ReducedLimit } from "../operation/ReducedLimit.ts"
import { SubscribableEvent } from "./SubscribableEvent.ts"

/** Kinds of events that can be asked for. */
export const EventType = Schema.Literals(["lead.changed", ...SubscribableEvent.literals])

const Text = Schema.NullOr(Schema.String)

/** GET /events. */
export const ListEvents = Operation.make("service_list_events", {
  title: "Recent events",
  description: "Free. Events, newest first, and their delivery.",
  input: Schema.Struct({
    days: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 90 })).annotate({ description: "30 by default." })
    ),
    limit: Schema.optionalKey(ReducedLimit.annotate({ description: "Default 50, at most 200." })),
    eventType: Schema.optionalKey(EventType),
    cursor: Schema.optionalKey(Cursor)
  }),
  output: Schema.Struct({
    events: Schema.Array(Schema.Struct({
      id: Schema.String,
      type: Schema.String,
      property_id: Text,
      subject_type: Text,
      subject_id: Text,
      withdraws_event_id: Text,
      status: Schema.Literals(["pending", "fanned_out", "skipped"]),
      skip_reason: Text,
      by_agent: Schema.Boolean,
      occurred_at: Schema.String,
      fanned_out_at: Text,
      test: Schema.Boolean
    })),
    total: Schema.Int,
    next_cursor: Schema.NullOr(Schema.String)
  }),
  refusals: [InvalidCursor],
  access: { scope: "events:read", plan: "team" },
  effect: "read"
})

/**
 * Lists recent events. Change events are shown only where they are switched on; a member with a territory of their own
 * sees the events about properties in it.
 */
import { Clock, Effect, Schema } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import * as PageCursor from "../operation/PageCursor.ts"
import { EventLog, type LoggedEvent } from "./EventLog.ts"
import type { ListEvents } from "./EventOperations.ts"

const defaultDays = 30
const dayMillis = 86_400_000
const defaultLimit = 50
const maximumLimit = 200

/** From when on the first page began, and the last event that was shown. */
const Position = Schema.Tuple([Schema.Finite, Schema.String, PageCursor.ShortId])

export const make = Effect.gen(function*() {
  const log = yield* EventLog
  const cursors = yield* PageCursor.make(Position)

  const list: HandlerOf<typeof ListEvents> = Effect.fn("EventReader.list")(
    function*({ cursor, days = defaultDays, eventType = null, limit: asked = defaultLimit }) {
      const caller = yield* Caller
      const { org_id: orgId } = caller.organization
      const question = ["events", orgId, days, eventType]
      const position = yield* cursors.open(cursor, question)
      const [since, ...last] = position ?? [(yield* Clock.currentTimeMillis) - days * dayMillis]
      const [occurredAt, eventId] = last
      const limit = Math.min(asked, maximumLimit)
      const { events, total } = yield* log.recent(orgId, {
        since,
        type: eventType,
        signals: caller.organization.features.signals,
        visible: caller.territory === null ? null : Territory.visible(caller),
        after: occurredAt === undefined || eventId === undefined ? null : { occurredAt, eventId },
        limit: limit + 1
      })
      const page = yield* cursors.page(events, {
        limit,
        question,
        position: ({ position }: LoggedEvent) => [since, position.occurredAt, position.eventId] as const
      })
      return { events: page.rows.map(({ event }) => event), total, next_cursor: page.next }
    }
  )

  return { list }
})

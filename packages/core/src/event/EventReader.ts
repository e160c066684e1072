/**
 * Lists recent events. Change events are shown only where they are switched on; a member with a territory of their own
 * sees the events about properties in it.
 */
import { Clock, Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { EventLog } from "./EventLog.ts"
import type { ListEvents } from "./EventOperations.ts"

const defaultDays = 30
const dayMillis = 86_400_000
const defaultLimit = 50
const maximumLimit = 200

export const make = Effect.gen(function*() {
  const log = yield* EventLog

  const list: HandlerOf<typeof ListEvents> = Effect.fn("EventReader.list")(
    function*({ days = defaultDays, eventType = null, limit = defaultLimit }) {
      const caller = yield* Caller
      return yield* log.recent(caller.organization.org_id, {
        since: (yield* Clock.currentTimeMillis) - days * dayMillis,
        type: eventType,
        signals: caller.organization.features.signals,
        visible: caller.territory === null ? null : Territory.visible(caller),
        limit: Math.min(limit, maximumLimit)
      })
    }
  )

  return { list }
})

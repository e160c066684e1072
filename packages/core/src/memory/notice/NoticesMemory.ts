/** `Notices` in memory. */
import { Clock, Duration, Effect, Layer } from "effect"
import { mailLife } from "../../notice/NoticeMails.ts"
import { type MailState, Notices, retention } from "../../notice/Notices.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState, type State, type StoredNotice } from "../MemoryState.ts"

const dayOf = (millis: number): number => Math.floor(millis / 86_400_000)

/** Keeps a notice, unless its cause was told on this day before. */
export const keepNotice = (
  state: State,
  { now, ...notice }: Parameters<Notices["Service"]["record"]>[0]
): boolean => {
  const { cause, kind, orgId } = notice
  const isKnown = state.notices.some((each) =>
    each.orgId === orgId && each.kind === kind && each.cause === cause && dayOf(each.at) === dayOf(now)
  )
  if (isKnown) return false
  const oldest = now - Duration.toMillis(retention)
  const kept = state.notices.filter((each) => each.orgId !== orgId || each.at > oldest)
  const fresh = { ...notice, at: now, mailDueAt: now, mailAttempts: 0, mailEnded: [], mailFault: null }
  state.notices.splice(0, state.notices.length, ...kept, fresh)
  return true
}

const mailOf = ({ at, mailDueAt, mailEnded, mailFault }: StoredNotice, now: number): MailState =>
  mailDueAt !== null && at > now - Duration.toMillis(mailLife)
    ? "waiting"
    : mailFault !== null
    ? "given_up"
    : mailEnded.length > 0
    ? "sent"
    : "none"

/** `Notices` over the state in memory. */
export const layer: Layer.Layer<Notices, never, MemoryState> = Layer.effect(
  Notices,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return Notices.of({
      record: Effect.fn("Notices.record")((notice) => Effect.sync(() => keepNotice(state, notice))),
      list: Effect.fn("Notices.list")(function*({ kinds, limit, offset, orgId }) {
        const now = yield* Clock.currentTimeMillis
        const all = state.notices.filter((each) =>
          (orgId === null || each.orgId === orgId) && (kinds === undefined || kinds.includes(each.kind))
        ).toReversed()
        return {
          notices: all.slice(offset, offset + limit).map((each) => ({
            id: each.id,
            orgId: each.orgId,
            kind: each.kind,
            text: each.text,
            createdAt: isoOf(each.at),
            mail: mailOf(each, now)
          })),
          total: all.length
        }
      })
    })
  })
)

/** `NoticeMails` in memory. */
import { Duration, Effect, Layer } from "effect"
import { mailLife, NoticeMails } from "../../notice/NoticeMails.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState, type StoredNotice } from "../MemoryState.ts"

/** `NoticeMails` over the state in memory. */
export const layer: Layer.Layer<NoticeMails, never, MemoryState> = Layer.effect(
  NoticeMails,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const change = (id: string, attempt: number, by: (notice: StoredNotice) => Partial<StoredNotice>) =>
      Effect.sync(() => {
        const index = state.notices.findIndex((each) => each.id === id && each.mailAttempts === attempt)
        const found = state.notices[index]
        if (found !== undefined) state.notices[index] = { ...found, ...by(found) }
      })
    const adminsOf = (orgId: string | null) =>
      orgId === null ?
        [] :
        (state.members.get(orgId) ?? []).filter(({ role, status }) => role === "admin" && status === "active").map((
          { email }
        ) => email)

    return NoticeMails.of({
      claim: Effect.fn("NoticeMails.claim")(({ lease, limit, now }) =>
        Effect.sync(() => {
          const due = state.notices.filter(({ at, mailDueAt }) =>
            mailDueAt !== null && mailDueAt <= now && at > now - Duration.toMillis(mailLife)
          ).toSorted((left, right) => (left.mailDueAt ?? 0) - (right.mailDueAt ?? 0)).slice(0, limit)
          return due.map((each) => {
            const attempt = each.mailAttempts + 1
            state.notices[state.notices.indexOf(each)] = {
              ...each,
              mailAttempts: attempt,
              mailDueAt: now + Duration.toMillis(lease)
            }
            return {
              id: each.id,
              orgId: each.orgId,
              kind: each.kind,
              text: each.text,
              createdAt: isoOf(each.at),
              attempt,
              ended: each.mailEnded,
              admins: adminsOf(each.orgId)
            }
          })
        })
      ),
      end: ({ attempt, id }, address, fault) =>
        change(id, attempt, ({ mailEnded, mailFault }) => ({
          mailEnded: [...mailEnded, address],
          mailFault: fault ?? mailFault
        })),
      settle: ({ attempt, id }, again) => change(id, attempt, () => ({ mailDueAt: again })),
      giveUp: ({ attempt, id }, fault) => change(id, attempt, () => ({ mailDueAt: null, mailFault: fault }))
    })
  })
)

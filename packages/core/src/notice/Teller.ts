/** Tells somebody: keeps a notice, and goes on when it cannot be kept. */
import { Cause, Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { OrganizationId } from "../organization/Organization.ts"
import { type NoticeKind, Notices } from "./Notices.ts"

/** What is to be told. `cause`: whom or what it is about, in the kind; told once a day. */
export interface Told {
  readonly orgId: OrganizationId | null
  readonly kind: NoticeKind
  readonly cause: string
  readonly text: string
}

/** A text of somebody else's, and a fault, are told no longer than this. */
const longest = 1000

/** Tells, and never fails: what happened is done, whether somebody is told or not. */
export const make = Effect.gen(function*() {
  const notices = yield* Notices
  const random = yield* SecureRandom.SecureRandom
  return Effect.fn("Teller.tell")(
    function*({ text, ...told }: Told) {
      const id = yield* random.uuidV7()
      yield* notices.record({ ...told, text: text.slice(0, longest), id, now: yield* Clock.currentTimeMillis })
    },
    (telling, { kind }) =>
      Effect.catchCause(telling, (cause) =>
        Cause.hasInterrupts(cause)
          ? Effect.interrupt
          : Effect.logWarning(`nobody could be told of ${kind}`, cause))
  )
})

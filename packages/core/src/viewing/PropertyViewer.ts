/**
 * Opens pages of properties for members in the app, as long as it looks like reading.
 *
 * What cannot be seen is refused before it is counted. When a pause begins, the organization's admins and the operator are
 * told, once a day and member.
 */
import { Clock, DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import type { AttachedContact } from "../contact/Contact.ts"
import { lockedContact } from "../contact/ContactView.ts"
import { Notices } from "../notice/Notices.ts"
import type { RefusalOf } from "../operation/Operation.ts"
import type { GetProperty } from "../property/PropertyOperations.ts"
import { secondsUntil } from "../rate/RateWindow.ts"
import { pauseMillis, viewingWindows } from "./FairUse.ts"
import { PageViews } from "./PageViews.ts"
import { type OpenProperty, ViewingPaused } from "./ViewingOperations.ts"

type Detail = (typeof GetProperty)["output"]["Encoded"]

/** `read`: what is shown of a property, and who of its people is still locked. */
export const make = Effect.fnUntraced(function*(
  read: (input: (typeof GetProperty)["input"]["Type"]) => Effect.Effect<
    { readonly detail: Detail; readonly locked: ReadonlyArray<AttachedContact> },
    RefusalOf<typeof GetProperty>,
    Caller
  >
) {
  const views = yield* PageViews
  const notices = yield* Notices
  const random = yield* SecureRandom.SecureRandom

  const open: HandlerOf<typeof OpenProperty> = Effect.fn("PropertyViewer.open")(function*(input) {
    const caller = yield* Caller
    const { organization: { org_id: orgId } } = caller
    const member = Acting.member(caller)
    if (member === null) return yield* Effect.die("a key opens no pages of the app")
    const { detail, locked } = yield* read(input)
    const shown = { ...detail, locked_contacts: locked.map(lockedContact) }
    // What the operator sees as a member is nothing that the member opened.
    if (caller.kind === "member" && caller.seenBy !== undefined) return shown
    const now = yield* Clock.currentTimeMillis
    const { memberId } = member
    const outcome = yield* views.open({
      orgId,
      memberId,
      propertyId: detail.property.id,
      windows: viewingWindows,
      pauseMillis,
      now
    })
    if (outcome._tag === "Opened") return shown
    const until = DateTime.formatIso(DateTime.makeUnsafe(outcome.until))
    if (outcome.began) {
      const text = `Property pages of ${member.name} are paused until ${until}: many were opened in a short time.`
      yield* notices.record({ id: yield* random.uuidV7(), orgId, kind: "viewing_paused", cause: memberId, text, now })
      yield* Effect.logWarning("Fair use paused the pages of a member").pipe(
        Effect.annotateLogs({ org_id: orgId, member: memberId, until })
      )
    }
    return yield* new ViewingPaused({ until, retryAfterSeconds: secondsUntil(outcome.until, now) })
  })

  return { open }
})

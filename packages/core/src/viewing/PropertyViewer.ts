/**
 * Opens pages of properties for members in the app, as long as it looks like reading.
 *
 * Whoever the organization has by another property of theirs is shown openly here, as on the person's own page: nothing would
 * be left to pay for. What cannot be seen is refused before it is counted. When a pause begins, the organization's admins and the operator are
 * told, once a day and member.
 */
import { Clock, DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import type { AttachedContact } from "../contact/Contact.ts"
import { contactsSummary, lockedContact, revealedContact } from "../contact/ContactView.ts"
import { isOpen } from "../coverage/OpenContact.ts"
import { Standings } from "../coverage/Standings.ts"
import { Notices } from "../notice/Notices.ts"
import type { RefusalOf } from "../operation/Operation.ts"
import type { Organization } from "../organization/Organization.ts"
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
  const standings = yield* Standings
  const notices = yield* Notices
  const random = yield* SecureRandom.SecureRandom

  /** The page with those of the locked people shown who are open to the organization elsewhere. */
  const opened = Effect.fnUntraced(function*(
    { detail, locked }: { readonly detail: Detail; readonly locked: ReadonlyArray<AttachedContact> },
    organization: Organization
  ) {
    if (locked.length === 0) return { ...detail, locked_contacts: [] }
    const asked = { orgId: organization.org_id, properties: [], contacts: locked.map(({ id }) => id) }
    const { contacts: found } = yield* standings.read(asked)
    const openIds = new Set(found.filter((each) => isOpen(each, organization)).map(({ id }) => id))
    const closed = locked.filter(({ id }) => !openIds.has(id))
    const contacts = [...detail.contacts, ...locked.filter(({ id }) => openIds.has(id)).map(revealedContact)]
    return {
      ...detail,
      contacts,
      contactsSummary: contactsSummary(contacts.length + closed.length, closed),
      locked_contacts: closed.map(lockedContact)
    }
  })

  const open: HandlerOf<typeof OpenProperty> = Effect.fn("PropertyViewer.open")(function*(input) {
    const caller = yield* Caller
    const { organization } = caller
    const { org_id: orgId } = organization
    const member = Acting.member(caller)
    if (member === null) return yield* Effect.die("a key opens no pages of the app")
    const shown = yield* opened(yield* read(input), organization)
    // What the operator sees as a member is nothing that the member opened.
    if (caller.kind === "member" && caller.seenBy !== undefined) return shown
    const now = yield* Clock.currentTimeMillis
    const { memberId } = member
    const outcome = yield* views.open({
      orgId,
      memberId,
      propertyId: shown.property.id,
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

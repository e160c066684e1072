/** Reads one contact and reveals one for 5 credits. */
import { Clock, Effect, Option } from "effect"
import { Caller } from "../access/Caller.ts"
import { keyActor } from "../access/KeyActor.ts"
import type { Organization } from "../access/Organization.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { Ledger } from "../credit/Ledger.ts"
import { prices } from "../credit/Price.ts"
import type { HandlerOf } from "../operation/Operation.ts"
import type { GetContact, RevealContact } from "./ContactOperations.ts"
import { Contacts, type ContactStanding } from "./Contacts.ts"
import { contact, revealResult, rightsOf } from "./ContactView.ts"
import { decideReveal } from "./RevealDecision.ts"

/** A contact of at least one property that the organization sees. */
const visible = Effect.fnUntraced(function*(
  found: Option.Option<ContactStanding>,
  organization: Organization
): Effect.fn.Return<ContactStanding, NotFound> {
  return Option.isSome(found) && rightsOf(found.value, organization).visible
    ? found.value
    : yield* new NotFound({ resource: "contact" })
})

export const make = Effect.gen(function*() {
  const contacts = yield* Contacts
  const ledger = yield* Ledger

  const read: HandlerOf<typeof GetContact> = Effect.fn("ContactReader.read")(function*({ id }) {
    const { organization } = yield* Caller
    const found = yield* contacts.read(id.toLowerCase(), organization.org_id)
    return contact(yield* visible(found, organization), organization)
  })

  const reveal: HandlerOf<typeof RevealContact> = Effect.fn("ContactReader.reveal")(function*(input) {
    const caller = yield* Caller
    const { organization } = caller
    const found = yield* contacts.read(input.id.toLowerCase(), organization.org_id)
    const standing = yield* visible(found, organization)
    const { covered, openedByProperty, paid } = rightsOf(standing, organization)
    const person = revealResult(standing.contact)
    // What is already the organization's takes no lock.
    if (paid || standing.access === "free" && (openedByProperty || covered)) {
      return { contact: person, creditsCharged: 0, alreadyRevealed: true }
    }
    const now = yield* Clock.currentTimeMillis
    const outcome = yield* ledger.transact(
      {
        orgId: organization.org_id,
        subject: { _tag: "Contact", contactId: standing.contact.id },
        exclusive: true,
        now
      },
      (snapshot) =>
        decideReveal(snapshot, {
          contactId: standing.contact.id,
          covered,
          price: prices.reveal_contact,
          maxCredits: input.maxCredits,
          actor: keyActor(caller),
          requestId: caller.requestId,
          now
        })
    )
    return { contact: person, ...outcome }
  })

  return { read, reveal }
})

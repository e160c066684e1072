/** Reads one contact, with or without its properties alone, and reveals one for 5 credits. */
import { Clock, Effect, Option } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { Ledger } from "../credit/Ledger.ts"
import * as Meter from "../credit/Meter.ts"
import { prices } from "../credit/Price.ts"
import * as Receipt from "../credit/Receipt.ts"
import { ofCaller, queryOf } from "../limit/Limits.ts"
import { foreseeing, type RecordsAhead } from "../limit/Metering.ts"
import { tell } from "../limit/Takings.ts"
import type { RecordRef } from "../limit/Usage.ts"
import type { GetContact, GetContactRelationships, RevealContact } from "./ContactOperations.ts"
import { Contacts, type ContactStanding } from "./Contacts.ts"
import { isOpenUnpaid, isRevealed, lockedView, openView, relationships, revealResult, rightsOf } from "./ContactView.ts"
import { decideReveal } from "./RevealDecision.ts"

/** A contact of at least one visible property. */
const visible = Effect.fnUntraced(function*(
  found: Option.Option<ContactStanding>,
  perspective: Territory.Perspective
): Effect.fn.Return<ContactStanding, NotFound> {
  return Option.isSome(found) && rightsOf(found.value, perspective).visible
    ? found.value
    : yield* new NotFound({ resource: "contact" })
})

/** What is left of the records once those that were needed are taken. */
const leftOf = ({ records }: { readonly records?: RecordsAhead }) =>
  records === undefined ? {} : { records: { needed: 0, remaining: records.remaining - records.needed } }

export const make = Effect.gen(function*() {
  const contacts = yield* Contacts
  const ledger = yield* Ledger
  const meter = yield* Meter.make

  /** Counts that the person is delivered; `covered`: only because the subscription covers one of the properties. */
  const meterPerson = (contactId: string, covered: boolean, now: number) =>
    meter.read({
      subject: { _tag: "Contact", contactId },
      covered: covered ? [contactId] : [],
      whole: true,
      records: [{ kind: "contact", id: contactId }]
    }, now)

  const read: HandlerOf<typeof GetContact> = Effect.fn("ContactReader.read")(function*({ id }) {
    const caller = yield* Caller
    const { organization } = caller
    const now = yield* Clock.currentTimeMillis
    const found = yield* contacts.read(id.toLowerCase(), organization.org_id)
    const standing = yield* visible(found, caller)
    const rights = rightsOf(standing, caller)
    if (!isRevealed(rights)) return lockedView(standing, caller)
    yield* meterPerson(standing.contact.id, isOpenUnpaid(rights), now)
    const seen = standing.relationships.filter(({ countyFips }) => Territory.sees(caller, countyFips))
    const last = yield* contacts.lastWritten(organization.org_id, {
      contactIds: [standing.contact.id],
      propertyIds: seen.map(({ propertyId }) => propertyId)
    })
    return openView(standing, caller, last)
  })

  const properties: HandlerOf<typeof GetContactRelationships> = Effect.fn("ContactReader.properties")(
    function*({ id }) {
      const caller = yield* Caller
      const found = yield* contacts.read(id.toLowerCase(), caller.organization.org_id)
      const standing = yield* visible(found, caller)
      return { relationships: relationships(standing.relationships, caller) }
    }
  )

  const reveal: HandlerOf<typeof RevealContact> = Effect.fn("ContactReader.reveal")(function*(input) {
    const caller = yield* Caller
    const { organization } = caller
    const now = yield* Clock.currentTimeMillis
    const found = yield* contacts.read(input.id.toLowerCase(), organization.org_id)
    const standing = yield* visible(found, caller)
    const { covered, openedByProperty, paid } = rightsOf(standing, caller)
    const person = revealResult(standing.contact)
    // What is already the organization's is revealed again, though it may be a record that this period has not had yet.
    if (paid || standing.access === "free" && (openedByProperty || covered)) {
      const [balance] = yield* Effect.all([
        ledger.balance(organization.org_id, now),
        meterPerson(standing.contact.id, false, now)
      ], { concurrency: 2 })
      yield* Receipt.tell(Receipt.nothingCharged(balance))
      return { contact: person, creditsCharged: 0, alreadyRevealed: true }
    }
    const contactId = standing.contact.id
    const limits = ofCaller(caller, now)
    const asked: ReadonlyArray<RecordRef> = [{ kind: "contact", id: contactId }]
    const reading = foreseeing(limits, asked)
    const { value: { records, ...outcome }, ...left } = yield* ledger.transact(
      {
        orgId: organization.org_id,
        subject: { _tag: "Contact", contactId },
        exclusive: true,
        now,
        usage: queryOf(limits, { contacts: [contactId], records: asked })
      },
      Receipt.withRemaining(
        reading.deciding((snapshot) =>
          decideReveal(snapshot, {
            contactId,
            covered,
            limits,
            price: prices.reveal_contact,
            maxCredits: input.maxCredits,
            actor: Acting.actor(caller),
            requestId: caller.requestId,
            now
          })
        ),
        limits
      )
    ).pipe(
      Effect.catchTag("COST_CONFIRMATION_REQUIRED", (refusal) => Effect.fail(refusal.telling(reading.told())))
    )
    yield* tell(records)
    yield* Receipt.tell({ charged: outcome.creditsCharged, ...left })
    // The answer is the reading: what it took is told, and left.
    return { contact: person, ...outcome, ...leftOf(reading.told()) }
  })

  return { properties, read, reveal }
})

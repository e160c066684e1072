/** Finds what a caller wants researched, and refuses what the caller does not see or has not opened. */
import { Clock, Effect, Option } from "effect"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import { Contacts, type ContactStanding } from "../contact/Contacts.ts"
import { isRevealed, rightsOf } from "../contact/ContactView.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import { total } from "../credit/Bucket.ts"
import { Ledger } from "../credit/Ledger.ts"
import { prices } from "../credit/Price.ts"
import { Firms } from "../firm/Firms.ts"
import { invalid } from "../operation/InvalidInput.ts"
import * as PropertyRef from "../property/PropertyRef.ts"
import * as VisibleProperty from "../property/VisibleProperty.ts"
import { isOpen, seenTies, tieTo } from "./ContactTie.ts"
import { maximumBatch } from "./ResearchOperations.ts"
import {
  BatchTooLarge,
  ContactRevealRequired,
  DoNotContact,
  PropertyUnlockRequired,
  StrategyRequired
} from "./ResearchRefusals.ts"
import { type Candidate, ResearchRuns } from "./ResearchRuns.ts"

const unique = <A>(values: ReadonlyArray<A>, keyOf: (value: A) => string): ReadonlyArray<A> => [
  ...new Map(values.map((value) => [keyOf(value), value])).values()
]

const refText = (ref: PropertyRef.PropertyRef): string => ref._tag === "Id" ? ref.id : ref.key

/** Why a property of a batch is left out; null: it is not. `beyond`: survivors of merged ones that the caller is not told of. */
const unsuited = (
  candidate: Candidate | undefined,
  caller: CallerFacts,
  beyond: ReadonlySet<string>
): string | null => {
  if (candidate === undefined) return "NOT_FOUND"
  if (!Territory.sees(caller, candidate.countyFips)) return "OUT_OF_TERRITORY"
  if (candidate.retiredInto !== null) return beyond.has(candidate.retiredInto) ? "OUT_OF_TERRITORY" : "PROPERTY_RETIRED"
  if (candidate.researching) return "ALREADY_RESEARCHING"
  const open = candidate.access === "paid" || Territory.covers(caller.organization, candidate.countyFips)
  return candidate.researched && open ? "ALREADY_RESEARCHED" : null
}

/** What is said of a property that the contact has nothing to do with. */
export const notOfContact = "Expected a property of the contact"

/** Of the ties, the properties that may be read. */
const openTies = (ties: ContactStanding["relationships"], { organization }: CallerFacts): ReadonlyArray<string> =>
  ties.flatMap((tie) => isOpen(tie, organization) ? [tie.propertyId] : [])

export const make = Effect.gen(function*() {
  const runs = yield* ResearchRuns
  const contacts = yield* Contacts
  const firms = yield* Firms
  const ledger = yield* Ledger
  const visible = yield* VisibleProperty.make

  /** A property that the caller sees. */
  const property = Effect.fnUntraced(function*(id: string) {
    const caller = yield* Caller
    const [found] = yield* runs.candidates(caller.organization.org_id, [PropertyRef.parse(id)])
    return yield* visible(Option.fromUndefinedOr(found), caller)
  })

  /** Of what was merged, the survivors beyond the caller's own territory, as `VisibleProperty` has it for one. */
  const survivorsBeyond = Effect.fnUntraced(function*(candidates: ReadonlyArray<Candidate>) {
    const caller = yield* Caller
    const merged = caller.territory === null ? [] : candidates.flatMap(({ retiredInto }) => retiredInto ?? [])
    const survivors = merged.length === 0
      ? []
      : yield* runs.candidates(caller.organization.org_id, unique(merged.map(PropertyRef.parse), refText))
    return new Set(survivors.flatMap(({ countyFips, id }) => Territory.sees(caller, countyFips) ? [] : [id]))
  })

  /** The properties of a selection that may be researched, and why the others may not. */
  const selection = Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
    const caller = yield* Caller
    const refs = unique(ids.map(PropertyRef.parse), refText)
    if (refs.length > maximumBatch) return yield* new BatchTooLarge({ maximum: maximumBatch, given: refs.length })
    const candidates = yield* runs.candidates(caller.organization.org_id, refs)
    const found = new Map(candidates.map((each) => [refText(each.ref), each]))
    const beyond = yield* survivorsBeyond(candidates)
    const each = refs.map((ref) => {
      const id = refText(ref)
      const candidate = found.get(id)
      return { id, candidate, reason: unsuited(candidate, caller, beyond) }
    })
    // An id and a key may name the same property.
    const looked = unique(each, ({ candidate, id }) => candidate?.id ?? id)
    return {
      looked,
      chosen: looked.flatMap(({ candidate, reason }) => candidate === undefined || reason !== null ? [] : [candidate]),
      skipped: looked.flatMap(({ id, reason }) => reason === null ? [] : [{ id, reason }])
    }
  })

  /** A contact whom the caller sees. */
  const seenContact = Effect.fnUntraced(function*(id: string) {
    const caller = yield* Caller
    const found = yield* contacts.read(id.toLowerCase(), caller.organization.org_id)
    return Option.isSome(found) && rightsOf(found.value, caller).visible
      ? found.value
      : yield* new NotFound({ resource: "contact" })
  })

  /** What there is to spend, where it is less than the price. */
  const lacking = Effect.fnUntraced(function*(price: number) {
    const { organization: { org_id: orgId } } = yield* Caller
    const available = total((yield* ledger.balance(orgId, yield* Clock.currentTimeMillis)).balance)
    return available < price ? { available } : {}
  })

  /** A contact whose details the organization may read, and whom the caller sees. */
  const contact = Effect.fnUntraced(function*(id: string) {
    const caller = yield* Caller
    const standing = yield* seenContact(id)
    if (isRevealed(rightsOf(standing, caller))) return standing
    const locked = standing.relationships.find((each) => each.researched && Territory.sees(caller, each.countyFips))
    const lack = yield* lacking(prices.reveal_contact)
    return yield* locked === undefined
      ? new ContactRevealRequired(lack)
      : new PropertyUnlockRequired({ property_id: locked.propertyId, contact_id: standing.contact.id, ...lack })
  })

  /**
   * The properties that deep research or a draft about a contact may be about: the one that is asked for; else the one that was
   * unlocked or moved in the pipeline last; else any that the caller sees. Ids, the one to begin with first. Each of them is open:
   * what may not be read is not written about. The tie comes before what must be opened for it, so that nobody pays for what
   * comes to nothing.
   */
  const placesOf = Effect.fnUntraced(function*(standing: ContactStanding, asked: string | undefined) {
    const caller = yield* Caller
    const { relationships } = standing
    const about = asked === undefined
      ? seenTies(relationships, caller)
      : Option.toArray(tieTo(relationships, (yield* property(asked)).id))
    const [first] = about
    if (first === undefined) return yield* invalid("property_id", notOfContact)
    const open = openTies(about, caller)
    if (open.length === 0) {
      const { propertyId: property_id, researched } = about.find((tie) => tie.researched) ?? first
      const lack = yield* lacking(researched ? prices.unlock_property : prices.research_property)
      return yield* !researched && !isRevealed(rightsOf(standing, caller))
        ? new ContactRevealRequired({ property_id, ...lack })
        : new PropertyUnlockRequired({ property_id, ...researched ? {} : { researched }, ...lack })
    }
    const last = open.length === 1 ? Option.none() : yield* runs.takenUp(caller.organization.org_id, open)
    return Option.match(last, { onNone: () => open, onSome: (each) => [each] })
  })

  /** Whom deep research is about, and at which properties. */
  const placed = Effect.fnUntraced(function*(id: string, asked: string | undefined) {
    const standing = yield* seenContact(id)
    return { standing, places: yield* placesOf(standing, asked) }
  })

  /** What deep research found out about the contact and one of the properties. */
  const strategy = Effect.fnUntraced(function*(standing: ContactStanding, propertyIds: ReadonlyArray<string>) {
    const { organization } = yield* Caller
    return yield* runs.strategy(organization.org_id, standing.contact.id, propertyIds)
  })

  /**
   * Whom a draft is written to, and what on: the strategy about the place, else the last one about any that is open, since deep
   * research on the contact is all that a draft needs. What is going on is waited for first: whoever had it begun means its property.
   */
  const addressee = Effect.fnUntraced(function*(id: string, asked: string | undefined) {
    const standing = yield* seenContact(id)
    // Told before anything has to be opened for it.
    if (standing.contact.doNotContact.email) return yield* new DoNotContact({ channel: "email" })
    const places = yield* placesOf(standing, asked)
    const about = yield* strategy(standing, places)
    if (Option.isSome(about)) return { standing, strategy: about.value }
    const caller = yield* Caller
    const others = asked === undefined ? openTies(seenTies(standing.relationships, caller), caller) : []
    const going = yield* runs.underWay(caller.organization.org_id, {
      action: "deep_research_contact",
      subjectId: standing.contact.id,
      propertyIds: [...places, ...others]
    })
    const last = Option.isSome(going) ? Option.none() : yield* strategy(standing, others)
    return Option.isSome(last)
      ? { standing, strategy: last.value }
      : yield* new StrategyRequired({ run_id: Option.getOrNull(going) })
  })

  /** A firm that the caller sees. */
  const firm = Effect.fnUntraced(function*(id: string) {
    const found = yield* firms.ties(id.toLowerCase(), viewerOf(yield* Caller), { after: null, limit: 1 })
    return Option.isSome(found) ? found.value : yield* new NotFound({ resource: "organization" })
  })

  return { property, selection, contact, addressee, placed, strategy, firm }
})

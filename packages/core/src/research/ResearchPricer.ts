/**
 * Tells what an unlock, a reveal or research would cost before it is paid for, and what would refuse it now.
 *
 * What is refused shows its price all the same: 0 says that it is free.
 */
import { Clock, DateTime, Duration, Effect, Option, Result } from "effect"
import * as Acting from "../access/Acting.ts"
import { permitFeature } from "../access/Admission.ts"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { hasUsableEmail, notToContact } from "../contact/Contact.ts"
import { unpaidOf } from "../contact/ContactView.ts"
import { Standings } from "../coverage/Standings.ts"
import * as Territory from "../coverage/Territory.ts"
import { total } from "../credit/Bucket.ts"
import { spendable } from "../credit/BurnDown.ts"
import { allowSpending, ownRemaining } from "../credit/Charge.ts"
import { Ledger } from "../credit/Ledger.ts"
import { look } from "../credit/Look.ts"
import * as Meter from "../credit/Meter.ts"
import { prices } from "../credit/Price.ts"
import { type Limits, ofCaller, queryOf } from "../limit/Limits.ts"
import { allow, recordsAhead } from "../limit/Metering.ts"
import { contactOf, factsOf, propertyOf } from "../lookup/Opening.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { noting } from "../operation/Noting.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import * as PropertyRecords from "../property/PropertyRecords.ts"
import { othersThan } from "./ContactTie.ts"
import { decideLaunch } from "./LaunchDecision.ts"
import { pricedOperations, subjectArgumentOf, subjectArguments, subjectKindOf } from "./PricedAction.ts"
import { isFreeOrRefused, notesOf, type PricedItem } from "./PriceNotes.ts"
import { forewarned } from "./Recipient.ts"
import type { PriceResearch } from "./ResearchOperations.ts"
import * as ResearchRecords from "./ResearchRecords.ts"
import type { ContactRevealRequired, PropertyUnlockRequired } from "./ResearchRefusals.ts"
import { priceOf, type ResearchAction } from "./ResearchRun.ts"
import { type Candidate, ResearchRuns } from "./ResearchRuns.ts"
import * as ResearchSubjects from "./ResearchSubjects.ts"
import * as RunningBatch from "./RunningBatch.ts"

type Input = (typeof PriceResearch)["input"]["Type"]

/** An item with the id of what it is about, however it was named. */
interface Looked extends PricedItem {
  readonly subjectId: string
  /** Of an unlock: how the property stands after it. */
  readonly opened?: PropertyRecords.Opened
}

const shown = ({ opened: _, subjectId: __, ...item }: Looked): PricedItem => item

/** One property is as good as a list of it. */
const listing = (input: Input): Input => {
  const { property_id: property, ...others } = input
  const isOne = property !== undefined && input.property_ids === undefined && subjectKindOf(input.action) === "property"
  return isOne ? { ...others, property_ids: [property] } : input
}

/** How long a quoted price is meant to hold. Prices change with a release, not with time. */
const quoteLife = Duration.minutes(15)

const costs = ({ credits }: PricedItem): boolean => credits > 0

/**
 * What it is refused with that none of the items that cost something is left; null: one is. Of a batch of research, what is
 * refused is left out.
 */
const noneOf = (action: Input["action"], items: ReadonlyArray<PricedItem>): string | null => {
  const priced = items.some(costs) ? items.filter(costs) : items
  const [first] = priced
  if (first === undefined) return "EMPTY_SELECTION"
  if (priced.some(({ refused }) => refused === null)) return null
  return action === "research_property" && priced.length > 1 ? "EMPTY_SELECTION" : first.refused
}

/** What would be charged; where all is refused, what it would cost otherwise. */
const projected = (items: ReadonlyArray<PricedItem>): number => {
  const accepted = items.filter(({ refused }) => refused === null)
  // What is free is no price of what is refused.
  return (accepted.some(costs) || !items.some(costs) ? accepted : items).reduce((sum, { credits }) => sum + credits, 0)
}

/** An unlock opens it by payment, unless the subscription covers it. */
const openedOf = ({ access, countyFips, id, researched }: Candidate, { organization }: CallerFacts) => ({
  id,
  paid: access === "paid" || !Territory.covers(organization, countyFips),
  researched
})

/** What must be opened first, and what that costs; nothing where to reveal the contact is enough. */
const openedBy = (refusal: PropertyUnlockRequired | ContactRevealRequired) => {
  const { property_id } = refusal
  if (property_id === undefined || "contact_id" in refusal && refusal.contact_id !== undefined) return {}
  const isResearched = refusal._tag === "PROPERTY_UNLOCK_REQUIRED" && refusal.researched === undefined
  return { property_id, opening_credits: isResearched ? prices.unlock_property : prices.research_property }
}

export const make = Effect.gen(function*() {
  const ledger = yield* Ledger
  const runs = yield* ResearchRuns
  const standings = yield* Standings
  const subjects = yield* ResearchSubjects.make
  const runningBatch = yield* RunningBatch.make
  const ofResearch = yield* ResearchRecords.make
  const ofUnlocks = yield* PropertyRecords.make
  const meter = yield* Meter.make
  const openingFacts = (contacts: ReadonlyArray<string>) => Effect.provideService(factsOf(contacts), Ledger, ledger)

  /** Whom the action is about, and at which properties. */
  const subjectOf = Effect.fnUntraced(function*(action: ResearchAction, id: string, asked: string | undefined) {
    if (action === "deep_research_contact") return yield* subjects.placed(id, asked)
    if (action !== "draft_email") return { standing: yield* subjects.contact(id), places: [] }
    const { standing, strategy } = yield* subjects.addressee(id, asked)
    return { standing, places: [strategy.propertyId] }
  })

  /** Which records reading what the items open or find takes. */
  const recordsOf = (
    ...[limits, orgId, action, items]: [Limits, OrganizationId, Input["action"], ReadonlyArray<Looked>]
  ) => {
    const subjectIds = items.map(({ subjectId }) => subjectId)
    switch (action) {
      case "unlock_property":
        return ofUnlocks(limits, orgId, items.flatMap(({ opened }) => opened ?? []))
      case "reveal_contact":
        return Effect.succeed(ResearchRecords.each("contact", subjectIds))
      default:
        return ofResearch(limits, orgId, action, subjectIds)
    }
  }

  /** What the contact's research would cost, and the run that answers or stands in its way. */
  const contactItem = Effect.fnUntraced(function*(action: ResearchAction, id: string, input: Input) {
    const caller = yield* Caller
    const { org_id: orgId } = caller.organization
    const { places, standing } = yield* subjectOf(action, id, input.property_id)
    const { contact, relationships: ties } = standing
    const othersOf = (chosen: string | null) =>
      othersThan(chosen, { asked: input.property_id, perspective: caller, ties })
    const priced: Looked = { id, subjectId: contact.id, credits: priceOf(action), refused: null, run_id: null }
    if (action === "find_email" && hasUsableEmail(contact)) {
      const refusal = Option.getOrNull(
        yield* meter.foresee(unpaidOf(standing, caller), yield* Clock.currentTimeMillis)
      )
      const known = { ...priced, ...notToContact(contact) }
      return refusal === null ? { ...known, credits: 0 } : { ...known, refused: refusal._tag }
    }
    const propertyId = places[0] ?? null
    const warned = action === "draft_email"
      ? forewarned(contact)
      : action === "research_contact"
      ? {}
      : notToContact(contact)
    const item = {
      ...priced,
      ...warned,
      ...propertyId === null ? {} : { property_id: propertyId },
      ...othersOf(propertyId)
    }
    if (action === "deep_research_contact" && input.again !== true) {
      const existing = yield* subjects.strategy(standing, places)
      if (Option.isSome(existing)) {
        const { propertyId: property_id, runId: run_id } = existing.value
        return { ...item, credits: 0, run_id, property_id, ...othersOf(property_id) }
      }
    }
    const going = yield* runs.underWay(orgId, {
      action,
      subjectId: standing.contact.id,
      propertyIds: propertyId === null ? [] : [propertyId]
    })
    return Option.match(going, {
      onNone: () => item,
      onSome: (run_id): Looked => ({ ...item, refused: "ALREADY_RESEARCHING", run_id })
    })
  })

  const refusedItem = (action: ResearchAction, id: string) => ({ _tag: refused }: { readonly _tag: string }) =>
    Effect.succeed<Looked>({ id, subjectId: id, credits: priceOf(action), refused, run_id: null })

  const priceOfContact = (action: ResearchAction, id: string, input: Input) => {
    const refused = refusedItem(action, id)
    const opening = (refusal: PropertyUnlockRequired | ContactRevealRequired) =>
      Effect.map(refused(refusal), (item) => ({ ...item, ...openedBy(refusal) }))
    return contactItem(action, id, input).pipe(
      Effect.catchTags({
        NOT_FOUND: refused,
        OUT_OF_TERRITORY: refused,
        PROPERTY_RETIRED: refused,
        PROPERTY_UNLOCK_REQUIRED: opening,
        CONTACT_REVEAL_REQUIRED: opening,
        DO_NOT_CONTACT: refused,
        STRATEGY_REQUIRED: (refusal) => Effect.map(refused(refusal), (item) => ({ ...item, run_id: refusal.run_id }))
      })
    )
  }

  const priceOfFirm = Effect.fnUntraced(function*(action: ResearchAction, id: string) {
    const { organization: { org_id: orgId } } = yield* Caller
    const firm = yield* subjects.firm(id)
    const going = yield* runs.underWay(orgId, { action, subjectId: firm.id, propertyIds: [] })
    const run_id = Option.getOrNull(going)
    const refused = run_id === null ? null : "ALREADY_RESEARCHING"
    return { id, subjectId: firm.id, credits: priceOf(action), refused, run_id }
  })

  const researchOfProperties = Effect.fnUntraced(function*(action: ResearchAction, ids: ReadonlyArray<string>) {
    const { looked } = yield* subjects.selection(ids)
    return looked.map(({ candidate, id, reason }): Looked => ({
      id,
      subjectId: candidate?.id ?? id,
      credits: priceOf(action),
      // A batch leaves it out; by itself it is researched anew.
      refused: reason === "ALREADY_RESEARCHED" && looked.length === 1 ? null : reason,
      run_id: reason === "ALREADY_RESEARCHING" ? candidate?.runId ?? null : null
    }))
  })

  const unlocks = Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
    const facts = yield* openingFacts([])
    const { looked } = yield* subjects.selection(ids)
    return looked.map(({ candidate, id, reason }): Looked => {
      const { blocked_by: blocked, credits } = propertyOf(facts, id, candidate)
      const unseen = reason === "NOT_FOUND" || reason === "OUT_OF_TERRITORY" || reason === "PROPERTY_RETIRED"
      return {
        id,
        subjectId: candidate?.id ?? id,
        credits: blocked === null && credits !== null ? credits : prices.unlock_property,
        refused: unseen ? reason : blocked?.code ?? null,
        run_id: null,
        ...candidate === undefined ? {} : { opened: openedOf(candidate, facts.caller) }
      }
    })
  })

  const revealItem = Effect.fnUntraced(function*(given: string) {
    const { organization: { org_id: orgId } } = yield* Caller
    const id = given.toLowerCase()
    const [facts, found] = yield* Effect.all([
      openingFacts([id]),
      standings.read({ orgId, properties: [], contacts: [id] })
    ], { concurrency: 2 })
    const { blocked_by: blocked, credits, visible } = contactOf(facts, id, found.contacts[0])
    const item: Looked = {
      id: given,
      subjectId: id,
      credits: blocked === null && credits !== null ? credits : prices.reveal_contact,
      refused: visible ? blocked?.code ?? null : "NOT_FOUND",
      run_id: null
    }
    return item
  })

  const itemsOf = Effect.fnUntraced(function*(input: Input) {
    const { action, contact_id: contact = "", organization_id: firm = "", property_ids: properties = [] } = input
    const field = subjectArgumentOf(action)
    if (input[field] === undefined) return yield* invalid(field, `Expected ${field}`)
    for (const each of Object.values(subjectArguments)) {
      if (each !== field && input[each] !== undefined) {
        return yield* invalid(each, `Expected ${field} alone beside the action ${action}`)
      }
    }
    switch (action) {
      case "unlock_property":
        return yield* unlocks(properties)
      case "reveal_contact":
        return [yield* revealItem(contact)]
      case "research_property":
        return yield* researchOfProperties(action, properties)
      case "research_organization":
        return [yield* priceOfFirm(action, firm).pipe(Effect.catchTag("NOT_FOUND", refusedItem(action, firm)))]
      case "research_contact":
      case "find_email":
      case "deep_research_contact":
      case "draft_email":
        return [yield* priceOfContact(action, contact, input)]
    }
  })

  /** What the tool that does it is refused with whatever it is asked; null: nothing. */
  const barredFrom = Effect.fnUntraced(function*(action: Input["action"]) {
    const permitted = Acting.permits(yield* Caller, pricedOperations[action])
    return Result.isFailure(permitted) ? permitted.failure._tag : null
  })

  /** What a launch of these is refused with before it is asked what they cost, and the run that goes on; null: nothing. */
  const impediment = Effect.fnUntraced(function*(action: Input["action"], items: ReadonlyArray<PricedItem>) {
    if (action === "unlock_property" || action === "reveal_contact" || items.every(isFreeOrRefused)) return null
    const { organization: { org_id: orgId } } = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const batch = action === "research_property" && items.length > 1
    const found = yield* runs.impediment(orgId, { batch, now })
    if (Option.isNone(found)) return null
    const { value: refusal } = found
    const run_id = refusal._tag === "BATCH_ALREADY_RUNNING" ? (yield* runningBatch(refusal)).run_id : null
    return { refused: refusal._tag, run_id }
  })

  /** The money there is, and what the whole would be refused with: the launch's own decision, which is never applied. */
  const moneyOf = Effect.fnUntraced(function*({ action }: Input, items: ReadonlyArray<Looked>) {
    const caller = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const limits = ofCaller(caller, now)
    const { org_id: orgId } = caller.organization
    const asked = yield* recordsOf(limits, orgId, action, items.filter(({ refused }) => refused === null))
    const subjectIds = items.filter((item) => !isFreeOrRefused(item)).map(({ id }) => id)
    const required = projected(items)
    const usage = queryOf(limits, asked)
    return yield* look(ledger, { orgId, now, usage }, (snapshot) => {
      const money = {
        balance: total(spendable(snapshot.grants, now)),
        ownLimitRemaining: ownRemaining(limits.spender, snapshot.usage.spent),
        records: recordsAhead(limits, snapshot.usage, asked.records)
      }
      if (subjectIds.length === 0) return { ...money, refused: null }
      if (action === "unlock_property" || action === "reveal_contact") {
        // Each by itself was decided on; what is left is whether there is enough for all of them.
        const kind = action === "unlock_property" ? "paid_property_unlock" : "contact_reveal"
        const room = Result.andThen(
          allow(limits, snapshot.usage, kind, subjectIds.length),
          allowSpending(limits.spender, snapshot.usage.spent, required)
        )
        if (Result.isFailure(room)) return { ...money, refused: room.failure._tag }
        return { ...money, refused: money.balance < required ? "INSUFFICIENT_CREDITS" : null }
      }
      const decided = decideLaunch(snapshot, {
        action,
        subjectIds,
        limits,
        actor: Acting.actor(caller),
        requestId: caller.requestId,
        now
      })
      return { ...money, refused: Result.isFailure(decided) ? decided.failure._tag : null }
    })
  })

  const price: HandlerOf<typeof PriceResearch> = Effect.fn("ResearchPricer.price")(function*(given) {
    const input = listing(given)
    // Without that part of the service nothing is told of it, not even a price.
    yield* Effect.fromResult(permitFeature(yield* Caller, pricedOperations[input.action].access))
    const barred = yield* barredFrom(input.action)
    const items = (yield* itemsOf(input)).map((item) => ({ ...item, refused: item.refused ?? barred }))
    const impeded = yield* impediment(input.action, items)
    const { refused, ...money } = yield* moneyOf(input, items)
    const now = yield* Clock.currentTimeMillis
    const before = barred ?? noneOf(input.action, items)
    const [first, ...others] = items
    const available = Math.min(money.balance, money.ownLimitRemaining ?? money.balance)
    return {
      projectedCredits: projected(items),
      refused: before ?? impeded?.refused ?? refused,
      run_id: (before === null ? impeded?.run_id : null) ?? (others.length === 0 ? first?.run_id : null) ?? null,
      items: items.map(shown),
      ...money,
      quote_expires_at: DateTime.formatIso(DateTime.makeUnsafe(now + Duration.toMillis(quoteLife))),
      ...noting(notesOf(input.action, items, {
        available,
        records: money.records,
        refused: before ?? impeded?.refused ?? refused
      }))
    }
  })

  return { price }
})

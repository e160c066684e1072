/**
 * Takes orders for research: starts it, and has drafts written.
 *
 * The order of the checks is that of decisions section 18 and 20: visibility, what must be open, what is going on
 * already, then payment, limits and money under the ledger's lock.
 */
import { Clock, Duration, Effect, Option, Predicate, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { hasUsableEmail, notToContact } from "../contact/Contact.ts"
import type { ContactStanding } from "../contact/Contacts.ts"
import { unpaidOf } from "../contact/ContactView.ts"
import { mostCounties } from "../coverage/AskedCounties.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import { type ActionInProgress, placesOf, type PriceDetail, toldOf } from "../credit/CreditRefusals.ts"
import * as Meter from "../credit/Meter.ts"
import * as Receipt from "../credit/Receipt.ts"
import { ofCaller, queryOf } from "../limit/Limits.ts"
import { foreseeing } from "../limit/Metering.ts"
import { listReader } from "../list/ListKeeper.ts"
import { ListNotFound, WrongListType } from "../list/ListRefusals.ts"
import { Lists } from "../list/Lists.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { noting } from "../operation/Noting.ts"
import { PropertySearch } from "../property/PropertySearch.ts"
import { othersThan, tieTo } from "./ContactTie.ts"
import * as DraftWork from "./DraftWork.ts"
import * as FindingRecord from "./FindingRecord.ts"
import { decideLaunch } from "./LaunchDecision.ts"
import { forewarned, recipientOf } from "./Recipient.ts"
import {
  type DeepResearchContact,
  type DraftEmail,
  type FindEmail,
  maximumBatch,
  type ResearchContact,
  type ResearchOrganization,
  type ResearchProperties,
  type ResearchProperty
} from "./ResearchOperations.ts"
import * as ResearchRecords from "./ResearchRecords.ts"
import {
  AlreadyResearching,
  BatchTooLarge,
  CreditActionInProgress,
  EmptySelection,
  ResearchLaunchBusy
} from "./ResearchRefusals.ts"
import { type DraftWish, priceOf, type ResearchAction, type Run } from "./ResearchRun.ts"
import { ResearchRuns } from "./ResearchRuns.ts"
import * as ResearchSubjects from "./ResearchSubjects.ts"
import * as RunningBatch from "./RunningBatch.ts"
import { existingOf, returned, started } from "./RunView.ts"

/** How long a draft may take before its run goes on without the caller, who is answered within 30 seconds. */
const draftPatience = Duration.seconds(25)

/** How often a batch is put together again when another launch took one of its properties. */
const batchAttempts = 3

type Left = Pick<Receipt.ReceiptFacts, "remaining" | "ownRemaining">

const unknown: Left = { remaining: null, ownRemaining: null }

const receiptOf = ({ action, items }: Run, left: Left): Receipt.ReceiptFacts => ({
  charged: items.length * priceOf(action),
  ...left,
  entries: items.map(({ chargeEntry }) => chargeEntry)
})

/** The counties of the area, where it has no others and a search may name all of them. */
const namedCounties = ({ countyFips, nationwide, stateFips }: Territory.Area) =>
  !nationwide && stateFips.length === 0 && countyFips.length > 0 && countyFips.length <= mostCounties
    ? { county_fips: countyFips }
    : {}

/** As many properties of a list as a batch holds, of those whose research is not open to the organization. */
const notOpen = (listId: string) => ({
  conditions: [
    { _tag: "List", listId: listId.toLowerCase(), member: true },
    { _tag: "ResearchStates", states: ["none", "locked"] }
  ] as const,
  sort: { column: "updatedAt", direction: "desc" } as const,
  after: null,
  offset: 0,
  limit: maximumBatch,
  full: false
})

/** What the person and their property are called. */
const namesOf = ({ contact, relationships }: ContactStanding, propertyId: string | null) => {
  const address = Option.flatMap(tieTo(relationships, propertyId), (tie) => Option.fromNullishOr(tie.address))
  return { person: contact.fullName, ...Option.isSome(address) ? { places: [address.value] } : {} }
}

/** The property that was spoken of, by its address, and what there is to know of the choice. */
const aboutOf = ({ relationships }: ContactStanding, propertyId: string | null, others: PriceDetail) => {
  const tie = tieTo(relationships, propertyId)
  return { ...Option.isSome(tie) ? { address: tie.value.address } : {}, ...others, ...noting(toldOf(others)) }
}

export const make = Effect.gen(function*() {
  const runs = yield* ResearchRuns
  const lists = yield* Lists
  const search = yield* PropertySearch
  const subjects = yield* ResearchSubjects.make
  const recordsOf = yield* ResearchRecords.make
  const runningBatch = yield* RunningBatch.make
  const meter = yield* Meter.make
  const random = yield* SecureRandom.SecureRandom
  const writeDraft = yield* DraftWork.make
  const { record } = yield* FindingRecord.make

  const launch = Effect.fnUntraced(function*(
    action: ResearchAction,
    subjectIds: ReadonlyArray<string>,
    more: {
      readonly maxCredits?: number | undefined
      readonly batch?: boolean
      readonly propertyId?: string | null
      readonly unlessDelivered?: boolean
      readonly wish?: DraftWish
      readonly claimedFor?: Duration.Duration
      /** What is told with the price. */
      readonly detail?: PriceDetail
    }
  ) {
    const caller = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const limits = ofCaller(caller, now)
    const jobs = yield* Effect.forEach(
      subjectIds,
      (subjectId) => Effect.map(random.uuidV7(), (jobId) => ({ subjectId, jobId }))
    )
    const asked = yield* recordsOf(limits, caller.organization.org_id, action, subjectIds)
    // Of the decision that took effect: it is made anew where somebody else was quicker.
    let left = unknown
    const reading = foreseeing(limits, asked.records)
    const launched = yield* runs.launch(
      {
        runId: yield* random.uuidV7(),
        orgId: caller.organization.org_id,
        action,
        batch: more.batch ?? false,
        subjects: jobs,
        propertyId: more.propertyId ?? null,
        unlessDelivered: more.unlessDelivered ?? false,
        wish: more.wish ?? null,
        actor: Acting.actor(caller),
        claimedFor: more.claimedFor ?? null,
        now,
        usage: queryOf(limits, asked)
      },
      reading.deciding((snapshot) =>
        Result.map(
          decideLaunch(snapshot, {
            action,
            subjectIds,
            limits,
            maxCredits: more.maxCredits,
            actor: Acting.actor(caller),
            requestId: caller.requestId,
            now
          }),
          (decision) => {
            left = Receipt.leftAfter(snapshot, decision.entries, limits)
            return decision
          }
        )
      )
    ).pipe(
      Effect.catchTag("COST_CONFIRMATION_REQUIRED", (refusal) => {
        const about = Predicate.isNullish(more.propertyId) ? {} : { property_id: more.propertyId }
        return Effect.fail(refusal.telling({ ...about, ...more.detail, ...reading.told() }))
      })
    )
    yield* Receipt.tell(receiptOf(launched, left))
    return { run: launched, reading: reading.told() }
  })

  const inProgress = ({ retryAfterSeconds }: ActionInProgress) =>
    Effect.fail(new CreditActionInProgress({ retryAfterSeconds }))

  /** One run about one subject; it is no batch, so that no batch stands in its way. */
  const launchOne = (...[action, subjectId, more]: [ResearchAction, string, Parameters<typeof launch>[2]]) =>
    launch(action, [subjectId], more).pipe(
      Effect.catchTags({ ACTION_IN_PROGRESS: inProgress, BATCH_ALREADY_RUNNING: Effect.die })
    )

  /** What is about a person or a firm opens no property, so that no limit of unlocks speaks. */
  const launchUnlimited = (...given: Parameters<typeof launchOne>) =>
    launchOne(...given).pipe(
      Effect.catchTag(
        ["ACCOUNT_DAILY_CAP_EXCEEDED", "DAILY_CAP_EXCEEDED", "CREDENTIAL_DAILY_CAP_EXCEEDED"],
        Effect.die
      )
    )

  /** A property that may be researched. */
  const oneProperty = Effect.fnUntraced(function*(id: string) {
    const candidate = yield* subjects.property(id)
    return candidate.researching ? yield* new AlreadyResearching({ run_id: candidate.runId }) : candidate
  })

  /** The properties that a batch names, or those of its list: of a long one those that are not open yet. */
  const selected = Effect.fnUntraced(
    function*({ list_id, property_ids }: (typeof ResearchProperties)["input"]["Type"]) {
      if ((list_id === undefined) === (property_ids === undefined)) {
        return yield* invalid(null, "Expected either property_ids or list_id")
      }
      if (list_id === undefined) return { ids: property_ids ?? [], beside: {} }
      const caller = yield* Caller
      const visible = Territory.visible(caller)
      const found = yield* lists.items({
        ...listReader(caller),
        listId: list_id.toLowerCase(),
        visible,
        limit: maximumBatch,
        after: null,
        offset: 0
      })
      if (Option.isNone(found)) return yield* new ListNotFound()
      const { items, list, total: given } = found.value
      if (list.type !== "properties") {
        return yield* new WrongListType({ list_type: list.type, field: "list_id", item_ids: [] })
      }
      if (given <= maximumBatch) return { ids: items.map(({ id }) => id), beside: {} }
      const { rows, total } = yield* search.byLocation({ ...notOpen(list_id), viewer: viewerOf(caller) })
      const open = given - total
      const beside = open > 0 ? { open_already: open } : {}
      if (total > maximumBatch) {
        return yield* new BatchTooLarge({ maximum: maximumBatch, given: total, ...beside, ...namedCounties(visible) })
      }
      return { ids: rows.map(({ id }) => id), beside }
    }
  )

  const property: HandlerOf<typeof ResearchProperty> = Effect.fn("ResearchDesk.property")(function*(input) {
    const found = yield* oneProperty(input.id)
    const { reading, run } = yield* launchOne("research_property", found.id, { ...input, detail: placesOf([found]) })
    return { ...started(run), ...reading }
  })

  const properties: HandlerOf<typeof ResearchProperties> = Effect.fn("ResearchDesk.properties")(function*(input) {
    for (let attempt = 1;; attempt++) {
      const { beside, ids } = yield* selected(input)
      const { chosen, skipped } = yield* subjects.selection(ids)
      const propertyIds = chosen.map(({ id }) => id)
      if (propertyIds.length === 0) return yield* new EmptySelection({ skipped, ...beside })
      const detail = { ...placesOf(chosen), properties: propertyIds.length, skipped, ...beside }
      const launched = yield* launch("research_property", propertyIds, { ...input, batch: true, detail }).pipe(
        Effect.asSome,
        Effect.catchTags({
          ACTION_IN_PROGRESS: ({ retryAfterSeconds }) => Effect.fail(new ResearchLaunchBusy({ retryAfterSeconds })),
          BATCH_ALREADY_RUNNING: (refusal) => Effect.flatMap(runningBatch(refusal), Effect.fail),
          // Another launch took one of them since they were looked at.
          ALREADY_RESEARCHING: (refusal) => attempt < batchAttempts ? Effect.succeedNone : Effect.fail(refusal)
        })
      )
      if (Option.isSome(launched)) {
        const { reading, run } = launched.value
        return { ...started(run), properties: propertyIds.length, skipped, ...beside, ...reading }
      }
    }
  })

  const contact: HandlerOf<typeof ResearchContact> = Effect.fn("ResearchDesk.contact")(function*(input) {
    const { contact: { fullName: person, id } } = yield* subjects.contact(input.id)
    const { reading, run } = yield* launchUnlimited("research_contact", id, { ...input, detail: { person } })
    return { ...started(run), ...reading }
  })

  const organization: HandlerOf<typeof ResearchOrganization> = Effect.fn("ResearchDesk.organization")(function*(input) {
    const { id } = yield* subjects.firm(input.id)
    const { reading, run } = yield* launchUnlimited("research_organization", id, input)
    return { ...started(run), ...reading }
  })

  const findEmail: HandlerOf<typeof FindEmail> = Effect.fn("ResearchDesk.findEmail")(function*(input) {
    const standing = yield* subjects.contact(input.contact_id)
    const { contact } = standing
    const wishes = notToContact(contact)
    if (hasUsableEmail(contact)) {
      yield* meter.discloseAll(unpaidOf(standing, yield* Caller), yield* Clock.currentTimeMillis)
      return { run_id: null, status: "complete", credits_charged: 0, email: contact.email, ...wishes }
    }
    const { run } = yield* launchUnlimited("find_email", contact.id, {
      ...input,
      detail: { person: contact.fullName, ...wishes }
    })
    return { ...started(run), email: null, ...wishes }
  })

  const deepResearch: HandlerOf<typeof DeepResearchContact> = Effect.fn("ResearchDesk.deepResearch")(function*(input) {
    const caller = yield* Caller
    const { organization } = caller
    const { places, standing } = yield* subjects.placed(input.contact_id, input.property_id)
    const wishes = notToContact(standing.contact)
    const othersOf = (chosen: string | null) =>
      othersThan(chosen, { asked: input.property_id, perspective: caller, ties: standing.relationships })
    const found = Effect.gen(function*() {
      const known = yield* subjects.strategy(standing, places)
      const run = Option.isNone(known) ? Option.none() : yield* runs.read(organization.org_id, known.value.runId)
      if (Option.isNone(known) || Option.isNone(run)) return Option.none()
      const existing = existingOf(run.value, yield* Clock.currentTimeMillis)
      const { propertyId } = known.value
      return Option.some({
        ...started(run.value),
        credits_charged: 0,
        property_id: propertyId,
        ...aboutOf(standing, propertyId, othersOf(propertyId)),
        existing,
        ...wishes
      })
    })
    const known = input.again === true ? Option.none() : yield* found
    if (Option.isSome(known)) return known.value
    const propertyId = places[0] ?? null
    const unlessDelivered = input.again !== true
    const others = othersOf(propertyId)
    const launched = launchUnlimited("deep_research_contact", standing.contact.id, {
      ...input,
      propertyId,
      unlessDelivered,
      detail: { ...namesOf(standing, propertyId), ...others, ...wishes }
    })
    return yield* Effect.map(
      launched,
      ({ run }) => ({
        ...started(run),
        property_id: propertyId,
        ...aboutOf(standing, propertyId, others),
        existing: null,
        ...wishes
      })
    ).pipe(
      // What was going on when it was looked for may have been delivered since: that is the answer, and paid for.
      Effect.catchTag("ALREADY_RESEARCHING", (refusal) =>
        unlessDelivered
          ? Effect.flatMap(found, Option.match({ onNone: () => Effect.fail(refusal), onSome: Effect.succeed }))
          : Effect.fail(refusal))
    )
  })

  const draft: HandlerOf<typeof DraftEmail> = Effect.fn("ResearchDesk.draft")(function*(input) {
    const caller = yield* Caller
    const { organization } = caller
    const { standing, strategy: { propertyId } } = yield* subjects.addressee(input.contact_id, input.property_id)
    const { contact, relationships: ties } = standing
    const others = othersThan(propertyId, { asked: input.property_id, perspective: caller, ties })
    const { run: launched } = yield* launchUnlimited("draft_email", contact.id, {
      ...input,
      propertyId,
      wish: { purpose: input.purpose ?? null, tone: input.tone ?? null },
      claimedFor: draftPatience,
      detail: { ...namesOf(standing, propertyId), ...others, ...forewarned(contact) }
    })
    // The caller waits for it, so that this process works on it; what it leaves undone, a worker takes up.
    const [item] = launched.items
    const claimed = yield* item === undefined ? Effect.succeedNone : runs.job(item.jobId)
    if (Option.isSome(claimed)) {
      const job = claimed.value
      yield* writeDraft(job).pipe(
        Effect.flatMap((finding) => record(job, finding, { patience: draftPatience, retryDelays: [] })),
        Effect.timeoutOption(draftPatience)
      )
    }
    const run = Option.getOrElse(yield* runs.read(organization.org_id, launched.runId), () => launched)
    const result = run.items[0]?.result ?? null
    const given = returned(run)
    // Paid for by now: where it cannot be counted that the address is told, it is left out, and its run tells it.
    const unpaid = contact.email === null ? [] : unpaidOf(standing, caller)
    const withheld = yield* meter.disclose(unpaid, yield* Clock.currentTimeMillis).pipe(
      Effect.orElseSucceed(() => new Set(unpaid))
    )
    // What was left after the charge is not what is left now.
    if (given > 0) yield* Receipt.tell(receiptOf(run, unknown))
    return {
      ...started(run),
      credits_returned: given,
      property_id: propertyId,
      ...aboutOf(standing, propertyId, others),
      draft: result?._tag === "Draft" ? result.draft : null,
      to: recipientOf(contact, withheld)
    }
  })

  return { property, properties, contact, organization, findEmail, deepResearch, draft }
})

/**
 * Takes orders for research: says what it costs, starts it, and tells how it stands.
 *
 * The order of the checks is that of decisions section 18 and 20: visibility, what must be open, what is going on
 * already, then payment, limits and money under the ledger's lock.
 */
import { Clock, DateTime, Duration, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Acting from "../access/Acting.ts"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import { hasUsableEmail } from "../contact/Contact.ts"
import { Contacts, type ContactStanding } from "../contact/Contacts.ts"
import { isRevealed, rightsOf } from "../contact/ContactView.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import { total } from "../credit/Bucket.ts"
import type { ActionInProgress } from "../credit/CreditRefusals.ts"
import { Ledger } from "../credit/Ledger.ts"
import { Firms } from "../firm/Firms.ts"
import { ofCaller, queryOf } from "../limit/Limits.ts"
import { listReader } from "../list/ListKeeper.ts"
import { ListNotFound, WrongListType } from "../list/ListRefusals.ts"
import { Lists } from "../list/Lists.ts"
import { invalid } from "../operation/InvalidInput.ts"
import type { HandlerOf } from "../operation/Operation.ts"
import { visible } from "../property/PropertyReader.ts"
import * as PropertyRef from "../property/PropertyRef.ts"
import * as DraftWork from "./DraftWork.ts"
import * as FindingRecord from "./FindingRecord.ts"
import { decideLaunch } from "./LaunchDecision.ts"
import {
  type DeepResearchContact,
  type DraftEmail,
  type FindEmail,
  type GetResearchStatus,
  maximumBatch,
  type PriceResearch,
  type ResearchContact,
  type ResearchOrganization,
  type ResearchProperties,
  type ResearchProperty
} from "./ResearchOperations.ts"
import {
  AlreadyResearching,
  BatchTooLarge,
  ContactRevealRequired,
  CreditActionInProgress,
  EmptySelection,
  PropertyUnlockRequired,
  ResearchLaunchBusy,
  StrategyRequired
} from "./ResearchRefusals.ts"
import {
  type DraftWish,
  isActive,
  type ItemState,
  priceOf,
  type ResearchAction,
  type Run,
  statusOf,
  subjectTypes
} from "./ResearchRun.ts"
import { type Candidate, ResearchRuns } from "./ResearchRuns.ts"

/** How long a quoted price is meant to hold. Prices change with a release, not with time. */
const quoteLife = Duration.minutes(15)

/** How long a draft may take before its run goes on without the caller, who is answered within 30 seconds. */
const draftPatience = Duration.seconds(25)

/** How often a batch is put together again when another launch took one of its properties. */
const batchAttempts = 3

const states = (run: Run): ReadonlyArray<ItemState> => run.items.map(({ state }) => state)

const charged = (run: Run): number => run.items.length * priceOf(run.action)

const returned = (run: Run): number => run.items.filter(({ state }) => state === "failed").length * priceOf(run.action)

const startedOf = (run: Run) => ({ run_id: run.runId, status: statusOf(states(run)), credits_charged: charged(run) })

const iso = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

const unique = <A>(values: ReadonlyArray<A>, keyOf: (value: A) => string): ReadonlyArray<A> => [
  ...new Map(values.map((value) => [keyOf(value), value])).values()
]

const refText = (ref: PropertyRef.PropertyRef): string => ref._tag === "Id" ? ref.id : ref.key

/** Why a property of a batch is left out; null: it is not. */
const unsuited = (candidate: Candidate | undefined, caller: CallerFacts): string | null => {
  if (candidate === undefined) return "NOT_FOUND"
  if (!Territory.sees(caller, candidate.countyFips)) return "OUT_OF_TERRITORY"
  if (candidate.retiredInto !== null) return "PROPERTY_RETIRED"
  if (candidate.researching) return "ALREADY_RESEARCHING"
  const open = candidate.access === "paid" || Territory.covers(caller.organization, candidate.countyFips)
  return candidate.researched && open ? "ALREADY_RESEARCHED" : null
}

export const make = Effect.gen(function*() {
  const runs = yield* ResearchRuns
  const contacts = yield* Contacts
  const firms = yield* Firms
  const lists = yield* Lists
  const ledger = yield* Ledger
  const random = yield* SecureRandom.SecureRandom
  const writeDraft = yield* DraftWork.make
  const { record } = yield* FindingRecord.make

  const launch = Effect.fnUntraced(function*(
    action: ResearchAction,
    subjectIds: ReadonlyArray<string>,
    more: {
      readonly maxCredits?: number | undefined
      readonly batch?: boolean
      readonly wish?: DraftWish
      readonly claimedFor?: Duration.Duration
    }
  ) {
    const caller = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const limits = ofCaller(caller, now)
    const subjects = yield* Effect.forEach(
      subjectIds,
      (subjectId) => Effect.map(random.uuidV7(), (jobId) => ({ subjectId, jobId }))
    )
    return yield* runs.launch(
      {
        runId: yield* random.uuidV7(),
        orgId: caller.organization.org_id,
        action,
        batch: more.batch ?? false,
        subjects,
        wish: more.wish ?? null,
        actor: Acting.actor(caller),
        claimedFor: more.claimedFor ?? null,
        now,
        usage: queryOf(limits)
      },
      (snapshot) =>
        decideLaunch(snapshot, {
          action,
          subjectIds,
          limits,
          maxCredits: more.maxCredits,
          actor: Acting.actor(caller),
          requestId: caller.requestId,
          now
        })
    )
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
    const caller = yield* Caller
    const [found] = yield* runs.candidates(caller.organization.org_id, [PropertyRef.parse(id)])
    const candidate = yield* visible(Option.fromUndefinedOr(found), caller)
    return candidate.researching ? yield* new AlreadyResearching() : candidate
  })

  /** The properties of a selection that may be researched, and why the others may not. */
  const selection = Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
    const caller = yield* Caller
    const refs = unique(ids.map(PropertyRef.parse), refText)
    if (refs.length > maximumBatch) return yield* new BatchTooLarge({ maximum: maximumBatch, given: refs.length })
    const found = new Map(
      (yield* runs.candidates(caller.organization.org_id, refs)).map((each) => [refText(each.ref), each])
    )
    const looked = refs.map((ref) => {
      const id = refText(ref)
      const candidate = found.get(id)
      return { id, candidate, reason: unsuited(candidate, caller) }
    })
    const suited = looked.flatMap(({ candidate, reason }) =>
      candidate === undefined || reason !== null ? [] : [candidate.id]
    )
    return {
      looked,
      // An id and a key may name the same property.
      propertyIds: [...new Set(suited)],
      skipped: looked.flatMap(({ id, reason }) => reason === null ? [] : [{ id, reason }])
    }
  })

  /** A contact that the caller sees. */
  const visibleContact = Effect.fnUntraced(function*(id: string) {
    const caller = yield* Caller
    const found = yield* contacts.read(id.toLowerCase(), caller.organization.org_id)
    if (Option.isNone(found) || !rightsOf(found.value, caller).visible) {
      return yield* new NotFound({ resource: "contact" })
    }
    return found.value
  })

  /** A contact whose details the organization may read. */
  const openContact = Effect.fnUntraced(function*(id: string) {
    const caller = yield* Caller
    const standing = yield* visibleContact(id)
    if (isRevealed(rightsOf(standing, caller))) return standing
    const locked = standing.relationships.find((each) => each.researched && Territory.sees(caller, each.countyFips))
    return yield* locked === undefined
      ? new ContactRevealRequired()
      : new PropertyUnlockRequired({ property_id: locked.propertyId })
  })

  const strategyOf = Effect.fnUntraced(function*({ contact }: ContactStanding) {
    const { organization } = yield* Caller
    const found = yield* runs.strategy(organization.org_id, contact.id)
    return Option.isSome(found) ? found.value : yield* new StrategyRequired()
  })

  /** The properties that a batch names, or those of its list. */
  const selected = Effect.fnUntraced(
    function*({ list_id, property_ids }: (typeof ResearchProperties)["input"]["Type"]) {
      if ((list_id === undefined) === (property_ids === undefined)) {
        return yield* invalid(null, "Expected either property_ids or list_id")
      }
      if (list_id === undefined) return property_ids ?? []
      const caller = yield* Caller
      const found = yield* lists.items({
        ...listReader(caller),
        listId: list_id.toLowerCase(),
        visible: Territory.visible(caller),
        limit: maximumBatch,
        offset: 0
      })
      if (Option.isNone(found)) return yield* new ListNotFound()
      const { items, list, total: given } = found.value
      if (list.type !== "properties") {
        return yield* new WrongListType({ list_type: list.type, field: "list_id", item_ids: [] })
      }
      if (given > maximumBatch) return yield* new BatchTooLarge({ maximum: maximumBatch, given })
      return items.map(({ id }) => id)
    }
  )

  /** A firm that the caller sees. */
  const visibleFirm = Effect.fnUntraced(function*(id: string) {
    const caller = yield* Caller
    const found = yield* firms.ties(id.toLowerCase(), viewerOf(caller))
    if (Option.isNone(found) || !found.value.ties.some((tie) => Territory.sees(caller, tie.countyFips))) {
      return yield* new NotFound({ resource: "organization" })
    }
    return found.value
  })

  const property: HandlerOf<typeof ResearchProperty> = Effect.fn("ResearchDesk.property")(function*(input) {
    const { id } = yield* oneProperty(input.id)
    return startedOf(yield* launchOne("research_property", id, input))
  })

  const properties: HandlerOf<typeof ResearchProperties> = Effect.fn("ResearchDesk.properties")(function*(input) {
    for (let attempt = 1;; attempt++) {
      const { propertyIds, skipped } = yield* selection(yield* selected(input))
      if (propertyIds.length === 0) return yield* new EmptySelection()
      const launched = yield* launch("research_property", propertyIds, { ...input, batch: true }).pipe(
        Effect.asSome,
        Effect.catchTags({
          ACTION_IN_PROGRESS: ({ retryAfterSeconds }) => Effect.fail(new ResearchLaunchBusy({ retryAfterSeconds })),
          // Another launch took one of them since they were looked at.
          ALREADY_RESEARCHING: (refusal) => attempt < batchAttempts ? Effect.succeedNone : Effect.fail(refusal)
        })
      )
      if (Option.isSome(launched)) {
        return { ...startedOf(launched.value), properties: propertyIds.length, skipped }
      }
    }
  })

  const contact: HandlerOf<typeof ResearchContact> = Effect.fn("ResearchDesk.contact")(function*(input) {
    const standing = yield* openContact(input.id)
    return startedOf(yield* launchUnlimited("research_contact", standing.contact.id, input))
  })

  const organization: HandlerOf<typeof ResearchOrganization> = Effect.fn("ResearchDesk.organization")(function*(input) {
    const { id } = yield* visibleFirm(input.id)
    return startedOf(yield* launchUnlimited("research_organization", id, input))
  })

  const findEmail: HandlerOf<typeof FindEmail> = Effect.fn("ResearchDesk.findEmail")(function*(input) {
    const { contact } = yield* openContact(input.contact_id)
    if (hasUsableEmail(contact)) {
      return { run_id: null, status: "complete", credits_charged: 0, email: contact.email }
    }
    return { ...startedOf(yield* launchUnlimited("find_email", contact.id, input)), email: null }
  })

  const deepResearch: HandlerOf<typeof DeepResearchContact> = Effect.fn("ResearchDesk.deepResearch")(function*(input) {
    const { contact } = yield* openContact(input.contact_id)
    return startedOf(yield* launchUnlimited("deep_research_contact", contact.id, input))
  })

  const runOf = Effect.fnUntraced(function*(orgId: string, runId: string) {
    const found = yield* runs.read(orgId, runId)
    return Option.isSome(found) ? found.value : yield* new NotFound({ resource: "research run" })
  })

  const draft: HandlerOf<typeof DraftEmail> = Effect.fn("ResearchDesk.draft")(function*(input) {
    const { organization, territory } = yield* Caller
    const standing = yield* openContact(input.contact_id)
    yield* strategyOf(standing)
    const wish = { purpose: input.purpose ?? null, tone: input.tone ?? null, territory }
    const launched = yield* launchUnlimited("draft_email", standing.contact.id, {
      ...input,
      wish,
      claimedFor: draftPatience
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
    return {
      ...startedOf(run),
      credits_returned: returned(run),
      draft: result?._tag === "Draft" ? result.draft : null
    }
  })

  /** What a run found about a contact, as long as the contact is open to the caller. */
  const foundOf = Effect.fnUntraced(function*({ action, items: [item] }: Run) {
    const caller = yield* Caller
    if (item === undefined || isActive(item.state) || subjectTypes[action] !== "contact") return {}
    const standing = yield* contacts.read(item.subjectId, caller.organization.org_id)
    if (Option.isNone(standing)) return {}
    const rights = rightsOf(standing.value, caller)
    if (!rights.visible || !isRevealed(rights)) return {}
    if (action === "find_email") return { email: standing.value.contact.email }
    if (item.result === null) return {}
    return item.result._tag === "Strategy" ? { strategy: item.result.strategy } : { draft: item.result.draft }
  })

  const status: HandlerOf<typeof GetResearchStatus> = Effect.fn("ResearchDesk.status")(function*(input) {
    const { organization } = yield* Caller
    const run = yield* runOf(organization.org_id, input.run_id.toLowerCase())
    const count = (state: ItemState) => run.items.filter((item) => item.state === state).length
    return {
      run_id: run.runId,
      action: run.action,
      status: statusOf(states(run)),
      created_at: iso(run.createdAt),
      finished_at: run.finishedAt === null ? null : iso(run.finishedAt),
      counts: {
        total: run.items.length,
        queued: count("queued"),
        running: count("running"),
        complete: count("complete"),
        partial: count("partial"),
        failed: count("failed")
      },
      credits_charged: charged(run),
      credits_returned: returned(run),
      items: run.items.map(({ reason, state, subjectId }) => ({
        subject_type: subjectTypes[run.action],
        subject_id: subjectId,
        status: state,
        reason
      })),
      ...yield* foundOf(run)
    }
  })

  /** What one contact would cost, or why it would be refused. */
  const priceOfContact = Effect.fnUntraced(function*(action: ResearchAction, id: string) {
    const refusal = yield* openContact(id).pipe(
      Effect.tap((standing) => action === "draft_email" ? strategyOf(standing) : Effect.void),
      Effect.map((standing) => action === "find_email" && hasUsableEmail(standing.contact) ? "FREE" : null),
      Effect.catchTags({
        NOT_FOUND: ({ _tag }) => Effect.succeed(_tag),
        PROPERTY_UNLOCK_REQUIRED: ({ _tag }) => Effect.succeed(_tag),
        CONTACT_REVEAL_REQUIRED: ({ _tag }) => Effect.succeed(_tag),
        STRATEGY_REQUIRED: ({ _tag }) => Effect.succeed(_tag)
      })
    )
    return { id, credits: refusal === null ? priceOf(action) : 0, refused: refusal === "FREE" ? null : refusal }
  })

  const priceOfFirm = (action: ResearchAction, id: string) =>
    visibleFirm(id).pipe(
      Effect.as({ id, credits: priceOf(action), refused: null }),
      Effect.catchTag("NOT_FOUND", ({ _tag: refused }) => Effect.succeed({ id, credits: 0, refused }))
    )

  const itemsOf = Effect.fnUntraced(function*(input: (typeof PriceResearch)["input"]["Type"]) {
    const needed = { property: "property_ids", contact: "contact_id", organization: "organization_id" } as const
    const field = needed[subjectTypes[input.action]]
    for (const each of Object.values(needed)) {
      if ((input[each] !== undefined) !== (each === field)) {
        return yield* invalid(each, `Expected ${field} alone beside the action ${input.action}`)
      }
    }
    if (input.property_ids !== undefined) {
      const { looked } = yield* selection(input.property_ids)
      return looked.map(({ id, reason }) => {
        // A batch leaves it out; by itself it is researched anew.
        const refused = reason === "ALREADY_RESEARCHED" && looked.length === 1 ? null : reason
        return { id, credits: refused === null ? priceOf(input.action) : 0, refused }
      })
    }
    if (input.contact_id !== undefined) return [yield* priceOfContact(input.action, input.contact_id)]
    return input.organization_id === undefined ? [] : [yield* priceOfFirm(input.action, input.organization_id)]
  })

  const price: HandlerOf<typeof PriceResearch> = Effect.fn("ResearchDesk.price")(function*(input) {
    const { organization } = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const items = yield* itemsOf(input)
    const { balance } = yield* ledger.balance(organization.org_id, now)
    return {
      projectedCredits: items.reduce((sum, { credits }) => sum + credits, 0),
      items,
      balance: total(balance),
      quote_expires_at: iso(now + Duration.toMillis(quoteLife))
    }
  })

  return { price, property, properties, status, contact, organization, findEmail, deepResearch, draft }
})

/**
 * Tells which runs there are, how one stands, and what it found: as far as the caller sees what it is about.
 *
 * How to reach somebody whom the subscription alone opens is a reveal of the day, whichever run's status tells it, and is left
 * out where no more of them are allowed; a list of runs tells it of nobody. service-api "Level 2: daily data limits".
 */
import { Array, Clock, Effect, Option, Schema } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { type Contact, notToContact } from "../contact/Contact.ts"
import { Contacts } from "../contact/Contacts.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import * as Meter from "../credit/Meter.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { noting } from "../operation/Noting.ts"
import { Uuid } from "../operation/Uuid.ts"
import { Properties } from "../property/Properties.ts"
import { showsContact, withoutContact } from "./Claims.ts"
import { recipientOf } from "./Recipient.ts"
import type { GetResearchStatus, ListResearchRuns } from "./ResearchOperations.ts"
import { isActive, type KeptClaim, type Run, type RunItem, subjectTypes } from "./ResearchRun.ts"
import { ResearchRuns, type RunsWanted } from "./ResearchRuns.ts"
import * as ResearchSubjects from "./ResearchSubjects.ts"
import * as RunSight from "./RunSight.ts"
import { followed, listed, namedOf, pageOf } from "./RunView.ts"
import * as Written from "./Written.ts"

type ListInput = (typeof ListResearchRuns)["input"]["Type"]

const defaultPage = 25

/** Runs that are looked at in one step, where many of them are hidden from the caller. */
const mostAtOnce = 500

/** Runs after which a call answers what it has found, if the next page goes on from there. */
const mostInCall = 2000

/**
 * Where a page goes on that ends at a run that may be hidden: at the end of the minute of its launch, which an id begins with.
 * So no cursor is the id of a run that the caller does not see.
 */
const minuteOf = (runId: string): string => `${runId.slice(0, 8)}-ffff-ffff-ffff-ffffffffffff`

/** Said of an empty page that is not the last one. */
const notYet = "There may be older runs that you see: go on with next_cursor."

/** Said of a page whose words would show how to reach somebody. */
const withoutWays =
  "Addresses and numbers of people whom the subscription alone opens are left out: service_get_research_status tells them."

const isRunId = Schema.is(Uuid)

/** Whether the words of a claim show how to reach the person that they are about. */
const reaches = ({ about, quote, values }: KeptClaim): boolean =>
  about === "contact" && [quote, ...values].some(showsContact)

const reached = (claims: ReadonlyArray<KeptClaim>): ReadonlyArray<string> => claims.filter(reaches).map(({ id }) => id)

const without = (claims: ReadonlyArray<KeptClaim>, withheld: ReadonlySet<string>): ReadonlyArray<KeptClaim> =>
  claims.filter((claim) => !withheld.has(claim.id) || !reaches(claim))

const withoutWay = (claim: KeptClaim): KeptClaim => ({
  ...claim,
  values: claim.values.filter((value) => !showsContact(value)),
  quote: withoutContact(claim.quote)
})

export const make = Effect.gen(function*() {
  const runs = yield* ResearchRuns
  const contacts = yield* Contacts
  const properties = yield* Properties
  const subjects = yield* ResearchSubjects.make
  const sightOf = yield* RunSight.make
  const readRun = yield* RunSight.makeReader
  const meter = yield* Meter.make

  /** What was found about a contact, where it may be told. */
  const foundOf = ({ action, items: [item] }: Run, sight: RunSight.RunSight) =>
    item === undefined || isActive(item.state) || subjectTypes[action] !== "contact" || !sight.tells(action, item)
      ? null
      : item

  /** What the item is about beside the person; null: it cannot be read any more. */
  const placeOf = Effect.fnUntraced(function*({ propertyId }: RunItem) {
    const { organization: { org_id: orgId } } = yield* Caller
    return propertyId === null
      ? null
      : Option.getOrNull(yield* properties.read({ _tag: "Id", id: propertyId }, orgId))
  })

  /** What was written about the person, as far as it is told now. */
  const writtenOf = Effect.fnUntraced(function*(item: RunItem, contact: Contact) {
    return item.result === null ? null : Written.told(item.result, { contact, property: yield* placeOf(item) })
  })

  /** What a list tells of it in a line. Of an owner who asked not to be listed the subject of a draft may say whatever it rests on. */
  const lineOf = (item: RunItem | null, sight: RunSight.RunSight) =>
    item === null || item.result?._tag === "Draft" && !sight.listsOwner(item) ? null : item.result

  /** Counts of the people those whom the subscription alone opens; answers those who stay closed. */
  const disclosed = Effect.fnUntraced(function*(
    contactIds: ReadonlyArray<string>,
    isOpenUnpaid: RunSight.RunSight["isOpenUnpaid"]
  ) {
    return yield* meter.disclose(Array.dedupe(contactIds).filter(isOpenUnpaid), yield* Clock.currentTimeMillis)
  })

  const status: HandlerOf<typeof GetResearchStatus> = Effect.fn("RunReader.status")(function*(input) {
    const { organization: { org_id: orgId } } = yield* Caller
    const read = yield* readRun(input.run_id.toLowerCase())
    if (Option.isNone(read)) return yield* new NotFound({ resource: "research run" })
    const { run, sight } = read.value
    const { cursor } = input
    // A charge is of one item.
    const start = cursor === undefined ? 0 : run.items.findIndex((item) => String(item.chargeEntry) === cursor) + 1
    if (cursor !== undefined && start === 0) return yield* InvalidCursor.refuse()
    const toCome = run.items.slice(start)
    const page = pageOf(toCome, (item) => sight.told({ ...run, items: [item] }))
    const found = foundOf(run, sight)
    const person = found === null
      ? Option.none()
      : Option.map(yield* contacts.read(found.subjectId, orgId), ({ contact }) => contact)
    const result = found === null || Option.isNone(person) ? null : yield* writtenOf(found, person.value)
    const isAddressed = run.action === "find_email" || result?._tag === "Draft"
    const addressed = (isAddressed ? Option.toArray(person) : []).flatMap(({ email, id }) => email === null ? [] : [id])
    const claims = sight.told({ ...run, items: page })
    const withheld = yield* disclosed([...addressed, ...reached(claims)], sight.isOpenUnpaid)
    const standing = {
      ...followed(run, {
        claims: without(claims, withheld),
        items: cursor === undefined ? run.items : page,
        nameOf: sight.nameOf
      }),
      next_cursor: page.length < toCome.length ? String(page.at(-1)?.chargeEntry) : null,
      ...withheld.size === 0 ? {} : { revealCapExceeded: true as const }
    }
    const to = Option.map(person, (contact) => recipientOf(contact, withheld))
    if (found === null) return standing
    if (run.action === "find_email") {
      return {
        ...standing,
        email: Option.match(to, { onNone: () => null, onSome: ({ email }) => email }),
        ...Option.match(person, { onNone: () => ({}), onSome: notToContact })
      }
    }
    switch (result?._tag) {
      case "Strategy":
        return { ...standing, strategy: result.strategy }
      case "Draft":
        return { ...standing, draft: result.draft, ...Option.isSome(to) ? { to: to.value } : {} }
      default:
        return standing
    }
  })

  /** What the asked runs are about: one thing at most. */
  const aboutOf = Effect.fnUntraced(function*(
    { contact_id, organization_id, property_id }: ListInput
  ) {
    const [given, ...others] = [contact_id, organization_id, property_id].flatMap((id) => id ?? [])
    if (others.length > 0) return yield* invalid(null, "Expected one of contact_id, organization_id and property_id")
    if (property_id !== undefined) return (yield* subjects.property(property_id)).id
    return given?.toLowerCase() ?? null
  })

  /**
   * The next `limit` runs of which the caller sees something, and where the next page goes on; null: there is none. What is
   * hidden is read past within the call, in steps that grow: a page that ended at a hidden run would tell of it, by its
   * place and by its cursor. Only behind `mostInCall` a page ends before it is full.
   */
  const seenRuns = Effect.fnUntraced(function*({ before, limit, ...wanted }: RunsWanted) {
    const { organization: { org_id: orgId } } = yield* Caller
    const seen: Array<{ readonly run: Run; readonly sight: RunSight.RunSight }> = []
    for (let after = before, step = limit + 1, inAll = 0;; step = Math.min(2 * step, mostAtOnce)) {
      const looked = yield* runs.list(orgId, { ...wanted, before: after, limit: step })
      const sight = yield* sightOf(looked)
      for (const each of looked) {
        const run = sight.seen(each)
        if (run !== null) seen.push({ run, sight })
      }
      inAll += looked.length
      const page = seen.slice(0, limit)
      const end = page.at(-1)?.run.runId ?? null
      const last = looked.at(-1)
      if (seen.length > limit) return { page, next: end }
      if (last === undefined || looked.length < step) return { page, next: null }
      const minute = minuteOf(last.runId)
      // What is on the page already is not told again.
      const next = end !== null && end < minute ? end : minute
      if (inAll >= mostInCall && (before === null || next < before)) return { page, next }
      after = last.runId
    }
  })

  /** Why no run is listed: the same whether there is none or none that the caller may be told of. */
  const nothingListed = Effect.fnUntraced(function*({ cursor: _, limit: __, ...asked }: ListInput) {
    for (const key of ["contact_id", "organization_id"] as const) {
      const id = asked[key]
      if (id !== undefined && Option.isSome(yield* Effect.option(subjects.property(id)))) {
        return [`${key} is the id of a property: send it as property_id.`]
      }
    }
    const keys = Object.keys(asked)
    return [
      keys.length === 0 ? "Nothing that you see was researched yet." : `No run that you see fits ${keys.join(", ")}.`
    ]
  })

  const list: HandlerOf<typeof ListResearchRuns> = Effect.fn("RunReader.list")(function*(input) {
    const caller = yield* Caller
    const { cursor } = input
    if (cursor !== undefined && !isRunId(cursor)) return yield* InvalidCursor.refuse()
    const aboutId = yield* aboutOf(input)
    const { next, page } = yield* seenRuns({
      action: input.action ?? null,
      aboutId,
      actorId: input.mine === true ? Acting.actor(caller).id : null,
      before: cursor?.toLowerCase() ?? null,
      limit: input.limit ?? defaultPage
    })
    const told = page.map(({ run, sight }) => ({ run, sight, claims: namedOf(sight.told(run)) }))
    const hides = (claim: KeptClaim, { isOpenUnpaid }: RunSight.RunSight) => reaches(claim) && isOpenUnpaid(claim.id)
    return {
      runs: told.map(({ claims, run, sight }) =>
        listed(
          run,
          lineOf(foundOf(run, sight), sight),
          claims.map((claim) => hides(claim, sight) ? withoutWay(claim) : claim)
        )
      ),
      next_cursor: next,
      ...noting([
        ...told.some(({ claims, sight }) => claims.some((claim) => hides(claim, sight))) ? [withoutWays] : [],
        ...page.length > 0 ? [] : next !== null ? [notYet] : cursor === undefined ? yield* nothingListed(input) : []
      ])
    }
  })

  return { status, list }
})

/**
 * Tells of many properties and contacts at once whether they could be opened and at what price.
 *
 * It asks the very decisions that an unlock and a reveal make, each item by itself and none of them applied. What is not
 * visible is told like what does not exist.
 */
import { Array as Arr, Clock, Effect, Result } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { decideReveal } from "../contact/RevealDecision.ts"
import { type ContactStandingFacts, type PropertyStanding, Standings } from "../coverage/Standings.ts"
import * as Territory from "../coverage/Territory.ts"
import { Bucket, total } from "../credit/Bucket.ts"
import type { AccountBalance, LedgerSnapshot } from "../credit/Ledger.ts"
import { Ledger } from "../credit/Ledger.ts"
import { prices } from "../credit/Price.ts"
import { type Limits, ofCaller, queryOf } from "../limit/Limits.ts"
import type { RecordRef, Usage } from "../limit/Usage.ts"
import { InvalidInput } from "../operation/InvalidInput.ts"
import { reveal } from "../property/Research.ts"
import { decideUnlock } from "../property/UnlockDecision.ts"
import { type CheckAccess, maximumIds } from "./AccessOperations.ts"

type Answer = Effect.Success<ReturnType<HandlerOf<typeof CheckAccess>>>
type Checked = Answer["properties"][number]

const unseen = (id: string): Checked => ({ id, visible: false, revealed: false, credits: null, blocked_by: null })

/** What is common to all items of a call. */
interface Facts {
  readonly caller: CallerFacts
  readonly balance: AccountBalance
  readonly limits: Limits
  readonly usage: Usage
  /** What of `usage` is about contacts, by their ids. */
  readonly freshRecords: ReadonlyMap<string, RecordRef>
  readonly freshContacts: ReadonlySet<string>
  readonly now: number
}

/** So many ids are decided within a turn of the event loop. */
const idsAtOnce = 50

/** The snapshot that opening one item by itself would see, as far as its decision looks. */
const snapshotOf = ({ balance, caller, usage }: Facts, more: Partial<LedgerSnapshot>): LedgerSnapshot => ({
  version: 0,
  organization: caller.organization,
  grants: Bucket.literals.map((bucket) => ({
    ref: bucket,
    bucket,
    remaining: balance.balance[bucket],
    expiresAt: null
  })),
  access: null,
  openedByProperty: false,
  exportsUsed: 0,
  entry: null,
  refundedBy: null,
  usage,
  ...more
})

/** The recorded access; which charge paid for it decides nothing. */
const accessOf = (source: "paid" | "covered" | "free" | null): LedgerSnapshot["access"] =>
  source === null ? null : { source, chargeEntry: null }

const payerOf = ({ caller, limits, now }: Facts) => ({
  actor: Acting.actor(caller),
  requestId: caller.requestId,
  limits,
  now
})

const blockedBy = ({ _tag: code, message }: { readonly _tag: string; readonly message: string }) => ({ code, message })

const propertyOf = (facts: Facts, id: string, property: PropertyStanding | undefined): Checked => {
  if (
    property === undefined || property.retiredInto !== null || !Territory.sees(facts.caller, property.countyFips)
  ) return unseen(id)
  const { access, researched } = property
  const covered = Territory.covers(facts.caller.organization, property.countyFips)
  const { researchRevealed: revealed } = reveal({ researched, unlocked: access === "paid", covered })
  const decided = decideUnlock(snapshotOf(facts, { access: accessOf(access) }), {
    ...payerOf(facts),
    propertyId: property.id,
    covered,
    researched,
    price: prices.unlock_property
  })
  const free = access === "paid" || covered
  return {
    id,
    visible: true,
    revealed,
    credits: free ? 0 : researched ? prices.unlock_property : null,
    blocked_by: Result.isFailure(decided) ? blockedBy(decided.failure) : null
  }
}

const contactOf = (facts: Facts, id: string, contact: ContactStandingFacts | undefined): Checked => {
  if (contact === undefined || !contact.counties.some((countyFips) => Territory.sees(facts.caller, countyFips))) {
    return unseen(id)
  }
  const { access, openedByProperty } = contact
  const covered = contact.counties.some((countyFips) => Territory.covers(facts.caller.organization, countyFips))
  const { freshContacts, freshRecords, usage } = facts
  const record = freshRecords.get(contact.id)
  const decided = decideReveal(
    snapshotOf(facts, {
      access: accessOf(access),
      openedByProperty,
      usage: {
        ...usage,
        freshRecords: record === undefined ? [] : [record],
        freshContacts: freshContacts.has(contact.id) ? [contact.id] : []
      }
    }),
    { ...payerOf(facts), contactId: contact.id, covered, price: prices.reveal_contact }
  )
  const revealed = access === "paid" || openedByProperty || covered
  return {
    id,
    visible: true,
    revealed,
    credits: revealed ? 0 : prices.reveal_contact,
    blocked_by: Result.isFailure(decided) ? blockedBy(decided.failure) : null
  }
}

/** Decides about some ids now and about the others in later turns of the event loop. */
const inTurns = (ids: ReadonlyArray<string>, decide: (id: string) => Checked): Effect.Effect<ReadonlyArray<Checked>> =>
  Effect.map(
    Effect.forEach(
      Arr.chunksOf(ids, idsAtOnce),
      (some) => Effect.andThen(Effect.yieldNow, Effect.sync(() => some.map(decide)))
    ),
    Arr.flatten
  )

export const make = Effect.gen(function*() {
  const standings = yield* Standings
  const ledger = yield* Ledger

  const check: HandlerOf<typeof CheckAccess> = Effect.fn("AccessChecker.check")(function*(input) {
    const caller = yield* Caller
    const asked = { properties: input.property_ids ?? [], contacts: input.contact_ids ?? [] }
    const count = asked.properties.length + asked.contacts.length
    if (count === 0 || count > maximumIds) {
      const message = `Expected 1 to ${maximumIds} ids in property_ids and contact_ids together`
      return yield* new InvalidInput({ issues: [{ field: null, message }] })
    }
    yield* Territory.requireSome(caller)
    const now = yield* Clock.currentTimeMillis
    const limits = ofCaller(caller, now)
    const { org_id: orgId } = caller.organization
    const canonical = (ids: ReadonlyArray<string>) => Array.from(new Set(ids.map((id) => id.toLowerCase())))
    const contacts = canonical(asked.contacts)
    const [found, balance, usage] = yield* Effect.all([
      standings.read({ orgId, properties: canonical(asked.properties), contacts }),
      ledger.balance(orgId, now),
      ledger.usage(
        orgId,
        queryOf(limits, { contacts, records: contacts.map((id): RecordRef => ({ kind: "contact", id })) })
      )
    ], { concurrency: 3 })
    const facts: Facts = {
      caller,
      balance,
      limits,
      usage,
      freshRecords: new Map(usage.freshRecords.map((record) => [record.id, record])),
      freshContacts: new Set(usage.freshContacts),
      now
    }
    const byId = <A extends { readonly id: string }>(items: ReadonlyArray<A>) =>
      new Map(items.map((item) => [item.id, item]))
    const [knownProperties, knownContacts] = [byId(found.properties), byId(found.contacts)]
    const properties = yield* inTurns(
      asked.properties,
      (id) => propertyOf(facts, id, knownProperties.get(id.toLowerCase()))
    )
    const people = yield* inTurns(
      asked.contacts,
      (id) => contactOf(facts, id, knownContacts.get(id.toLowerCase()))
    )
    const distinct = byId([...properties, ...people].map((item) => ({ ...item, id: item.id.toLowerCase() })))
    return {
      properties,
      contacts: people,
      total_credits: Array.from(distinct.values()).reduce((sum, { credits }) => sum + (credits ?? 0), 0),
      available_credits: total(balance.balance)
    }
  })

  return { check }
})

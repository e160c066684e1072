/**
 * What opening a property or a person would cost, and what stands in the way: the very decisions that an unlock and a reveal
 * make, each by itself and none of them applied. What is not visible is told like what does not exist.
 */
import { Clock, Effect, Result } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import { decideReveal } from "../contact/RevealDecision.ts"
import { isOpen } from "../coverage/OpenContact.ts"
import type { ContactStandingFacts, PropertyStanding } from "../coverage/Standings.ts"
import * as Territory from "../coverage/Territory.ts"
import { Bucket } from "../credit/Bucket.ts"
import { type AccountBalance, Ledger, type LedgerSnapshot } from "../credit/Ledger.ts"
import { prices } from "../credit/Price.ts"
import { type Limits, ofCaller, queryOf } from "../limit/Limits.ts"
import type { RecordRef, Usage } from "../limit/Usage.ts"
import { reveal } from "../property/Research.ts"
import { decideUnlock } from "../property/UnlockDecision.ts"

/** One item, as it was asked. */
export interface Checked {
  readonly id: string
  readonly visible: boolean
  readonly revealed: boolean
  /** null: it cannot be opened. */
  readonly credits: number | null
  readonly blocked_by: { readonly code: string; readonly message: string } | null
}

const unseen = (id: string): Checked => ({ id, visible: false, revealed: false, credits: null, blocked_by: null })

/** What is common to all items of a call. */
export interface Facts {
  readonly caller: CallerFacts
  readonly balance: AccountBalance
  readonly limits: Limits
  readonly usage: Usage
  /** What of `usage` is about contacts, by their ids. */
  readonly freshRecords: ReadonlyMap<string, RecordRef>
  readonly freshContacts: ReadonlySet<string>
  readonly now: number
}

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

/** What an unlock would be answered. */
export const propertyOf = (facts: Facts, id: string, property: PropertyStanding | undefined): Checked => {
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

/** What a reveal would be answered. */
export const contactOf = (facts: Facts, id: string, contact: ContactStandingFacts | undefined): Checked => {
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
  const revealed = isOpen(contact, facts.caller.organization)
  return {
    id,
    visible: true,
    revealed,
    credits: revealed ? 0 : prices.reveal_contact,
    blocked_by: Result.isFailure(decided) ? blockedBy(decided.failure) : null
  }
}

/** The facts about the caller that the decisions need, and what of the contacts is counted already. */
export const factsOf = Effect.fn("Opening.factsOf")(function*(contacts: ReadonlyArray<string>) {
  const ledger = yield* Ledger
  const caller = yield* Caller
  const now = yield* Clock.currentTimeMillis
  const limits = ofCaller(caller, now)
  const { org_id: orgId } = caller.organization
  const records = contacts.map((id): RecordRef => ({ kind: "contact", id }))
  const [balance, usage] = yield* Effect.all([
    ledger.balance(orgId, now),
    ledger.usage(orgId, queryOf(limits, { contacts, records }))
  ], { concurrency: 2 })
  const facts: Facts = {
    caller,
    balance,
    limits,
    usage,
    freshRecords: new Map(usage.freshRecords.map((record) => [record.id, record])),
    freshContacts: new Set(usage.freshContacts),
    now
  }
  return facts
})

/**
 * What an organization has used of its daily limits and its records allowance, and what a call adds to it.
 *
 * The ledger keeps it beside the money: it is read, decided on and written under the same lock.
 */
import type { DailyLimitKind } from "../organization/Organization.ts"
import type { Used } from "./DailyLimit.ts"
import type { Spender } from "./MemberSpending.ts"
import type { RecordsUse } from "./RecordsAllowance.ts"

/** One property, firm (`organization` on the wire) or person, delivered in full. */
export interface RecordRef {
  readonly kind: "property" | "organization" | "contact"
  readonly id: string
}

/** What a call wants to know. Times are milliseconds. */
export interface UsageQuery {
  /** The key that calls; null: no key does. */
  readonly credentialId: string | null
  readonly now: number
  /** The first millisecond of the UTC day. */
  readonly day: number
  /** The first millisecond of the billing period. */
  readonly period: number
  /** Records that might be delivered in full. */
  readonly records: ReadonlyArray<RecordRef>
  /** Contacts that might be disclosed only because the subscription covers them. */
  readonly contacts: ReadonlyArray<string>
  /** The member whose spending is asked for; null: nobody's. */
  readonly spender: Spender | null
}

export interface Usage {
  /** Of the day. */
  readonly today: Readonly<Record<DailyLimitKind, Used>>
  readonly records: RecordsUse
  /** All records taken in the period, those of the initial load included. */
  readonly byKind: Readonly<Record<RecordRef["kind"], number>>
  /** Webhook deliveries of which it is not known yet whether they arrive, and the records that they would take. */
  readonly underWay: { readonly exports: number; readonly records: number }
  /** Of the records asked for: those not yet taken in the period, each once. */
  readonly freshRecords: ReadonlyArray<RecordRef>
  /** Of the contacts asked for: those not yet counted on the day, each once, in the order of the query. */
  readonly freshContacts: ReadonlyArray<string>
  /** What the spender's charges of the month come to, those that were refunded left out; 0 without a spender. */
  readonly spent: number
}

const unused: Used = { organization: 0, key: 0 }

/** Nothing used, and nothing asked for. */
export const none: Usage = {
  today: {
    contact_reveal: unused,
    lead_export: unused,
    agent_pipeline_change: unused,
    paid_property_unlock: unused,
    records_taken_per_day: unused
  },
  records: { initial: 0, recurring: 0 },
  byKind: { property: 0, organization: 0, contact: 0 },
  underWay: { exports: 0, records: 0 },
  freshRecords: [],
  freshContacts: [],
  spent: 0
}

/** What a decision adds. The records add to `records_taken_per_day` by themselves. */
export interface Counted {
  readonly kinds: Readonly<Partial<Record<Exclude<DailyLimitKind, "records_taken_per_day">, number>>>
  /** Covered contacts, not to be counted again on the day. */
  readonly contacts: ReadonlyArray<string>
  /** Records not taken before in the period, each once. */
  readonly records: ReadonlyArray<RecordRef>
  /** How many of them the initial load pays for. */
  readonly fromInitial: number
}

/** Counts nothing. */
export const nothing: Counted = { kinds: {}, contacts: [], records: [], fromInitial: 0 }

/** Whether there is nothing to count. */
export const isNothing = (counted: Counted): boolean =>
  counted.records.length === 0 && counted.contacts.length === 0
  && Object.values(counted.kinds).every((amount) => amount === 0)

/** The name by which a taken record is kept: its kind and its id. */
export const recordKey = ({ id, kind }: RecordRef): string => `${kind} ${id}`

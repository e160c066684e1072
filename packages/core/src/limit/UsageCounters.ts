/**
 * Usage as named counters, for an adapter that keeps one number a name: how to read it, and what to add.
 *
 * | name                            | counts                                                      |
 * | ------------------------------- | ----------------------------------------------------------- |
 * | `use <day> <kind> <key>`        | what the key used that day; without a key, the organization |
 * | `disclosed <day> <contact>`     | 1: the covered contact was counted that day                 |
 * | `taken <period> <kind> <id>`    | 1: the record was taken in that period                      |
 * | `records <period> <kind>`       | the records of that kind taken in that period               |
 * | `recurring <period>`            | those of them that the initial load did not pay for         |
 * | `initial`                       | the records that it did pay for, ever                       |
 *
 * Days and periods are named by their first millisecond. The names are one organization's own.
 */
import { DailyLimitKind } from "../organization/Organization.ts"
import type { Used } from "./DailyLimit.ts"
import { type Counted, recordKey, type RecordRef, type Usage, type UsageQuery } from "./Usage.ts"

const recordKinds: ReadonlyArray<RecordRef["kind"]> = ["property", "organization", "contact"]

const useName = (day: number, kind: DailyLimitKind, key: string | null): string => `use ${day} ${kind} ${key ?? ""}`
const disclosedName = (day: number, id: string): string => `disclosed ${day} ${id}`
const takenName = (period: number, record: RecordRef): string => `taken ${period} ${recordKey(record)}`
const recordsName = (period: number, kind: RecordRef["kind"]): string => `records ${period} ${kind}`
const recurringName = (period: number): string => `recurring ${period}`
const initialName = "initial"

const unique = <A>(items: ReadonlyArray<A>, key: (item: A) => string): ReadonlyArray<A> =>
  Array.from(new Map(items.map((item) => [key(item), item])).values())

/** The usage that the counters tell, beside what they do not. `read` answers 0 for a name that it does not have. */
export const usageOf = (
  query: UsageQuery,
  beside: Pick<Usage, "underWay" | "spent">,
  read: (name: string) => number
): Usage => {
  const { contacts, credentialId, day, period, records } = query
  const used = (kind: DailyLimitKind): Used => ({
    organization: read(useName(day, kind, null)),
    key: credentialId === null ? 0 : read(useName(day, kind, credentialId))
  })
  return {
    today: {
      contact_reveal: used("contact_reveal"),
      lead_export: used("lead_export"),
      agent_pipeline_change: used("agent_pipeline_change"),
      paid_property_unlock: used("paid_property_unlock"),
      records_taken_per_day: used("records_taken_per_day")
    },
    records: { initial: read(initialName), recurring: read(recurringName(period)) },
    byKind: {
      property: read(recordsName(period, "property")),
      organization: read(recordsName(period, "organization")),
      contact: read(recordsName(period, "contact"))
    },
    underWay: beside.underWay,
    freshRecords: unique(records, recordKey).filter((record) => read(takenName(period, record)) === 0),
    freshContacts: unique(contacts, (id) => id).filter((id) => read(disclosedName(day, id)) === 0),
    spent: beside.spent
  }
}

/** What to add to the counters. */
export const additionsOf = (
  { credentialId, day, period }: UsageQuery,
  { contacts, fromInitial, kinds, records }: Counted
): ReadonlyArray<readonly [name: string, amount: number]> => {
  const used = { ...kinds, records_taken_per_day: records.length }
  const keys = credentialId === null ? [null] : [null, credentialId]
  const all: ReadonlyArray<readonly [string, number]> = [
    ...DailyLimitKind.literals.flatMap((kind) =>
      keys.map((key) => [useName(day, kind, key), used[kind] ?? 0] as const)
    ),
    ...contacts.map((id) => [disclosedName(day, id), 1] as const),
    ...records.map((record) => [takenName(period, record), 1] as const),
    ...recordKinds.map((kind) =>
      [recordsName(period, kind), records.filter((record) => record.kind === kind).length] as const
    ),
    [recurringName(period), records.length - fromInitial],
    [initialName, fromInitial]
  ]
  return all.filter(([, amount]) => amount > 0)
}

/** One organization's use of its limits in the in-memory state: read, and added to. */
import type { DailyLimitKind } from "../access/Organization.ts"
import { DailyLimitKind as Kinds } from "../access/Organization.ts"
import type { Used } from "../limit/DailyLimit.ts"
import { type Counted, recordKey, type RecordRef, type Usage, type UsageQuery } from "../limit/Usage.ts"
import type { RecordsOfPeriod, State, StoredAccount, StoredUsage } from "./MemoryState.ts"

export const emptyUsage: StoredUsage = { days: new Map(), disclosed: new Set(), taken: new Set(), periods: new Map() }

/** What an organization that did nothing yet has. */
export const emptyAccount: StoredAccount = {
  entries: [],
  grants: new Map(),
  properties: new Map(),
  contacts: new Map(),
  own: new Map(),
  exports: new Map(),
  usage: emptyUsage
}

const emptyPeriod: RecordsOfPeriod = { initial: 0, recurring: 0, byKind: { property: 0, organization: 0, contact: 0 } }

/** `scope` null: the whole organization. */
const dayKey = (day: number, kind: DailyLimitKind, scope: string | null): string => `${day} ${kind} ${scope ?? ""}`

const unique = <A>(items: ReadonlyArray<A>, key: (item: A) => string): ReadonlyArray<A> =>
  Array.from(new Map(items.map((item) => [key(item), item])).values())

const underWay = (state: State, orgId: string, now: number): Usage["underWay"] => {
  const held = [...state.deliveries.values()].filter(({ booking, claim, claimedUntil, hold, orgId: owner }) =>
    owner === orgId && hold !== null &&
    (booking === "pending" || booking === "running" ||
      hold.claim === claim && claimedUntil !== null && claimedUntil > now)
  )
  return { exports: held.length, records: held.reduce((sum, { hold }) => sum + (hold?.records ?? 0), 0) }
}

export const usageOf = (state: State, orgId: string, query: UsageQuery): Usage => {
  const { days, disclosed, periods, taken } = (state.accounts.get(orgId) ?? emptyAccount).usage
  const used = (kind: DailyLimitKind): Used => ({
    organization: days.get(dayKey(query.day, kind, null)) ?? 0,
    key: query.credentialId === null ? 0 : days.get(dayKey(query.day, kind, query.credentialId)) ?? 0
  })
  const { byKind, recurring } = periods.get(query.period) ?? emptyPeriod
  return {
    today: {
      contact_reveal: used("contact_reveal"),
      lead_export: used("lead_export"),
      agent_pipeline_change: used("agent_pipeline_change"),
      paid_property_unlock: used("paid_property_unlock"),
      records_taken_per_day: used("records_taken_per_day")
    },
    records: { initial: [...periods.values()].reduce((sum, period) => sum + period.initial, 0), recurring },
    byKind,
    underWay: underWay(state, orgId, query.now),
    freshRecords: unique(query.records, recordKey).filter((record) =>
      !taken.has(`${query.period} ${recordKey(record)}`)
    ),
    freshContacts: unique(query.contacts, (id) => id).filter((id) => !disclosed.has(`${query.day} ${id}`))
  }
}

/** What was used after the decision. */
export const counting = (stored: StoredUsage, query: UsageQuery, counted: Counted): StoredUsage => {
  const days = new Map(stored.days)
  const added = { ...counted.kinds, records_taken_per_day: counted.records.length }
  for (const kind of Kinds.literals) {
    const amount = added[kind] ?? 0
    const scopes = query.credentialId === null ? [null] : [null, query.credentialId]
    for (const key of amount === 0 ? [] : scopes.map((scope) => dayKey(query.day, kind, scope))) {
      days.set(key, (days.get(key) ?? 0) + amount)
    }
  }
  const before = stored.periods.get(query.period) ?? emptyPeriod
  const of = (kind: RecordRef["kind"]) =>
    before.byKind[kind] + counted.records.filter((record) => record.kind === kind).length
  return {
    days,
    disclosed: new Set([...stored.disclosed, ...counted.contacts.map((id) => `${query.day} ${id}`)]),
    taken: new Set([...stored.taken, ...counted.records.map((record) => `${query.period} ${recordKey(record)}`)]),
    periods: counted.records.length === 0 ? stored.periods : new Map(stored.periods).set(query.period, {
      initial: before.initial + counted.fromInitial,
      recurring: before.recurring + counted.records.length - counted.fromInitial,
      byKind: { property: of("property"), organization: of("organization"), contact: of("contact") }
    })
  }
}

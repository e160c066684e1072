/**
 * `Ledger` in memory.
 *
 * Each organization's calls go one at a time, and a call lets others run between reading and applying, as one over a
 * database would: what is exact here is exact by the turns, not by luck.
 */
import { Effect, Layer } from "effect"
import { inBurnDownOrder, spendable } from "../../credit/BurnDown.ts"
import {
  type AccessRecord,
  Ledger,
  type LedgerDecision,
  type LedgerSnapshot,
  type Subject
} from "../../credit/Ledger.ts"
import { numbered, type StoredEntry, takenProperty } from "../../credit/LedgerDecision.ts"
import * as Turns from "../../credit/Turns.ts"
import { spentIn } from "../../limit/MemberSpending.ts"
import { type Counted, none, type Usage, type UsageQuery } from "../../limit/Usage.ts"
import * as UsageCounters from "../../limit/UsageCounters.ts"
import { monthStart } from "../../operation/UtcTime.ts"
import { survivor } from "../change/ChangeFacts.ts"
import { MemoryState, type State, type StoredAccount } from "../MemoryState.ts"
import { alongside } from "../MemoryTransaction.ts"
import { opensPeople } from "../property/PropertyReading.ts"
import { unlessRetired } from "../property/Retired.ts"

/** The account of an organization that has had none. */
export const emptyAccount: StoredAccount = {
  entries: [],
  grants: new Map(),
  properties: new Map(),
  contacts: new Map(),
  mergedCharges: new Map(),
  own: new Map(),
  exports: new Map(),
  usage: new Map()
}

const ownKey = (action: string, id: string): string => `${action} ${id}`

const itemOf = (subject: Subject): string => {
  switch (subject._tag) {
    case "Property":
      return `property ${subject.propertyId}`
    case "Contact":
      return `contact ${subject.contactId}`
    case "Firm":
      return `firm ${subject.firmId}`
    case "Own":
      return `own ${ownKey(subject.action, subject.subjectId)}`
    case "Exports":
      return `exports ${subject.monthStart}`
    case "Research":
      return `research ${subject.launch}`
    case "Grant":
      return `grant ${subject.ref}`
    case "Entry":
      return `entry ${subject.entry}`
  }
}

const accessOf = (account: StoredAccount, subject: Subject): AccessRecord | null => {
  if (subject._tag === "Property") return account.properties.get(subject.propertyId) ?? null
  if (subject._tag === "Exports") return account.properties.get(subject.propertyId ?? "") ?? null
  if (subject._tag === "Contact") return account.contacts.get(subject.contactId) ?? null
  if (subject._tag === "Own") return account.own.get(ownKey(subject.action, subject.subjectId)) ?? null
  return null
}

const entryOf = (account: StoredAccount, subject: Subject): StoredEntry | null => {
  if (subject._tag === "Grant") {
    return account.entries.find((entry) => entry.kind === "grant" && entry.ref === subject.ref) ?? null
  }
  if (subject._tag === "Entry") return account.entries.find((entry) => entry.entry === subject.entry) ?? null
  return null
}

/** Webhook deliveries of which it is not known yet whether they arrive. */
const underWay = (state: State, orgId: string, now: number): Usage["underWay"] => {
  const held = [...state.deliveries.values()].filter(({ claim, claimedUntil, hold, orgId: owner }) =>
    owner === orgId && hold?.claim === claim && claimedUntil !== null && claimedUntil > now
  )
  return { exports: held.length, records: held.reduce((sum, { hold }) => sum + (hold?.records ?? 0), 0) }
}

/** What was used, as the query asks it. */
export const usageOf = (state: State, orgId: string, query: UsageQuery): Usage => {
  const { entries, usage } = state.accounts.get(orgId) ?? emptyAccount
  const beside = {
    underWay: underWay(state, orgId, query.now),
    spent: query.spender === null ? 0 : spentIn(entries, query.spender)
  }
  return UsageCounters.usageOf(query, beside, (name) => usage.get(name) ?? 0)
}

/** The usage with what a decision counted. */
export const counting = (
  usage: StoredAccount["usage"],
  query: UsageQuery,
  counted: Counted
): StoredAccount["usage"] => {
  const after = new Map(usage)
  for (const [name, amount] of UsageCounters.additionsOf(query, counted)) {
    after.set(name, (after.get(name) ?? 0) + amount)
  }
  return after
}

const snapshotOf = (
  state: State,
  orgId: string,
  subject: Subject,
  usage: UsageQuery | undefined
): LedgerSnapshot | null => {
  const organization = state.organizations.get(orgId)
  if (organization === undefined) return null
  const account = state.accounts.get(orgId) ?? emptyAccount
  const entry = entryOf(account, subject)
  const touched = subject._tag === "Entry" && entry !== null ? entry.allocations.map(({ grantRef }) => grantRef) : []
  return {
    version: account.entries.length,
    organization,
    grants: inBurnDownOrder(account.grants.values()).filter(({ ref, remaining }) =>
      remaining > 0 || touched.includes(ref)
    ),
    access: accessOf(account, subject),
    openedByProperty: subject._tag === "Contact" &&
      state.propertyContacts.some(({ contactId, propertyId }) =>
        contactId === subject.contactId && opensPeople(state, account, propertyId)
      ),
    exportsUsed: subject._tag === "Exports" ? account.exports.get(subject.monthStart) ?? 0 : 0,
    entry,
    refundedBy: subject._tag === "Entry"
      ? account.entries.find((each) => each.refund_of === subject.entry)?.entry ?? null
      : null,
    usage: usage === undefined ? none : usageOf(state, orgId, usage)
  }
}

/** What was bought under an id that was merged away stands with the survivor. */
const heirOf = (state: State, propertyId: string): string => survivor(state, propertyId)?.id ?? propertyId

/**
 * The first charge that stands and opens the property as well: one for a record that was merged with it, or one that
 * includes its unlock; null: none does.
 */
const alsoOpenedBy = (
  state: State,
  entries: ReadonlyArray<StoredEntry>,
  mergedCharges: StoredAccount["mergedCharges"],
  propertyId: string
): number | null =>
  entries.find((charge) =>
    charge.kind === "charge" && (
      mergedCharges.get(charge.entry) === propertyId
      || charge.action === "research_property" && charge.subject_id !== null
        && heirOf(state, charge.subject_id) === propertyId
    ) && !entries.some(({ refund_of: refunded }) => refunded === charge.entry)
  )?.entry ?? null

/** The account after the decision. */
const applied = (
  state: State,
  account: StoredAccount,
  subject: Subject,
  usage: UsageQuery | undefined,
  decision: LedgerDecision<unknown>,
  entries: ReadonlyArray<StoredEntry>
): StoredAccount => {
  const grants = new Map(account.grants)
  for (const grant of decision.newGrants) grants.set(grant.ref, grant)
  for (const entry of entries) {
    for (const { amount, grantRef } of entry.allocations) {
      const grant = grants.get(grantRef)
      if (grant === undefined) continue
      const change = entry.kind === "refund" ? amount : -amount
      grants.set(grantRef, { ...grant, remaining: grant.remaining + change })
    }
  }
  const records = {
    property: new Map(account.properties),
    contact: new Map(account.contacts),
    own: new Map(account.own)
  }
  const mergedCharges = new Map(account.mergedCharges)
  const after = [...account.entries, ...entries]
  const chargeEntry = entries.find((entry) => entry.kind === "charge")?.entry ?? null
  const removeProperty = (change: { readonly id: string; readonly chargeEntry: number }): void => {
    const id = heirOf(state, change.id)
    mergedCharges.delete(change.chargeEntry)
    if (records.property.get(id)?.chargeEntry !== change.chargeEntry) return
    const other = alsoOpenedBy(state, after, mergedCharges, id)
    if (other === null) records.property.delete(id)
    else {
      mergedCharges.delete(other)
      records.property.set(id, { source: "paid", chargeEntry: other })
    }
  }
  for (const change of decision.access) {
    const key = change.kind === "own" ? ownKey(change.action, change.id) : change.id
    const held = records[change.kind].get(key)
    switch (change._tag) {
      case "Record": {
        const { source } = change
        records[change.kind].set(key, { source, chargeEntry: source === "paid" ? chargeEntry : null })
        break
      }
      case "Include":
        if (held?.source !== "paid") records.property.set(key, { source: "paid", chargeEntry: change.chargeEntry })
        break
      case "Remove": {
        if (change.kind === "property") removeProperty(change)
        else if (held?.chargeEntry === change.chargeEntry) records[change.kind].delete(key)
      }
    }
  }
  const exports = new Map(account.exports)
  if (subject._tag === "Exports" && decision.exports > 0) {
    exports.set(subject.monthStart, (exports.get(subject.monthStart) ?? 0) + decision.exports)
  }
  return {
    entries: after,
    grants,
    properties: records.property,
    contacts: records.contact,
    mergedCharges,
    own: records.own,
    exports,
    usage: usage === undefined ? account.usage : counting(account.usage, usage, decision.counted)
  }
}

/** Marks the delivery that is under way from now on. */
const hold = (state: State, holds: LedgerDecision<unknown>["holds"]): void => {
  const delivery = holds === null ? undefined : state.deliveries.get(holds.deliveryId)
  if (holds === null || delivery === undefined) return
  state.deliveries.set(delivery.id, { ...delivery, hold: { claim: holds.claim, records: holds.records } })
}

/** The properties that the decision opens. */
const openedBy = ({ access }: LedgerDecision<unknown>): ReadonlyArray<string> =>
  access.flatMap((change) => change.kind === "property" && change._tag !== "Remove" ? [change.id] : [])

const withoutAllocations = ({ allocations: _, ...entry }: StoredEntry) => entry

/** `Ledger` in memory. */
export const layer: Layer.Layer<Ledger, never, MemoryState> = Layer.effect(
  Ledger,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const turns = Turns.make()
    const accountOf = (orgId: string) => state.accounts.get(orgId) ?? emptyAccount

    const inTurn: Ledger["Service"]["transact"] = Effect.fnUntraced(function*(command, decide) {
      const { now, orgId, subject, usage } = command
      const snapshot = snapshotOf(state, orgId, subject, usage)
      if (snapshot === null) return yield* Effect.die(`there is no organization ${orgId}`)
      yield* Effect.yieldNow
      const decision = yield* Effect.fromResult(decide(snapshot))
      yield* Effect.yieldNow
      yield* unlessRetired(state, [...openedBy(decision), ...takenProperty(subject, decision)], () => Effect.void)
      // A change of the settings takes no turn: what it overtook is decided by the new ones.
      if (state.organizations.get(orgId) !== snapshot.organization) return yield* inTurn(command, decide)
      const entries = numbered(snapshot, decision.entries, now)
      state.accounts.set(orgId, applied(state, accountOf(orgId), subject, usage, decision, entries))
      hold(state, decision.holds)
      return decision.value
    })

    return Ledger.of({
      transact: Effect.fn("Ledger.transact")((command, decide) => {
        const { exclusive, orgId, subject } = command
        const item = exclusive ? itemOf(subject) : null
        return alongside(state, turns.take({ orgId, item }, inTurn(command, decide)))
      }),
      balance: Effect.fn("Ledger.balance")((orgId, now) =>
        Effect.sync(() => {
          const account = accountOf(orgId)
          return {
            balance: spendable(account.grants.values(), now),
            exportsUsed: account.exports.get(monthStart(now)) ?? 0
          }
        })
      ),
      usage: Effect.fn("Ledger.usage")((orgId, query) => Effect.sync(() => usageOf(state, orgId, query))),
      entries: Effect.fn("Ledger.entries")((orgId, { after, limit, since = -Infinity, until = Infinity }) =>
        Effect.sync(() =>
          accountOf(orgId).entries
            .slice(after)
            .filter(({ at }) => Date.parse(at) >= since && Date.parse(at) < until)
            .slice(0, limit)
            .map(withoutAllocations)
        )
      )
    })
  })
)

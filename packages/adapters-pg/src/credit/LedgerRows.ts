/** What the ledger's functions answer and take, and what that is to the domain. */
import { Bucket } from "@freehold/core/credit/Bucket"
import type { Ledger, LedgerDecision, LedgerSnapshot, Subject } from "@freehold/core/credit/Ledger"
import { numbered } from "@freehold/core/credit/LedgerDecision"
import { Allocation, LedgerEntry } from "@freehold/core/credit/LedgerEntry"
import { isNothing, none, type Usage, type UsageQuery } from "@freehold/core/limit/Usage"
import { DailyLimitKind, Organization } from "@freehold/core/organization/Organization"
import { Schema, Struct } from "effect"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const StoredEntry = LedgerEntry.mapFields(Struct.assign({ allocations: Schema.Array(Allocation) }))

/** What `ledger_usage` answers. */
export const UsageFacts = Schema.Struct({
  today: Schema.Array(Schema.Struct({ kind: DailyLimitKind, scope: Schema.String, used: Count })),
  initial: Count,
  period: Schema.NullOr(
    Schema.Struct({ recurring: Count, property: Count, organization: Count, contact: Count })
  ),
  underWay: Schema.Struct({ exports: Count, records: Count }),
  freshRecords: Schema.Array(
    Schema.Struct({ kind: Schema.Literals(["property", "organization", "contact"]), id: Schema.String })
  ),
  freshContacts: Schema.Array(Schema.String),
  spent: Count
})

/** What `ledger_snapshot` answers. */
export const Snapshot = Schema.Struct({
  revision: Count,
  version: Count,
  organization: Organization.mapFields(
    Struct.pick(["plan", "status", "payment_status", "credits_dormant", "features", "export_allowance"])
  ),
  grants: Schema.Array(Schema.Struct({
    ref: Schema.String,
    bucket: Bucket,
    remaining: Count,
    expiresAt: Schema.NullOr(Schema.Int)
  })),
  access: Schema.NullOr(Schema.Struct({
    source: Schema.Literals(["paid", "covered", "free"]),
    chargeEntry: Schema.NullOr(Schema.Int)
  })),
  openedByProperty: Schema.Boolean,
  exportsUsed: Count,
  entry: Schema.NullOr(StoredEntry),
  refundedBy: Schema.NullOr(Schema.Int),
  usage: Schema.NullOr(UsageFacts)
})
export type Snapshot = typeof Snapshot.Type

export const usageOf = (facts: typeof UsageFacts.Type): Usage => {
  const used = (kind: DailyLimitKind) => {
    const of = facts.today.filter((each) => each.kind === kind)
    return {
      organization: of.find(({ scope }) => scope === "")?.used ?? 0,
      key: of.find(({ scope }) => scope !== "")?.used ?? 0
    }
  }
  return {
    today: {
      contact_reveal: used("contact_reveal"),
      lead_export: used("lead_export"),
      agent_pipeline_change: used("agent_pipeline_change"),
      paid_property_unlock: used("paid_property_unlock"),
      records_taken_per_day: used("records_taken_per_day")
    },
    records: { initial: facts.initial, recurring: facts.period?.recurring ?? 0 },
    byKind: facts.period === null
      ? none.byKind
      : { property: facts.period.property, organization: facts.period.organization, contact: facts.period.contact },
    underWay: facts.underWay,
    freshRecords: facts.freshRecords,
    freshContacts: facts.freshContacts,
    spent: facts.spent
  }
}

export const snapshotOf = ({ usage, ...facts }: Snapshot): LedgerSnapshot => ({
  ...facts,
  usage: usage === null ? none : usageOf(usage)
})

/** The subject as text, as `ledger_snapshot` reads it by its kind. */
export const subjectText = (subject: Subject): string => {
  switch (subject._tag) {
    case "Property":
      return subject.propertyId
    case "Contact":
      return subject.contactId
    case "Firm":
      return subject.firmId
    case "Own":
      return `${subject.action} ${subject.subjectId}`
    case "Exports":
      return subject.propertyId === undefined ? `${subject.monthStart}` : `${subject.monthStart} ${subject.propertyId}`
    case "Research":
      return subject.launch
    case "Grant":
      return subject.ref
    case "Entry":
      return String(subject.entry)
  }
}

/** A decision as `ledger_apply` takes it. */
export interface Change {
  readonly decision: object
  /** What `ledger_count` is to add; null: nothing. */
  readonly counted: object | null
}

type Command = Pick<Parameters<Ledger["Service"]["transact"]>[0], "now" | "subject" | "usage">

const countedOf = (usage: UsageQuery | undefined, { counted, holds }: LedgerDecision<unknown>): object | null =>
  usage === undefined || isNothing(counted) && holds === null ? null : {
    day: usage.day,
    period: usage.period,
    credentialId: usage.credentialId,
    ...counted,
    kinds: { ...counted.kinds, records_taken_per_day: counted.records.length },
    holds
  }

/** null: there is nothing to write. */
export const changeOf = (
  { now, subject, usage }: Command,
  snapshot: Pick<LedgerSnapshot, "grants" | "version">,
  decision: LedgerDecision<unknown>
): Change | null => {
  const { access, entries, exports, newGrants } = decision
  const counted = countedOf(usage, decision)
  if (entries.length === 0 && access.length === 0 && exports === 0 && counted === null) return null
  return {
    decision: {
      version: snapshot.version,
      entries: numbered(snapshot, entries, now),
      newGrants,
      access,
      exports,
      month: subject._tag === "Exports" ? subject.monthStart : null
    },
    counted
  }
}

/**
 * What the snapshot of another call is to be once the decision is applied, as far as it tells by itself: of the most
 * frequent decisions, charges that a day counts. null: of others it is not foretold.
 *
 * *Gotcha.* Nothing rests on it but speed: the database holds it against what it finds (`expectationOf`).
 */
export const foretold = (
  snapshot: Snapshot,
  { usage }: Command,
  { counted, entries, exports, holds, newGrants }: LedgerDecision<unknown>
): Snapshot | null => {
  const isMore = newGrants.length > 0 || exports > 0 || holds !== null
    || counted.records.length > 0 || counted.contacts.length > 0
    || entries.some(({ kind }) => kind !== "charge")
  if (isMore) return null
  const taken = (ref: string) =>
    entries.flatMap(({ allocations }) => allocations).reduce(
      (sum, { amount, grantRef }) => grantRef === ref ? sum + amount : sum,
      0
    )
  const used = (kind: DailyLimitKind, scope: string) =>
    kind !== "records_taken_per_day" && (scope === "" || scope === usage?.credentialId) ? counted.kinds[kind] ?? 0 : 0
  return {
    ...snapshot,
    version: snapshot.version + entries.length,
    grants: snapshot.grants
      .map((grant) => ({ ...grant, remaining: grant.remaining - taken(grant.ref) }))
      .filter(({ remaining }) => remaining > 0),
    usage: snapshot.usage === null ? null : {
      ...snapshot.usage,
      today: snapshot.usage.today.map((each) => ({ ...each, used: each.used + used(each.kind, each.scope) }))
    }
  }
}

/** A snapshot as `ledger_commit_all` compares it. */
export const expectationOf = ({ organization: _, revision: __, ...facts }: Snapshot): object => facts

export const Balance = Schema.Struct({
  trial: Count,
  included: Count,
  enterprise_pool: Count,
  purchased: Count,
  exports: Count
})

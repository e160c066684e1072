/**
 * `Ledger` over PostgreSQL: one transaction of two function calls around the decision.
 *
 * `ledger_open` tries the item's lock (exclusive commands), waits for the organization's row lock and reads the
 * snapshot after it; `ledger_apply` writes the whole decision. The lock is held from the answer of the first to the
 * commit: two round trips. What limits have counted is read (`ledger_usage`) and written (`ledger_count`) with them. Both locks end with the transaction, so nothing stays behind when a caller, a process or the
 * database goes away.
 *
 * *Gotchas*
 *
 * - One organization has at most three of a process's connections at once; its other calls wait before they take one, so
 *   that they never stand in the way of other organizations. Within a transaction that is under way nobody waits there:
 *   the one ahead might be waiting for that very transaction.
 * - When the connection is lost during the commit, its outcome is unknown to the caller. Unlocks and reveals are settled
 *   by repeating them.
 */
import { DailyLimitKind, Organization } from "@freehold/core/access/Organization"
import { Bucket } from "@freehold/core/credit/Bucket"
import { ActionInProgress } from "@freehold/core/credit/CreditRefusals"
import { Ledger, type LedgerDecision, type LedgerSnapshot, type Subject } from "@freehold/core/credit/Ledger"
import { numbered } from "@freehold/core/credit/LedgerDecision"
import { Allocation, LedgerEntry } from "@freehold/core/credit/LedgerEntry"
import * as Turns from "@freehold/core/credit/Turns"
import { isNothing, none, type Usage, type UsageQuery } from "@freehold/core/limit/Usage"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Effect, Layer, Option, Result, Schema, Struct } from "effect"
import { SqlClient, type SqlError, SqlSchema } from "effect/sql"
import { Pipeline } from "./Database.ts"
import { unavailable } from "./internal/Availability.ts"
import { transaction } from "./internal/Transaction.ts"

const connectionsOfOneOrganization = 3

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const StoredEntry = LedgerEntry.mapFields(Struct.assign({ allocations: Schema.Array(Allocation) }))

/** What `ledger_usage` answers. */
const UsageFacts = Schema.Struct({
  today: Schema.Array(Schema.Struct({ kind: DailyLimitKind, scope: Schema.String, used: Count })),
  initial: Count,
  period: Schema.NullOr(
    Schema.Struct({ recurring: Count, property: Count, organization: Count, contact: Count })
  ),
  underWay: Schema.Struct({ exports: Count, records: Count }),
  freshRecords: Schema.Array(
    Schema.Struct({ kind: Schema.Literals(["property", "organization", "contact"]), id: Schema.String })
  ),
  freshContacts: Schema.Array(Schema.String)
})

/** What `ledger_open` answers. */
const Opened = Schema.Union([
  Schema.Struct({ in_progress: Schema.Literal(true) }),
  Schema.Struct({
    in_progress: Schema.Literal(false),
    account_version: Count,
    org_facts: Organization.mapFields(
      Struct.pick(["plan", "status", "payment_status", "credits_dormant", "features", "export_allowance"])
    ),
    grants: Schema.Array(Schema.Struct({
      ref: Schema.String,
      bucket: Bucket,
      remaining: Count,
      expiresAt: Schema.NullOr(Schema.Int)
    })),
    access_source: Schema.NullOr(Schema.Literals(["paid", "covered", "free"])),
    access_charge: Schema.NullOr(Schema.Int),
    opened_by_property: Schema.Boolean,
    exports_used: Count,
    subject_entry: Schema.NullOr(StoredEntry),
    refunded_by: Schema.NullOr(Schema.Int),
    usage: Schema.NullOr(UsageFacts)
  })
])
type Opened = typeof Opened.Type

const usageOf = (facts: typeof UsageFacts.Type): Usage => {
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
    freshContacts: facts.freshContacts
  }
}

const snapshotOf = (row: Extract<Opened, { readonly in_progress: false }>): LedgerSnapshot => ({
  version: row.account_version,
  organization: row.org_facts,
  grants: row.grants,
  access: row.access_source === null ? null : { source: row.access_source, chargeEntry: row.access_charge },
  openedByProperty: row.opened_by_property,
  exportsUsed: row.exports_used,
  entry: row.subject_entry,
  refundedBy: row.refunded_by,
  usage: row.usage === null ? none : usageOf(row.usage)
})

/** The subject as text, as `ledger_open` reads it by its kind. */
const subjectText = (subject: Subject): string => {
  switch (subject._tag) {
    case "Property":
      return subject.propertyId
    case "Contact":
      return subject.contactId
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

const isEmpty = (decision: LedgerDecision<unknown>): boolean =>
  decision.entries.length === 0 && decision.access.length === 0 && decision.exports === 0

/** What `ledger_count` is to add; null: nothing. */
const countedOf = (usage: UsageQuery | undefined, { counted, holds }: LedgerDecision<unknown>): string | null =>
  usage === undefined || isNothing(counted) && holds === null ? null : JSON.stringify({
    day: usage.day,
    period: usage.period,
    credentialId: usage.credentialId,
    ...counted,
    kinds: { ...counted.kinds, records_taken_per_day: counted.records.length },
    holds
  })

const Balance = Schema.Struct({
  trial: Count,
  included: Count,
  enterprise_pool: Count,
  purchased: Count,
  exports: Count
})

export const layer: Layer.Layer<Ledger, never, SqlClient.SqlClient | Pipeline> = Layer.effect(
  Ledger,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const pipeline = yield* Pipeline
    const turns = Turns.make(connectionsOfOneOrganization)

    const open = SqlSchema.findOneOption({
      Request: Schema.Struct({
        orgId: Schema.String,
        kind: Schema.String,
        subject: Schema.String,
        exclusive: Schema.Boolean,
        usage: Schema.NullOr(Schema.String)
      }),
      Result: Opened,
      // The usage is read for the row that ledger_open answered, and so after the lock was granted.
      execute: ({ exclusive, kind, orgId, subject, usage }) =>
        usage === null
          ? sql`
            SELECT o.*, NULL::jsonb AS usage
            FROM ledger_open(${orgId}::text, ${kind}::text, ${subject}::text, ${exclusive}) o`
          : sql`
            SELECT o.*, CASE WHEN NOT o.in_progress THEN ledger_usage(${orgId}::text, ${usage}::jsonb) END AS usage
            FROM ledger_open(${orgId}::text, ${kind}::text, ${subject}::text, ${exclusive}) o`
    })

    const look = SqlSchema.findOne({
      Request: Schema.Struct({ orgId: Schema.String, query: Schema.String }),
      Result: Schema.Struct({ usage: UsageFacts }),
      execute: ({ orgId, query }) => pipeline`SELECT ledger_usage(${orgId}::text, ${query}::jsonb) AS usage`
    })

    const inTurn = Effect.fnUntraced(function*<A, E, R>(
      orgId: string,
      item: string | null,
      effect: Effect.Effect<A, E, R>
    ): Effect.fn.Return<A, E | ActionInProgress, R> {
      const underWay = yield* Effect.serviceOption(sql.transactionService)
      return yield* Option.isSome(underWay) ? effect : turns.take(orgId, item, effect)
    })

    const balance = SqlSchema.findOne({
      Request: Schema.Struct({ orgId: Schema.String, now: Schema.Int }),
      Result: Balance,
      execute: ({ now, orgId }) =>
        pipeline`
          SELECT
            coalesce(sum(remaining) FILTER (WHERE bucket = 'trial'), 0)::integer AS trial,
            coalesce(sum(remaining) FILTER (WHERE bucket = 'included'), 0)::integer AS included,
            coalesce(sum(remaining) FILTER (WHERE bucket = 'enterprise_pool'), 0)::integer AS enterprise_pool,
            coalesce(sum(remaining) FILTER (WHERE bucket = 'purchased'), 0)::integer AS purchased,
            coalesce((
              SELECT exports FROM export_usage
              WHERE org_id = ${orgId}
                AND month = date_trunc('month', from_millis(${now}::bigint) AT TIME ZONE 'UTC')::date
            ), 0) AS exports
          FROM credit_grant
          WHERE org_id = ${orgId} AND remaining > 0
            AND (expires_at IS NULL OR expires_at > from_millis(${now}::bigint))`
    })

    const entries = SqlSchema.findAll({
      Request: Schema.Struct({ orgId: Schema.String, after: Schema.Int, limit: Schema.Int }),
      Result: Schema.Struct({ entry: LedgerEntry }),
      execute: ({ after, limit, orgId }) =>
        sql`
          SELECT credit_entry_json(e) - 'allocations' AS entry FROM credit_entry e
          WHERE e.org_id = ${orgId} AND e.entry > ${after} ORDER BY e.entry LIMIT ${limit}`
    })

    return Ledger.of({
      transact: Effect.fn("Ledger.transact")(function*<A, E>(
        { exclusive, now, orgId, subject, usage }: Parameters<Ledger["Service"]["transact"]>[0],
        decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<A>, E>
      ): Effect.fn.Return<A, E | ActionInProgress | TemporarilyUnavailable> {
        const text = subjectText(subject)
        const decided = Effect.gen(function*(): Effect.fn.Return<
          Result.Result<A, E | ActionInProgress>,
          SqlError.SqlError | Schema.SchemaError
        > {
          const query = usage === undefined ? null : JSON.stringify(usage)
          const row = yield* open({ orgId, kind: subject._tag, subject: text, exclusive, usage: query })
          if (Option.isNone(row)) return yield* Effect.die(`there is no organization ${orgId}`)
          if (row.value.in_progress) return Result.fail(new ActionInProgress({ retryAfterSeconds: 1 }))
          const snapshot = snapshotOf(row.value)
          const outcome = decide(snapshot)
          if (Result.isFailure(outcome)) return Result.fail(outcome.failure)
          const decision = outcome.success
          const counted = countedOf(usage, decision)
          const count = sql`ledger_count(${orgId}::text, ${now}::bigint, ${counted}::jsonb)`
          if (isEmpty(decision) && counted !== null) yield* sql`SELECT FROM ${count}`
          if (!isEmpty(decision)) {
            const change = JSON.stringify({
              version: snapshot.version,
              entries: numbered(snapshot, decision.entries, now),
              newGrants: decision.newGrants,
              access: decision.access,
              exports: decision.exports,
              month: subject._tag === "Exports" ? subject.monthStart : null
            })
            const apply = sql`ledger_apply(${orgId}::text, ${now}::bigint, ${change}::jsonb)`
            yield* counted === null ? sql`SELECT FROM ${apply}` : sql`SELECT FROM ${apply}, ${count}`
          }
          return Result.succeed(decision.value)
        })
        // A refusal is a value within the transaction, so that what fails there is the database alone.
        const settled = transaction(sql, decided).pipe(
          Effect.catchTag("SqlError", unavailable),
          Effect.catchTag("SchemaError", Effect.die)
        )
        const result = yield* inTurn(orgId, exclusive ? `${subject._tag} ${text}` : null, settled)
        return yield* Effect.fromResult(result)
      }),

      balance: Effect.fn("Ledger.balance")(
        function*(orgId, now) {
          const { exports, ...amounts } = yield* balance({ orgId, now })
          return { balance: amounts, exportsUsed: exports }
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag(["SchemaError", "NoSuchElementError"], Effect.die)
      ),

      usage: Effect.fn("Ledger.usage")(
        function*(orgId, query) {
          const row = yield* look({ orgId, query: JSON.stringify(query) })
          return usageOf(row.usage)
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag(["SchemaError", "NoSuchElementError"], Effect.die)
      ),

      entries: Effect.fn("Ledger.entries")(
        function*(orgId, { after, limit }) {
          const rows = yield* entries({ orgId, after, limit })
          return rows.map(({ entry }) => entry)
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      )
    })
  })
)

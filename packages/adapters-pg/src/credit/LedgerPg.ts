/**
 * `Ledger` over PostgreSQL: decides on a snapshot that is read without a lock, and applies the decision under the lock if
 * nothing changed in between.
 *
 * `ledger_snapshot` reads what the decision needs, as one moment saw it. `ledger_commit`, one statement that is a
 * transaction by itself, tries the item's lock (exclusive commands), waits for the organization's row lock, compares the
 * account's revision with the snapshot's and writes the whole decision. When the revision moved on, everything is done
 * anew under the lock: `ledger_open`, decision, `ledger_apply`, commit. That is also the way of calls within a transaction
 * that is under way. A refusal, and a call that changes nothing, takes no lock. All locks end with the transaction, so
 * nothing stays behind when a caller, a process or the database goes away.
 *
 * The calls of one organization in this process take turns, so that they do not overtake each other's snapshots; a
 * commit brings the snapshot of the call that waits next. docs/decisions/0004.
 *
 * *Gotchas*
 *
 * - One organization has at most one of a process's connections at once, so that it never stands in the way of others.
 *   Within a transaction that is under way nobody waits for a turn: the one ahead might be waiting for that very
 *   transaction.
 * - When the connection is lost during the commit, its outcome is unknown to the caller. Unlocks and reveals are settled
 *   by repeating them.
 */
import { counted } from "@freehold/core/credit/CreditCount"
import { ActionInProgress } from "@freehold/core/credit/CreditRefusals"
import { Ledger, type LedgerDecision, type LedgerSnapshot } from "@freehold/core/credit/Ledger"
import { LedgerEntry } from "@freehold/core/credit/LedgerEntry"
import * as Turns from "@freehold/core/credit/Turns"
import type { UsageQuery } from "@freehold/core/limit/Usage"
import * as Deadline from "@freehold/core/load/Deadline"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { type Cause, Effect, Layer, Option, Result, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { transaction } from "../database/Transaction.ts"
import { Balance, changeOf, Snapshot, snapshotOf, subjectText, UsageFacts, usageOf } from "./LedgerRows.ts"

type Command = Parameters<Ledger["Service"]["transact"]>[0]

/** A call as the functions know it. */
interface Question {
  readonly kind: string
  readonly subject: string
  /** A `UsageQuery`. */
  readonly usage: UsageQuery | null
}

/** Records of one question that are looked up in no time. */
const fewRecords = 50

const asked = ({ orgId }: Command, { kind, subject, usage }: Question) => ({
  orgId,
  kind,
  subject,
  usage: usage === null ? null : JSON.stringify(usage)
})

export const layer: Layer.Layer<Ledger, never, SqlClient.SqlClient | Database.Pipeline | Database.Reads> = Layer.effect(
  Ledger,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const pipeline = yield* Database.Pipeline
    const reads = yield* Database.Reads
    const turns = Turns.make<Question, Snapshot>()

    const QuestionInput = {
      orgId: Schema.String,
      kind: Schema.String,
      subject: Schema.String,
      usage: Schema.NullOr(Schema.String)
    }

    /** A question about many records is not pipelined, so that nobody waits behind it. */
    const bySize = <A>(make: (client: SqlClient.SqlClient) => A) => ({ few: make(pipeline), many: make(reads) })
    const sizeOf = (usage: UsageQuery | null) =>
      usage !== null && usage.records.length + usage.contacts.length > fewRecords ? "many" : "few"

    const peek = bySize((client) =>
      SqlSchema.findOne({
        Request: Schema.Struct(QuestionInput),
        Result: Schema.Struct({ snapshot: Schema.NullOr(Snapshot) }),
        execute: ({ kind, orgId, subject, usage }) =>
          client`SELECT ledger_snapshot(${orgId}::text, ${kind}::text, ${subject}::text, ${usage}::jsonb) AS snapshot`
      })
    )

    const open = SqlSchema.findOne({
      Request: Schema.Struct({ ...QuestionInput, exclusive: Schema.Boolean }),
      Result: Schema.Struct({ in_progress: Schema.Boolean, snapshot: Schema.NullOr(Snapshot) }),
      execute: ({ exclusive, kind, orgId, subject, usage }) =>
        sql`
          SELECT in_progress, snapshot
          FROM ledger_open(${orgId}::text, ${kind}::text, ${subject}::text, ${exclusive}, ${usage}::jsonb)`
    })

    const commit = SqlSchema.findOne({
      Request: Schema.Struct({
        orgId: Schema.String,
        kind: Schema.String,
        subject: Schema.String,
        exclusive: Schema.Boolean,
        revision: Schema.Int,
        now: Schema.Int,
        decision: Schema.String,
        counted: Schema.NullOr(Schema.String),
        next: Schema.NullOr(Schema.String)
      }),
      Result: Schema.Struct({
        outcome: Schema.Literals(["applied", "changed", "in progress"]),
        next_snapshot: Schema.NullOr(Snapshot)
      }),
      execute: ({ counted, decision, exclusive, kind, next, now, orgId, revision, subject }) =>
        sql`
          SELECT outcome, next_snapshot
          FROM ledger_commit(${orgId}::text, ${kind}::text, ${subject}::text, ${exclusive}, ${revision}::integer,
            ${now}::bigint, ${decision}::jsonb, ${counted}::jsonb, ${next}::jsonb)`
    })

    const look = bySize((client) =>
      SqlSchema.findOne({
        Request: Schema.Struct({ orgId: Schema.String, query: Schema.String }),
        Result: Schema.Struct({ usage: UsageFacts }),
        execute: ({ orgId, query }) => client`SELECT ledger_usage(${orgId}::text, ${query}::jsonb) AS usage`
      })
    )

    /** Everything under the lock, in a transaction or within one that is under way. */
    const locked = <A, E>(
      command: Command,
      question: Question,
      decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<A>, E>
    ) =>
      transaction(
        sql,
        Effect.gen(function*(): Effect.fn.Return<
          Result.Result<A, E | ActionInProgress>,
          SqlError.SqlError | Schema.SchemaError | Cause.NoSuchElementError
        > {
          const { exclusive, now, orgId } = command
          const { in_progress, snapshot: read } = yield* open({ ...asked(command, question), exclusive })
          if (in_progress) return Result.fail(new ActionInProgress({ retryAfterSeconds: 1 }))
          if (read === null) return yield* Effect.die(`there is no organization ${orgId}`)
          const snapshot = snapshotOf(read)
          // A refusal is a value within the transaction, so that what fails there is the database alone.
          const decided = decide(snapshot)
          if (Result.isFailure(decided)) return Result.fail(decided.failure)
          const change = changeOf(command, snapshot, decided.success)
          if (change !== null) {
            yield* sql`
              SELECT FROM ledger_apply(${orgId}::text, ${now}::bigint, ${change.decision}::jsonb, ${change.counted}::jsonb)`
          }
          return Result.succeed(decided.success.value)
        })
      )

    /** Decides before it locks; when something changed in between, everything again under the lock. */
    const inTurn = Effect.fnUntraced(function*<A, E>(
      command: Command,
      question: Question,
      decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<A>, E>,
      turn: Turns.Turn<Question, Snapshot>
    ): Effect.fn.Return<
      Result.Result<A, E | ActionInProgress>,
      SqlError.SqlError | Schema.SchemaError | Cause.NoSuchElementError
    > {
      const { exclusive, now, orgId } = command
      const read = turn.brought ?? (yield* peek[sizeOf(question.usage)](asked(command, question))).snapshot
      if (read === null) return yield* Effect.die(`there is no organization ${orgId}`)
      const snapshot = snapshotOf(read)
      const decided = decide(snapshot)
      if (Result.isFailure(decided)) return Result.fail(decided.failure)
      const change = changeOf(command, snapshot, decided.success)
      if (change !== null) {
        const next = turn.next()
        yield* Deadline.lift
        const { next_snapshot, outcome } = yield* commit({
          ...question,
          ...change,
          orgId,
          exclusive,
          now,
          revision: read.revision,
          next: next === null ? null : JSON.stringify(next.asks)
        })
        if (outcome === "in progress") return Result.fail(new ActionInProgress({ retryAfterSeconds: 1 }))
        if (outcome === "changed") return yield* locked(command, question, decide)
        if (next !== null && next_snapshot !== null) next.bring(next_snapshot)
      }
      return Result.succeed(decided.success.value)
    })

    const balanceBy = (client: SqlClient.SqlClient) =>
      SqlSchema.findOne({
        Request: Schema.Struct({ orgId: Schema.String, now: Schema.Int }),
        Result: Balance,
        execute: ({ now, orgId }) =>
          client`
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

    const balance = balanceBy(pipeline)
    /** Sees what the transaction has done so far. */
    const balanceWithin = balanceBy(sql)

    const entries = SqlSchema.findAll({
      Request: Schema.Struct({
        orgId: Schema.String,
        after: Schema.Int,
        limit: Schema.Int,
        since: Schema.NullOr(Schema.Number),
        until: Schema.NullOr(Schema.Number)
      }),
      Result: Schema.Struct({ entry: LedgerEntry }),
      execute: ({ after, limit, orgId, since, until }) =>
        reads`
          SELECT credit_entry_json(e) - 'allocations' AS entry FROM credit_entry e
          WHERE e.org_id = ${orgId} AND e.entry > ${after}
            AND (${since}::bigint IS NULL OR e.at >= from_millis(${since}::bigint))
            AND (${until}::bigint IS NULL OR e.at < from_millis(${until}::bigint))
          ORDER BY e.entry LIMIT ${limit}`
    })

    return counted(Ledger.of({
      transact: Effect.fn("Ledger.transact")(function*<A, E>(
        command: Command,
        decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<A>, E>
      ): Effect.fn.Return<A, E | ActionInProgress | TemporarilyUnavailable> {
        const { exclusive, orgId, subject, usage } = command
        const question: Question = { kind: subject._tag, subject: subjectText(subject), usage: usage ?? null }
        const underWay = yield* Effect.serviceOption(sql.transactionService)
        const result = yield* (Option.isSome(underWay)
          ? locked(command, question, decide)
          : turns.take(
            { orgId, item: exclusive ? `${question.kind} ${question.subject}` : null, asks: question },
            (turn) => inTurn(command, question, decide, turn)
          )).pipe(
            Effect.catchTag("SqlError", unavailable),
            Effect.catchTag(["SchemaError", "NoSuchElementError"], Effect.die)
          )
        return yield* Effect.fromResult(result)
      }),

      balance: Effect.fn("Ledger.balance")(
        function*(orgId, now) {
          const underWay = yield* Effect.serviceOption(sql.transactionService)
          const { exports, ...amounts } = yield* (Option.isSome(underWay) ? balanceWithin : balance)({ orgId, now })
          return { balance: amounts, exportsUsed: exports }
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag(["SchemaError", "NoSuchElementError"], Effect.die)
      ),

      usage: Effect.fn("Ledger.usage")(
        function*(orgId, query) {
          const row = yield* look[sizeOf(query)]({ orgId, query: JSON.stringify(query) })
          return usageOf(row.usage)
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag(["SchemaError", "NoSuchElementError"], Effect.die)
      ),

      entries: Effect.fn("Ledger.entries")(
        function*(orgId, { after, limit, since = null, until = null }) {
          const rows = yield* entries({ orgId, after, limit, since, until })
          return rows.map(({ entry }) => entry)
        },
        Effect.catchTag("SqlError", unavailable),
        Effect.catchTag("SchemaError", Effect.die)
      )
    }))
  })
)

/**
 * `Ledger` over PostgreSQL: decides on snapshots that are read without a lock, and applies the decisions under the lock if
 * nothing changed in between (`LedgerRound`).
 *
 * The calls of one organization in this process stand in line, and what waits together is written together
 * (`LedgerLine`). docs/decisions/0004, docs/decisions/0056.
 *
 * *Gotcha.* When the connection is lost during the commit, its outcome is unknown to the callers. Unlocks and reveals are
 * settled by repeating them.
 */
import { counted } from "@freehold/core/credit/CreditCount"
import { ActionInProgress } from "@freehold/core/credit/CreditRefusals"
import { Ledger, type LedgerDecision, type LedgerSnapshot } from "@freehold/core/credit/Ledger"
import { LedgerEntry } from "@freehold/core/credit/LedgerEntry"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { type Context, Deferred, Effect, Exit, Layer, Option, Result, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import * as LedgerLine from "./LedgerLine.ts"
import * as LedgerRound from "./LedgerRound.ts"
import { Balance, snapshotOf, subjectText, UsageFacts, usageOf } from "./LedgerRows.ts"

type Command = Parameters<Ledger["Service"]["transact"]>[0]

/** The call, and what it is told. */
const callOf = <A, E>(
  command: Command,
  decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<A>, E>,
  context: Context.Context<never>
) => {
  const { exclusive, orgId, subject, usage = null } = command
  const question = { kind: subject._tag, subject: subjectText(subject), exclusive, usage }
  /** A refusal is a value, so that what fails is the database alone. */
  type Answer = Result.Result<A, E | ActionInProgress>
  const told = Deferred.makeUnsafe<Answer, LedgerRound.Failure>()
  const tell = (outcome: Exit.Exit<Answer, LedgerRound.Failure>): void => {
    call.isOver = true
    // Whoever waits goes on at once. What breaks there is theirs, and must not reach those who are told after them.
    Effect.runFork(Deferred.done(told, outcome))
  }
  const call: LedgerRound.Call = {
    orgId,
    item: exclusive ? `${question.kind} ${question.subject}` : null,
    context,
    command,
    question,
    read: null,
    isSent: false,
    isOver: false,
    attempt: (snapshot) => {
      const decided = decide(snapshotOf(snapshot))
      return Result.isFailure(decided)
        ? { decision: null, tell: () => tell(Exit.succeed(Result.fail(decided.failure))) }
        : { decision: decided.success, tell: () => tell(Exit.succeed(Result.succeed(decided.success.value))) }
    },
    refuse: () => tell(Exit.succeed(Result.fail(new ActionInProgress({ retryAfterSeconds: 1 })))),
    fail: (cause) => tell(Exit.failCause(cause))
  }
  return { call, told: Deferred.await(told) }
}

export const layer: Layer.Layer<Ledger, never, SqlClient.SqlClient | Database.Pipeline | Database.Reads> = Layer.effect(
  Ledger,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const pipeline = yield* Database.Pipeline
    const reads = yield* Database.Reads
    const { within, work } = yield* LedgerRound.make
    const line = LedgerLine.make(work, {
      atMost: LedgerRound.atMost,
      remember: (): LedgerRound.Memory => ({ leftAt: null })
    })

    const lookBy = (client: SqlClient.SqlClient) =>
      SqlSchema.findOne({
        Request: Schema.Struct({ orgId: Schema.String, query: Schema.String }),
        Result: Schema.Struct({ usage: UsageFacts }),
        execute: ({ orgId, query }) => client`SELECT ledger_usage(${orgId}::text, ${query}::jsonb) AS usage`
      })
    const look = { few: lookBy(pipeline), many: lookBy(reads) }

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
        const { call, told } = callOf(command, decide, yield* Effect.context<never>())
        const underWay = yield* Effect.serviceOption(sql.transactionService)
        const answer = yield* (Option.isSome(underWay) ? Effect.andThen(within(call), told) : line.take(call, told))
          .pipe(
            Effect.catchTag("SqlError", unavailable),
            Effect.catchTag(["SchemaError", "NoSuchElementError"], Effect.die)
          )
        return yield* Effect.fromResult(answer)
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
          const row = yield* look[LedgerRound.isLong([query]) ? "many" : "few"]({ orgId, query: JSON.stringify(query) })
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

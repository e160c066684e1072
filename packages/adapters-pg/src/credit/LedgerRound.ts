/**
 * A round of calls on one organization's ledger: decides them one after the other and writes their decisions by one
 * statement, which is one commit.
 *
 * `ledger_snapshots` reads what the decisions need, as one moment saw it, without a lock. The first call that changes
 * anything is decided on that; each further one on what the snapshot is to be with those before it applied. Then
 * `ledger_commit_all`, a transaction by itself, tries the items' locks, waits for the organization's row lock, compares
 * the account's revision with the snapshots', and applies each decision to the very state that it was made on, or not at
 * all: what was foretold is held against what is found. It brings the snapshots of the calls that wait next.
 *
 * When the revision moved on, another process works on the organization: everything is done anew under the lock
 * (`ledger_open_all`, decisions, `ledger_commit_all`, commit), and the next rounds lock first until one finds that nobody
 * came between. That is also the way of a call within a transaction that is under way. A refusal, and a call that
 * changes nothing, takes no lock. All locks end with the transaction, so nothing stays behind when a caller, a process
 * or the database goes away.
 *
 * Nobody is told of what was written, or of what rests on it, before it is committed. A refusal is decided on what was
 * read alone: behind a call that changes something it waits for the next round. docs/decisions/0056.
 *
 * *Gotcha.* When the connection is lost during the commit, the outcome of all its calls is unknown. Whatever else fails
 * is undone, and then each call is made alone, so that none fails by another.
 */
import type { Ledger, LedgerDecision } from "@freehold/core/credit/Ledger"
import type { UsageQuery } from "@freehold/core/limit/Usage"
import * as Deadline from "@freehold/core/load/Deadline"
import { Array, Cause, Effect, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema } from "effect/sql"
import * as Database from "../database/Database.ts"
import { transaction } from "../database/Transaction.ts"
import type * as LedgerLine from "./LedgerLine.ts"
import { type Change, changeOf, expectationOf, foretold, Snapshot } from "./LedgerRows.ts"

/** Calls that are written together at most: while they are, the organization is locked. */
export const atMost = 8

/** A question about many records is not pipelined, so that nobody waits behind it. */
export const isLong = ({ contacts, records }: UsageQuery): boolean => records.length + contacts.length > 50

export type Failure = SqlError.SqlError | Schema.SchemaError | Cause.NoSuchElementError

/** A call as the functions know it. */
export interface Question {
  readonly kind: string
  readonly subject: string
  readonly exclusive: boolean
  readonly usage: UsageQuery | null
}

/** What a call comes to on a snapshot. */
export interface Attempt {
  /** null: it is refused. */
  readonly decision: LedgerDecision<unknown> | null
  /** Tells whoever waits. */
  readonly tell: () => void
}

export interface Call extends LedgerLine.Call<Failure> {
  readonly command: Parameters<Ledger["Service"]["transact"]>[0]
  readonly question: Question
  readonly attempt: (snapshot: Snapshot) => Attempt
  /** What was read for it last; null: nothing that may still hold. */
  read: Snapshot | null
}

/** What one round leaves for the next. */
export interface Memory {
  /** The account's revision as the last round left it, if another process had been there before it; null: nobody was. */
  shared: number | null
}

/** A call that changes something. */
interface Writing {
  readonly call: Call
  readonly decision: LedgerDecision<unknown>
  readonly change: Change
  readonly tell: () => void
  /** What it was decided on, unless that was read. */
  readonly expects: Snapshot | null
}

type Round = LedgerLine.Round<Call, Memory>

interface Plan {
  /** Told without writing anything: refused, or nothing to do. */
  readonly settled: ReadonlyArray<() => void>
  readonly writings: ReadonlyArray<Writing>
}

/** Decides the calls, whose snapshots are of one moment, as far as what comes before them allows. */
const plan = (calls: ReadonlyArray<Call>): Plan => {
  const settled: Array<() => void> = []
  const writings: Array<Writing> = []
  for (const call of calls) {
    if (call.isOver) continue
    const snapshot = writings.reduce<Snapshot | null>(
      (known, { call: { command }, decision }) => known === null ? null : foretold(known, command, decision),
      call.read
    )
    if (snapshot === null) break
    const { decision, tell } = call.attempt(snapshot)
    const change = decision === null ? null : changeOf(call.command, snapshot, decision)
    if (decision === null || change === null) {
      if (writings.length > 0) break
      settled.push(tell)
    } else if (Deadline.liftOf(call.context)) {
      writings.push({ call, decision, change, tell, expects: writings.length === 0 ? null : snapshot })
    } else call.isOver = true
  }
  return { settled, writings }
}

const waitingOf = (calls: ReadonlyArray<Call>) => calls.filter(({ isOver }) => !isOver)

/** The server said nothing more, so that nobody knows what it has done. */
const isLost = (error: SqlError.SqlError): boolean =>
  error.reason._tag === "ConnectionError" || /^(08|57P)/.test(Database.failureOf(error).code ?? "")

export const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const pipeline = yield* Database.Pipeline
  const reads = yield* Database.Reads

  const Snapshots = Schema.Array(Schema.NullOr(Snapshot))
  const Asked = Schema.Struct({ orgId: Schema.String, calls: Schema.String })

  const peekBy = (client: SqlClient.SqlClient) =>
    SqlSchema.findOne({
      Request: Asked,
      Result: Schema.Struct({ snapshots: Snapshots }),
      execute: ({ calls, orgId }) => client`SELECT ledger_snapshots(${orgId}::text, ${calls}::jsonb) AS snapshots`
    })
  const peek = { few: peekBy(pipeline), many: peekBy(reads) }
  const sizeOf = (calls: ReadonlyArray<Call>) =>
    calls.some(({ question: { usage } }) => usage !== null && isLong(usage)) ? "many" : "few"

  const open = SqlSchema.findOne({
    Request: Asked,
    Result: Schema.Struct({ locked: Schema.Array(Schema.Boolean), snapshots: Snapshots }),
    execute: ({ calls, orgId }) => sql`SELECT locked, snapshots FROM ledger_open_all(${orgId}::text, ${calls}::jsonb)`
  })

  const commit = SqlSchema.findOne({
    Request: Schema.Struct({ ...Asked.fields, revision: Schema.Int, next: Schema.String }),
    Result: Schema.Struct({
      outcomes: Schema.Array(Schema.Literals(["applied", "changed", "in progress"])),
      next_snapshots: Schema.NullOr(Snapshots)
    }),
    execute: ({ calls, next, orgId, revision }) =>
      sql`
        SELECT outcomes, next_snapshots
        FROM ledger_commit_all(${orgId}::text, ${revision}::integer, ${calls}::jsonb, ${next}::jsonb)`
  })

  const asked = (calls: ReadonlyArray<Call>) => JSON.stringify(calls.map(({ question }) => question))

  /** Gives each call its snapshot. */
  const bring = (calls: ReadonlyArray<Call>, snapshots: ReadonlyArray<Snapshot | null>): void => {
    for (const [at, call] of calls.entries()) call.read = snapshots[at] ?? null
  }

  /** Writes what was decided at that revision, and brings the next their snapshots; answers what to tell. */
  const write = Effect.fnUntraced(function*(
    orgId: string,
    revision: number,
    writings: Plan["writings"],
    next: ReadonlyArray<Call>
  ) {
    const { next_snapshots, outcomes } = yield* commit({
      orgId,
      revision,
      calls: JSON.stringify(writings.map(({ call: { command: { now }, question }, change, expects }) => ({
        ...question,
        ...change,
        now,
        expects: expects === null ? null : expectationOf(expects)
      }))),
      next: asked(next)
    })
    const changed = writings.flatMap(({ call }, at) => outcomes[at] === "changed" ? [call] : [])
    bring([...changed, ...next], next_snapshots ?? [])
    return {
      applied: outcomes.filter((outcome) => outcome === "applied").length,
      isChanged: changed.length > 0,
      tell: () => {
        for (const [at, { call, tell }] of writings.entries()) {
          if (outcomes[at] === "applied") tell()
          else if (outcomes[at] === "in progress") call.refuse()
        }
      }
    }
  })

  /** Those that wait behind what is being written. */
  const nextOf = (calls: ReadonlyArray<Call>, writings: Plan["writings"], behind: ReadonlyArray<Call>) =>
    waitingOf([...calls.filter((call) => writings.every((writing) => writing.call !== call)), ...behind]).slice(
      0,
      atMost
    )

  /** That of the moment in which the call was read. */
  const revisionOf = ({ orgId, read }: Call): Effect.Effect<number> =>
    read === null ? Effect.die(`there is no organization ${orgId}`) : Effect.succeed(read.revision)

  /** Locks for the calls and reads for them after it; answers with those about whose item somebody else works. */
  const opened = Effect.fnUntraced(function*(orgId: string, calls: ReadonlyArray<Call>) {
    if (calls.length === 0) return []
    const { locked, snapshots } = yield* open({ orgId, calls: asked(calls) })
    bring(calls, snapshots)
    return calls.filter((_, at) => locked[at] !== true)
  })

  /** Under the lock, in a transaction or within one that is under way. */
  const locked = Effect.fnUntraced(function*(orgId: string, { behind, calls, join, memory }: Round) {
    const tell = yield* transaction(
      sql,
      Effect.gen(function*() {
        const busy = [
          ...yield* opened(orgId, waitingOf(calls)),
          // The lock may have been long in coming.
          ...yield* opened(orgId, join())
        ]
        const free = waitingOf(calls).filter((call) => !busy.includes(call))
        const [first] = free
        const refuse = () => {
          for (const call of busy) call.refuse()
        }
        if (first === undefined) return refuse
        const revision = yield* revisionOf(first)
        const { settled, writings } = plan(free)
        const isAlone = revision === memory.shared
        const next = isAlone ? nextOf(free, writings, behind()) : []
        const written = writings.length === 0 ? null : yield* write(orgId, revision, writings, next)
        if (written?.applied === 0) return yield* Effect.die(`the account of ${orgId} changed under its lock`)
        memory.shared = isAlone ? null : revision + (written?.applied ?? 0)
        return () => {
          refuse()
          for (const tell of settled) tell()
          written?.tell()
        }
      })
    )
    tell()
  })

  /** Decides before it locks; when another process was quicker, everything again under the lock. */
  const together = Effect.fnUntraced(function*(orgId: string, round: Round) {
    const { behind, calls, memory } = round
    if (memory.shared !== null) return yield* locked(orgId, round)
    const [first] = calls
    if (first === undefined) return
    if (first.read === null) {
      bring(calls, (yield* peek[sizeOf(calls)]({ orgId, calls: asked(calls) })).snapshots)
    }
    const revision = yield* revisionOf(first)
    const known = Array.takeWhile(calls, ({ read }) => read?.revision === revision)
    const { settled, writings } = plan(known)
    for (const tell of settled) tell()
    if (writings.length === 0) return
    const written = yield* write(orgId, revision, writings, nextOf(calls, writings, behind()))
    written.tell()
    if (written.applied === 0 && written.isChanged) yield* locked(orgId, round)
  })

  const alone = (call: Call): Round => ({ calls: [call], join: () => [], behind: () => [], memory: { shared: null } })

  return {
    work: (round: Round): Effect.Effect<void, Failure> => {
      const [first] = round.calls
      if (first === undefined) return Effect.void
      const { orgId } = first
      return Effect.catchCause(together(orgId, round), (cause) => {
        const isOfAll = round.calls.length === 1 || Cause.hasInterrupts(cause) ||
          cause.reasons.some((reason) =>
            Cause.isFailReason(reason) && reason.error._tag === "SqlError" && isLost(reason.error)
          )
        if (isOfAll) return Effect.failCause(cause)
        return Effect.forEach(round.calls, (call) => {
          if (call.isOver) return Effect.void
          call.read = null
          return Effect.catchCause(
            together(orgId, alone(call)),
            (cause) => Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.sync(() => call.fail(cause))
          )
        }, { discard: true })
      })
    },

    /**
     * A call within a transaction that is under way. It waits for no turn: whoever is ahead might be waiting for that
     * transaction.
     */
    within: (call: Call) => locked(call.orgId, alone(call))
  }
})

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
 * What takes the property that it is about as a record is applied only while that is there: the statement locks its row as a
 * foreign key would, so that a merge moves the record or was before it, and then the call is overtaken.
 *
 * Nobody is told of what was written, or of what rests on it, before it is committed. A refusal is decided on what was
 * read alone: behind a call that changes something it waits for the next round. docs/decisions/0056.
 *
 * *Gotcha.* When the connection is lost during the commit, the outcome of all that it writes is unknown, and they fail together; so they
 * do where the database is away or out of time, which another statement would not mend. The others of the round come first in the
 * next one. Whatever else fails is undone, and then each call is made alone, so that none fails by another.
 */
import type { Ledger, LedgerDecision } from "@freehold/core/credit/Ledger"
import { takenProperty } from "@freehold/core/credit/LedgerDecision"
import type { UsageQuery } from "@freehold/core/limit/Usage"
import * as Deadline from "@freehold/core/load/Deadline"
import { overtaken, type TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Array, Cause, Effect, Option, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema } from "effect/sql"
import * as Database from "../database/Database.ts"
import { transaction } from "../database/Transaction.ts"
import type * as LedgerLine from "./LedgerLine.ts"
import { type Change, changeOf, expectationOf, foretold, Snapshot } from "./LedgerRows.ts"

/** Calls that are written together at most: while they are, the organization is locked. */
export const atMost = 8

/** Questions about many records are not pipelined, so that nobody waits behind them. */
export const isLong = (queries: ReadonlyArray<UsageQuery | null>): boolean =>
  queries.reduce((sum, query) => sum + (query === null ? 0 : query.records.length + query.contacts.length), 0) > 50

export type Failure = SqlError.SqlError | Schema.SchemaError | Cause.NoSuchElementError | TemporarilyUnavailable

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
  /** Tells whoever waits; never throws. */
  readonly tell: () => void
}

export interface Call extends LedgerLine.Call<Failure> {
  readonly command: Parameters<Ledger["Service"]["transact"]>[0]
  readonly question: Question
  readonly attempt: (snapshot: Snapshot) => Attempt
  /** What was read for it last; null: nothing that may still hold. */
  read: Snapshot | null
  /** It was sent to be written, and what became of that is not known yet. */
  isSent: boolean
}

/** What one round leaves for the next. */
export interface Memory {
  /** The account's revision as the last round left it, if another process had been there before it; null: nobody had. */
  leftAt: number | null
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
    // What a member has spent is not foretold.
    if (writings.length > 0 && (call.question.usage?.spender ?? null) !== null) break
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

const usagesOf = (calls: ReadonlyArray<Call>) => calls.map(({ question: { usage } }) => usage)

/**
 * Of those that wait, the ones that are read for while the lock is held: twice as many as were written, so that there are soon enough,
 * and a long question alone.
 */
const nextOf = (calls: ReadonlyArray<Call>, writings: Plan["writings"], behind: ReadonlyArray<Call>) => {
  const waiting = waitingOf([...calls.filter((call) => writings.every((writing) => writing.call !== call)), ...behind])
  return waiting.slice(0, Math.min(atMost, 2 * writings.length)).filter((_, at) =>
    at === 0 || !isLong(usagesOf(waiting.slice(0, at + 1)))
  )
}

/** The database refused the statement itself, so that it is undone, and another one may go through. */
const isRefused = (error: SqlError.SqlError): boolean => {
  const { code } = Database.failureOf(error)
  return code !== null && (code.startsWith("40") || !Database.isUnavailable(error))
}

/** A merge came between, which is the course of things: nothing was applied. */
const isOvertaken = (reason: Cause.Reason<Failure>): boolean => Cause.isFailReason(reason) && reason.error === overtaken

/** Nothing of the round is left: no statement was sent, or it was undone. Nothing breaks after one that was committed. */
const isUndone = (cause: Cause.Cause<Failure>): boolean =>
  cause.reasons.every((reason) =>
    Cause.isDieReason(reason) || isOvertaken(reason) ||
    Cause.isFailReason(reason) && reason.error._tag === "SqlError" && isRefused(reason.error)
  )

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
  const sizeOf = (calls: ReadonlyArray<Call>) => isLong(usagesOf(calls)) ? "many" : "few"

  const open = SqlSchema.findOne({
    Request: Asked,
    Result: Schema.Struct({ locked: Schema.Array(Schema.Boolean), snapshots: Snapshots }),
    execute: ({ calls, orgId }) => sql`SELECT locked, snapshots FROM ledger_open_all(${orgId}::text, ${calls}::jsonb)`
  })

  const Committing = Schema.Struct({ ...Asked.fields, revision: Schema.Int, next: Schema.String })
  const Committed = Schema.Struct({
    outcomes: Schema.Array(Schema.Literals(["applied", "changed", "in progress"])),
    next_snapshots: Schema.Unknown
  })

  const commit = SqlSchema.findOne({
    Request: Committing,
    Result: Committed,
    execute: ({ calls, next, orgId, revision }) =>
      sql`
        SELECT outcomes, next_snapshots
        FROM ledger_commit_all(${orgId}::text, ${revision}::integer, ${calls}::jsonb, ${next}::jsonb)`
  })

  /** The same for what takes these properties as records: nothing is applied at a revision that no account has. */
  const commitTaking = SqlSchema.findOne({
    Request: Schema.Struct({ ...Committing.fields, taken: Schema.Array(Schema.String) }),
    Result: Schema.Struct({ ...Committed.fields, is_gone: Schema.Boolean }),
    execute: ({ calls, next, orgId, revision, taken }) =>
      sql`
        WITH held AS MATERIALIZED (
          SELECT p.retired_into IS NOT NULL AS is_gone FROM property p
          WHERE p.id = ANY(${taken}::uuid[]) ORDER BY p.id FOR KEY SHARE
        )
        SELECT c.outcomes, c.next_snapshots, h.is_gone
        FROM (SELECT coalesce(bool_or(held.is_gone), false) AS is_gone FROM held) h
        CROSS JOIN LATERAL ledger_commit_all(
          ${orgId}::text, CASE WHEN h.is_gone THEN -1 ELSE ${revision}::integer END, ${calls}::jsonb, ${next}::jsonb
        ) c`
  })

  /** What cannot be read is read anew: what was written is written. */
  const broughtOf = Schema.decodeUnknownOption(Snapshots)

  const asked = (calls: ReadonlyArray<Call>) => JSON.stringify(calls.map(({ question }) => question))

  /** Gives each call its snapshot. */
  const bring = (calls: ReadonlyArray<Call>, snapshots: ReadonlyArray<Snapshot | null>): void => {
    for (const [at, call] of calls.entries()) call.read = snapshots[at] ?? null
  }

  const committed = Effect.fnUntraced(function*(writings: Plan["writings"], request: typeof Committing.Type) {
    const taken = writings.flatMap(({ call: { command: { subject } }, decision }) => takenProperty(subject, decision))
    if (taken.length === 0) return yield* commit(request)
    const { is_gone: isGone, ...outcome } = yield* commitTaking({ ...request, taken })
    return isGone ? yield* overtaken : outcome
  })

  /** Writes what was decided at that revision, and reads for the next. `settle`, once it is committed, tells and hands out. */
  const write = Effect.fnUntraced(function*(
    orgId: string,
    revision: number,
    writings: Plan["writings"],
    next: ReadonlyArray<Call>
  ) {
    for (const { call } of writings) call.isSent = true
    const { next_snapshots, outcomes } = yield* committed(writings, {
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
    return {
      applied: outcomes.filter((outcome) => outcome === "applied").length,
      isChanged: changed.length > 0,
      settle: () => {
        bring([...changed, ...next], Option.getOrElse(broughtOf(next_snapshots), () => []))
        for (const call of changed) call.isSent = false
        for (const [at, { call, tell }] of writings.entries()) {
          if (outcomes[at] === "applied") tell()
          else if (outcomes[at] === "in progress") call.refuse()
        }
      }
    }
  })

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
    const settle = yield* transaction(
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
        const isUndisturbed = revision === memory.leftAt
        const next = isUndisturbed ? nextOf(free, writings, behind()) : []
        const written = writings.length === 0 ? null : yield* write(orgId, revision, writings, next)
        if (written?.applied === 0) return yield* Effect.die(`the account of ${orgId} changed under its lock`)
        return () => {
          memory.leftAt = isUndisturbed ? null : revision + (written?.applied ?? 0)
          refuse()
          for (const tell of settled) tell()
          written?.settle()
        }
      })
    )
    // Only now is it committed, and nobody rests on what might still be undone.
    settle()
  })

  /** Decides before it locks; when another process was quicker, everything again under the lock. */
  const together = Effect.fnUntraced(function*(orgId: string, round: Round) {
    const { behind, calls, memory } = round
    if (memory.leftAt !== null) return yield* locked(orgId, round)
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
    written.settle()
    if (written.applied === 0 && written.isChanged) yield* locked(orgId, round)
  })

  /** Fails those that were sent to be written, which is all that is known of them; where none was, all fail by what kept them from it. */
  const lost = (calls: ReadonlyArray<Call>, cause: Cause.Cause<Failure>): Effect.Effect<void, Failure> => {
    const sent = waitingOf(calls).filter(({ isSent }) => isSent)
    return sent.length === 0 ? Effect.failCause(cause) : Effect.sync(() => {
      for (const call of sent) call.fail(cause)
    })
  }

  const alone = (call: Call): Round => ({ calls: [call], join: () => [], behind: () => [], memory: { leftAt: null } })

  return {
    work: (round: Round): Effect.Effect<void, Failure> => {
      const [first] = round.calls
      if (first === undefined) return Effect.void
      const { orgId } = first
      return Effect.catchCause(together(orgId, round), (cause) => {
        const isShared = round.calls.length > 1 || round.behind().length > 0
        if (!isShared) return Effect.failCause(cause)
        if (!isUndone(cause)) return lost(round.calls, cause)
        const oneByOne = Effect.forEach(round.calls, (call) => {
          if (call.isOver) return Effect.void
          call.read = null
          call.isSent = false
          return Effect.catchCause(
            together(orgId, alone(call)),
            (cause) => Cause.hasInterrupts(cause) ? Effect.failCause(cause) : Effect.sync(() => call.fail(cause))
          )
        }, { discard: true })
        return cause.reasons.every(isOvertaken) ? oneByOne : Effect.andThen(
          Effect.logWarning("calls on a ledger failed together and are made one by one", cause),
          oneByOne
        )
      })
    },

    /**
     * A call within a transaction that is under way. It waits for no turn: whoever is ahead might be waiting for that
     * transaction.
     */
    within: (call: Call) => locked(call.orgId, alone(call))
  }
})

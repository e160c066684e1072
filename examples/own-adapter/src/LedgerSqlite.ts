/**
 * `Ledger` over SQLite: an adapter of one's own, in one file.
 *
 * Node's SQLite is synchronous, so a whole call (read, decide, write) is one transaction that nothing else of this
 * process can come between; `BEGIN IMMEDIATE` keeps other processes out. No call ever sees another one in progress, so
 * none is refused ACTION_IN_PROGRESS.
 *
 * What limits have counted is kept as one number a name, by the names of `UsageCounters`. No webhooks are delivered over
 * this ledger, so none are ever under way.
 *
 * *Gotchas.* Organizations, and which contact belongs to which property, are read from the state in memory: in a backend
 * of your own they are wherever you keep them.
 */
import { Bucket } from "@freehold/core/credit/Bucket"
import { inBurnDownOrder, spendable } from "@freehold/core/credit/BurnDown"
import { type Item, Ledger, type LedgerDecision, type LedgerSnapshot, type Subject } from "@freehold/core/credit/Ledger"
import { numbered } from "@freehold/core/credit/LedgerDecision"
import { Allocation, LedgerEntry } from "@freehold/core/credit/LedgerEntry"
import { spentIn } from "@freehold/core/limit/MemberSpending"
import { none, type UsageQuery } from "@freehold/core/limit/Usage"
import * as UsageCounters from "@freehold/core/limit/UsageCounters"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { monthStart } from "@freehold/core/operation/UtcTime"
import { Effect, Layer, Result, Schema, Struct } from "effect"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"

/** The unique indexes repeat what must hold: one grant a reference, one refund a charge, one access a charge. */
const tables = `
  CREATE TABLE IF NOT EXISTS entry (org TEXT, number INTEGER, line TEXT NOT NULL, PRIMARY KEY (org, number)) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS one_grant ON entry (org, line ->> 'ref') WHERE line ->> 'kind' = 'grant';
  CREATE UNIQUE INDEX IF NOT EXISTS one_refund ON entry (org, line ->> 'refund_of');
  CREATE TABLE IF NOT EXISTS credit (org TEXT, ref TEXT, bucket TEXT NOT NULL, remaining INTEGER CHECK (remaining >= 0),
    expiresAt INTEGER, PRIMARY KEY (org, ref)) STRICT;
  CREATE TABLE IF NOT EXISTS access (org TEXT, item TEXT, source TEXT NOT NULL, chargeEntry INTEGER,
    PRIMARY KEY (org, item), UNIQUE (org, chargeEntry), CHECK ((source = 'paid') = (chargeEntry IS NOT NULL))) STRICT;
  CREATE TABLE IF NOT EXISTS used (org TEXT, name TEXT, amount INTEGER NOT NULL, PRIMARY KEY (org, name)) STRICT;
  CREATE TABLE IF NOT EXISTS export (org TEXT, month INTEGER, used INTEGER NOT NULL, PRIMARY KEY (org, month)) STRICT;
`

const Line = Schema.Struct({ line: Schema.fromJsonString(LedgerEntry) })
const Stored = LedgerEntry.mapFields(Struct.assign({ allocations: Schema.Array(Allocation) }))
const StoredLine = Schema.Struct({ line: Schema.fromJsonString(Stored) })
const Expiry = Schema.NullOr(Schema.Int)
const Grant = Schema.Struct({ ref: Schema.String, bucket: Bucket, remaining: Schema.Int, expiresAt: Expiry })
const Source = Schema.Literals(["paid", "covered", "free"])
const Access = Schema.Struct({ source: Source, chargeEntry: Schema.NullOr(Schema.Int) })
type Entries = ReadonlyArray<typeof Stored.Type>
type Change = Omit<LedgerDecision<unknown>, "entries">
const Count = Schema.Struct({ count: Schema.Int })

const keyOf = (item: Item): string => item.kind === "own" ? `own ${item.action} ${item.id}` : `${item.kind} ${item.id}`

const itemOf = (subject: Subject): Item | null => {
  if (subject._tag === "Property") return { kind: "property", id: subject.propertyId }
  if (subject._tag === "Exports" && subject.propertyId !== undefined) {
    return { kind: "property", id: subject.propertyId }
  }
  if (subject._tag === "Contact") return { kind: "contact", id: subject.contactId }
  return subject._tag === "Own" ? { kind: "own", action: subject.action, id: subject.subjectId } : null
}

export const layer = (file: string): Layer.Layer<Ledger, never, MemoryState> =>
  Layer.effect(
    Ledger,
    Effect.gen(function*() {
      const state = yield* MemoryState
      const open = Effect.sync(() => new DatabaseSync(file))
      const db = yield* Effect.acquireRelease(open, (opened) => Effect.sync(() => opened.close()))
      db.exec(tables)
      const run = (sql: string, ...values: Array<SQLInputValue>) => db.prepare(sql).run(...values)
      const read = <A, E>(row: Schema.Codec<A, E>, sql: string, ...values: Array<SQLInputValue>): ReadonlyArray<A> =>
        Schema.decodeUnknownSync(Schema.Array(row))(db.prepare(sql).all(...values))

      const grantsOf = (org: string) =>
        read(Grant, "SELECT ref, bucket, remaining, expiresAt FROM credit WHERE org = ? ORDER BY rowid", org)
      const exportsOf = (org: string, month: number) =>
        read(Count, "SELECT used AS count FROM export WHERE org = ? AND month = ?", org, month)[0]?.count ?? 0
      const accessTo = (org: string, item: Item) =>
        read(Access, "SELECT source, chargeEntry FROM access WHERE org = ? AND item = ?", org, keyOf(item))[0] ?? null

      const usedBy = (org: string) => (name: string) =>
        read(Count, "SELECT amount AS count FROM used WHERE org = ? AND name = ?", org, name)[0]?.count ?? 0
      const linesOf = (org: string) =>
        read(StoredLine, "SELECT line FROM entry WHERE org = ? ORDER BY number", org).map(({ line }) => line)
      const usageOf = (org: string, query: UsageQuery) =>
        UsageCounters.usageOf(query, {
          underWay: none.underWay,
          spent: query.spender === null ? 0 : spentIn(linesOf(org), query.spender)
        }, usedBy(org))

      const entryOf = (org: string, subject: Subject): LedgerSnapshot["entry"] => {
        const [where, value] = subject._tag === "Grant"
          ? ["line ->> 'kind' = 'grant' AND line ->> 'ref' = ?", subject.ref]
          : ["number = ?", subject._tag === "Entry" ? subject.entry : 0]
        return read(StoredLine, `SELECT line FROM entry WHERE org = ? AND ${where}`, org, value)[0]?.line ?? null
      }

      const snapshotOf = (org: string, subject: Subject, usage: UsageQuery | undefined): LedgerSnapshot => {
        const organization = state.organizations.get(org)
        if (organization === undefined) throw new Error(`there is no organization ${org}`)
        const entry = entryOf(org, subject)
        const item = itemOf(subject)
        const refund = "SELECT number AS count FROM entry WHERE org = ? AND line ->> 'refund_of' = ?"
        return {
          version: read(Count, "SELECT count(*) AS count FROM entry WHERE org = ?", org)[0]?.count ?? 0,
          organization,
          grants: inBurnDownOrder(grantsOf(org)).filter(({ ref, remaining }) =>
            remaining > 0 || entry?.allocations.some(({ grantRef }) => grantRef === ref)
          ),
          access: item === null ? null : accessTo(org, item),
          openedByProperty: item?.kind === "contact" && state.propertyContacts.some(({ contactId, propertyId }) =>
            contactId === item.id && accessTo(org, { kind: "property", id: propertyId })?.source === "paid"
          ),
          exportsUsed: subject._tag === "Exports" ? exportsOf(org, subject.monthStart) : 0,
          entry,
          refundedBy: subject._tag === "Entry" ? read(Count, refund, org, subject.entry)[0]?.count ?? null : null,
          usage: usage === undefined ? none : usageOf(org, usage)
        }
      }

      /** The first charge that stands and includes the property's unlock. */
      const includedBy = (org: string, item: Item) => {
        const sql = `SELECT min(c.number) AS count FROM entry c
          WHERE c.org = ? AND c.line ->> 'kind' = 'charge' AND c.line ->> 'action' = 'research_property'
            AND c.line ->> 'subject_id' = ? AND NOT EXISTS (
              SELECT 1 FROM entry r WHERE r.org = c.org AND r.line ->> 'refund_of' = c.number
            )
          HAVING count(*) > 0`
        return item.kind === "property" ? read(Count, sql, org, item.id)[0]?.count ?? null : null
      }

      const write = (org: string, subject: Subject, { access, exports, newGrants }: Change, entries: Entries) => {
        for (const { bucket, expiresAt, ref, remaining } of newGrants) {
          run("INSERT INTO credit VALUES (?, ?, ?, ?, ?)", org, ref, bucket, remaining, expiresAt)
        }
        for (const entry of entries) {
          run("INSERT INTO entry VALUES (?, ?, ?)", org, entry.entry, JSON.stringify(entry))
          for (const { amount, grantRef } of entry.allocations) {
            const change = entry.kind === "refund" ? amount : -amount
            run("UPDATE credit SET remaining = remaining + ? WHERE org = ? AND ref = ?", change, org, grantRef)
          }
        }
        const charge = entries.find(({ kind }) => kind === "charge")?.entry ?? null
        for (const change of access) {
          const held = accessTo(org, change)
          if (
            change._tag === "Include"
              ? held?.source === "paid"
              : change._tag === "Remove" && held?.chargeEntry !== change.chargeEntry
          ) continue
          run("DELETE FROM access WHERE org = ? AND item = ?", org, keyOf(change))
          const [source, paidBy] = change._tag === "Record"
            ? [change.source, change.source === "paid" ? charge : null]
            : ["paid", change._tag === "Include" ? change.chargeEntry : includedBy(org, change)]
          if (change._tag === "Remove" && paidBy === null) continue
          run("INSERT INTO access VALUES (?, ?, ?, ?)", org, keyOf(change), source, paidBy)
        }
        if (subject._tag === "Exports" && exports > 0) {
          const used = exportsOf(org, subject.monthStart) + exports
          run("INSERT OR REPLACE INTO export VALUES (?, ?, ?)", org, subject.monthStart, used)
        }
      }

      const count = (org: string, additions: ReturnType<typeof UsageCounters.additionsOf>) => {
        const add = "INSERT INTO used VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount"
        for (const [name, amount] of additions) run(add, org, name, amount)
      }

      return Ledger.of({
        transact: Effect.fn("Ledger.transact")(({ now, orgId, subject, usage }, decide) =>
          Effect.suspend(() => {
            db.exec("BEGIN IMMEDIATE")
            try {
              const snapshot = snapshotOf(orgId, subject, usage)
              const decided = decide(snapshot)
              if (Result.isSuccess(decided)) {
                write(orgId, subject, decided.success, numbered(snapshot, decided.success.entries, now))
                if (usage !== undefined) count(orgId, UsageCounters.additionsOf(usage, decided.success.counted))
              }
              db.exec("COMMIT")
              return Effect.fromResult(Result.map(decided, ({ value }) => value))
            } finally {
              if (db.isTransaction) db.exec("ROLLBACK")
            }
          })
        ),
        balance: Effect.fn("Ledger.balance")((orgId, now) =>
          Effect.sync(() => ({
            balance: spendable(grantsOf(orgId), now),
            exportsUsed: exportsOf(orgId, monthStart(now))
          }))
        ),
        usage: Effect.fn("Ledger.usage")((orgId, query) => Effect.sync(() => usageOf(orgId, query))),
        entries: Effect.fn("Ledger.entries")((orgId, { after, limit }) =>
          Effect.sync(() => {
            const sql = "SELECT line FROM entry WHERE org = ? AND number > ? ORDER BY number LIMIT ?"
            return read(Line, sql, orgId, after, limit).map(({ line }) => line)
          })
        )
      })
    })
  )

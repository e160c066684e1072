/** `LedgerReport` in memory. */
import { Array, Effect, Layer, Order } from "effect"
import { inBurnDownOrder, isExpired } from "../../credit/BurnDown.ts"
import type { LedgerEntry } from "../../credit/LedgerEntry.ts"
import { type EntryFilter, LedgerReport, type Spending } from "../../credit/LedgerReport.ts"
import { MemoryState } from "../MemoryState.ts"
import { emptyAccount } from "./LedgerMemory.ts"

const isWithin = (at: string, since: number | null, until: number | null): boolean =>
  (since === null || Date.parse(at) >= since) && (until === null || Date.parse(at) < until)

const matches = (entry: LedgerEntry, { action, actorId, kind, since, until }: EntryFilter): boolean =>
  (kind === null || entry.kind === kind) && (action === null || entry.action === action)
  && (actorId === null || entry.actor.id === actorId) && isWithin(entry.at, since, until)

const sumOf = (entries: ReadonlyArray<LedgerEntry>) => ({
  credits: entries.reduce((sum, { credits }) => sum - credits, 0),
  charges: entries.length
})

const spendingIn = (
  entries: ReadonlyArray<LedgerEntry>,
  { since, until }: { readonly since: number; readonly until: number }
): Spending => {
  const refunded = new Set(entries.map(({ refund_of }) => refund_of))
  const charges = entries.filter(({ at, entry, kind }) =>
    kind === "charge" && isWithin(at, since, until) && !refunded.has(entry)
  )
  const groups = (key: (entry: LedgerEntry) => string) => Object.values(Array.groupBy(charges, key))
  const days = groups(({ action, at }) => `${at.slice(0, 10)} ${action}`).map((group) => ({
    day: group[0].at.slice(0, 10),
    action: group[0].action ?? "",
    ...sumOf(group)
  }))
  const actors = groups(({ actor: { id, kind } }) => `${kind} ${id}`).map((group) => ({
    ...(group.at(-1) ?? group[0]).actor,
    ...sumOf(group)
  }))
  return {
    days: Array.sortWith(days, ({ action, day }) => `${day} ${action}`, Order.String),
    actors: Array.sortWith(actors, ({ credits }) => -credits, Order.Number)
  }
}

/** `LedgerReport` in memory. */
export const layer: Layer.Layer<LedgerReport, never, MemoryState> = Layer.effect(
  LedgerReport,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const accountOf = (orgId: string) => state.accounts.get(orgId) ?? emptyAccount

    return LedgerReport.of({
      latest: Effect.fn("LedgerReport.latest")((orgId, { before, limit, ...filter }) =>
        Effect.sync(() =>
          accountOf(orgId).entries
            .filter((entry) => (before === null || entry.entry < before) && matches(entry, filter))
            .toReversed()
            .slice(0, limit)
            .map(({ allocations: _, ...entry }) => entry)
        )
      ),
      grants: Effect.fn("LedgerReport.grants")((orgId, now) =>
        Effect.sync(() =>
          inBurnDownOrder(accountOf(orgId).grants.values()).filter((grant) =>
            grant.remaining > 0 && !isExpired(grant, now)
          )
        )
      ),
      spending: Effect.fn("LedgerReport.spending")((orgId, span) =>
        Effect.sync(() => spendingIn(accountOf(orgId).entries, span))
      )
    })
  })
)

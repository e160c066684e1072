/** What an organization can spend, and what it exported this month, as commands show it. */
import { balanceView } from "@freehold/core/account/BalanceView"
import { Ledger } from "@freehold/core/credit/Ledger"
import { monthStart } from "@freehold/core/operation/UtcTime"
import type { OrganizationId } from "@freehold/core/organization/Organization"
import { Clock, DateTime, Effect } from "effect"

export const spendable = Effect.fnUntraced(function*(orgId: OrganizationId) {
  const now = yield* Clock.currentTimeMillis
  const { balance, exportsUsed } = yield* Ledger.use((ledger) => ledger.balance(orgId, now))
  const month = DateTime.formatIso(DateTime.makeUnsafe(monthStart(now)))
  return { credit_balance: balanceView(balance), usage: { period_start: month, exports_used: exportsUsed } }
})

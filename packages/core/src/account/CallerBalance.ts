/** What the organization of a caller can spend, and what is left of the caller's own limit: only who has one is looked up. */
import { Effect } from "effect"
import type { CallerFacts } from "../access/Caller.ts"
import type { Ledger } from "../credit/Ledger.ts"
import { ofCaller, queryOf } from "../limit/Limits.ts"
import { ownLimitOf } from "./OwnLimit.ts"

export const read = Effect.fnUntraced(function*(ledger: Ledger["Service"], caller: CallerFacts, now: number) {
  const { org_id: orgId } = caller.organization
  const limits = ofCaller(caller, now)
  const { spender } = limits
  const [found, spent] = yield* Effect.all([
    ledger.balance(orgId, now),
    spender === null ? Effect.succeed(0) : Effect.map(ledger.usage(orgId, queryOf(limits)), (usage) => usage.spent)
  ], { concurrency: 2 })
  return { ...found, own: ownLimitOf(spender, spent) }
})

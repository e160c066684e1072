/** Looks at the ledger's snapshot as a decision would see it, with the lead bundles of the month, and applies nothing. */
import { Effect, Result } from "effect"
import type { UsageQuery } from "../limit/Usage.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { monthStart } from "../operation/UtcTime.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Ledger, LedgerSnapshot } from "./Ledger.ts"

/** A decision that is never applied: what was seen, as its refusal. */
interface Seen<A> {
  readonly _tag: "Seen"
  readonly what: A
}

export const look = <A>(
  ledger: Ledger["Service"],
  at: { readonly orgId: OrganizationId; readonly now: number; readonly usage: UsageQuery },
  see: (snapshot: LedgerSnapshot) => A
): Effect.Effect<A, TemporarilyUnavailable> =>
  ledger.transact<never, Seen<A>>(
    { ...at, subject: { _tag: "Exports", monthStart: monthStart(at.now) }, exclusive: false },
    (snapshot) => Result.fail({ _tag: "Seen", what: see(snapshot) })
  ).pipe(Effect.catchTags({ Seen: ({ what }) => Effect.succeed(what), ACTION_IN_PROGRESS: Effect.die }))

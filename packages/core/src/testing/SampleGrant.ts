/** Credits of a made-up organization, granted as they are granted otherwise. */
import { Clock, Effect } from "effect"
import { decideGrant, type GrantRequest } from "../credit/Grant.ts"
import { Ledger } from "../credit/Ledger.ts"

/** Grants so many credits now, of the subscription and for good, unless something else is given. */
export const grant = Effect.fnUntraced(function*(
  orgId: string,
  amount: number,
  given: Partial<Omit<GrantRequest, "amount">> = {}
) {
  const request: GrantRequest = {
    ref: "sample",
    bucket: "included",
    amount,
    expiresAt: null,
    actor: { kind: "system", id: null, name: null },
    requestId: null,
    now: yield* Clock.currentTimeMillis,
    ...given
  }
  const { now, ref } = request
  return yield* Ledger.use((ledger) =>
    ledger.transact(
      { orgId, subject: { _tag: "Grant", ref }, exclusive: false, now },
      (snapshot) => decideGrant(snapshot, request)
    )
  )
})

/** Tells the app who is signed in. */
import { Clock, Effect } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { total } from "../credit/Bucket.ts"
import { Ledger } from "../credit/Ledger.ts"
import { prices } from "../credit/Price.ts"
import type { GetSession } from "./AppSessionOperations.ts"
import * as CallerBalance from "./CallerBalance.ts"

export const make = Effect.gen(function*() {
  const ledger = yield* Ledger

  const read: HandlerOf<typeof GetSession> = Effect.fn("AppSessionReader.read")(function*() {
    const caller = yield* Caller
    const { organization } = caller
    const member = Acting.member(caller)
    if (member === null) return yield* Effect.die("a key has no session in the app")
    const { balance, own } = yield* CallerBalance.read(ledger, caller, yield* Clock.currentTimeMillis)
    return {
      session_id: caller.credentialId,
      member: {
        member_id: member.memberId,
        name: member.name,
        email: member.email,
        role: member.role,
        monthly_credit_limit: member.monthlyCreditLimit
      },
      organization: {
        org_id: organization.org_id,
        name: organization.name,
        plan: organization.plan,
        crm_mode: organization.crm_mode,
        features: organization.features,
        serviceable_area: organization.serviceable_area
      },
      territory: caller.territory,
      credits: total(balance),
      ...own,
      prices,
      seen_until: caller.kind === "member" ? caller.seenBy?.until ?? null : null
    }
  })

  return { read }
})

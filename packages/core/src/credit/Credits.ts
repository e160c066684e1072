/**
 * The operator's commands about credits: grant, refund, show, read the ledger.
 *
 * Implements operator.md (`freehold credits ...`): a grant with a known reference and a second refund of the same charge
 * change nothing and answer the entry that was made before.
 */
import { Clock, Effect, Option } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import { invalid } from "../operation/InvalidInput.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import type { Bucket } from "./Bucket.ts"
import { decideGrant, type Granted } from "./Grant.ts"
import { Ledger } from "./Ledger.ts"
import { decideRefund } from "./Refund.ts"

/** Grants and refunds over the `Ledger`, as an operator makes them. */
export const make = Effect.gen(function*() {
  const organizations = yield* Organizations
  const ledger = yield* Ledger

  const known = Effect.fnUntraced(function*(orgId: OrganizationId) {
    if (Option.isNone(yield* organizations.find(orgId))) {
      return yield* invalid("org", "There is no such organization")
    }
  })

  const written = Effect.fnUntraced(function*(orgId: OrganizationId, { entry: number, outcome }: Granted) {
    const [entry] = yield* ledger.entries(orgId, { after: number - 1, limit: 1 })
    return entry === undefined ? yield* Effect.die(`entry ${number} of ${orgId} was written`) : { ...entry, outcome }
  })

  /** Gives credits, once per reference. */
  const grant = Effect.fn("Credits.grant")(function*(request: {
    readonly orgId: OrganizationId
    readonly ref: string
    readonly bucket: Bucket
    readonly amount: number
    /** Milliseconds; null: never. */
    readonly expiresAt: number | null
    readonly actor: EntryActor
  }) {
    const { orgId, ...given } = request
    yield* known(orgId)
    const now = yield* Clock.currentTimeMillis
    const granted = yield* ledger.transact(
      { orgId, subject: { _tag: "Grant", ref: given.ref }, exclusive: false, now },
      (snapshot) => decideGrant(snapshot, { ...given, requestId: null, now })
    ).pipe(Effect.catchTag("ACTION_IN_PROGRESS", Effect.die))
    return yield* written(orgId, granted)
  })

  /** Gives a whole charge back and closes what it opened, once. */
  const refund = Effect.fn("Credits.refund")(function*(request: {
    readonly orgId: OrganizationId
    readonly entry: number
    readonly actor: EntryActor
  }) {
    const { actor, entry, orgId } = request
    yield* known(orgId)
    const now = yield* Clock.currentTimeMillis
    const refunded = yield* ledger.transact(
      { orgId, subject: { _tag: "Entry", entry }, exclusive: false, now },
      (snapshot) => decideRefund(snapshot, { actor, requestId: null, now })
    ).pipe(Effect.catchTag("ACTION_IN_PROGRESS", Effect.die))
    return yield* written(orgId, refunded)
  })

  /** What can be spent now. */
  const balance = Effect.fn("Credits.balance")(function*(orgId: OrganizationId) {
    yield* known(orgId)
    return yield* ledger.balance(orgId, yield* Clock.currentTimeMillis)
  })

  /** A page of the ledger, oldest first. */
  const entries = Effect.fn("Credits.entries")(function*(
    orgId: OrganizationId,
    page: { readonly after: number; readonly limit: number }
  ) {
    yield* known(orgId)
    return yield* ledger.entries(orgId, page)
  })

  return { grant, refund, balance, entries }
})

/** What the operator does to an organization: makes it, changes it, gives credits and charges back, suspends and closes. */
import { Clock, Effect, Predicate, Redacted, Result } from "effect"
import { Digest } from "effect/crypto"
import { Operator, type OperatorHandlerOf } from "../access/Operator.ts"
import { total } from "../credit/Bucket.ts"
import { decideGrant, type GrantRequest } from "../credit/Grant.ts"
import { Ledger, type LedgerDecision, type LedgerSnapshot, type Subject } from "../credit/Ledger.ts"
import { decideRefund } from "../credit/Refund.ts"
import { invalid, InvalidInput } from "../operation/InvalidInput.ts"
import { Organizations } from "../organization/Organizations.ts"
import * as Apply from "../provision/Apply.ts"
import * as ApplyDocument from "../provision/ApplyDocument.ts"
import { differenceInWords } from "../provision/Difference.ts"
import { statusActions } from "./OperatorNote.ts"
import * as OperatorWork from "./OperatorWork.ts"
import { lineOf } from "./OrganizationDesk.ts"
import {
  type ApplyOrganization,
  DifferenceChanged,
  type GrantCredits,
  type PlanOrganization,
  type RefundCharge,
  type SetOrganizationStatus
} from "./OrganizationOperations.ts"

/** The paths of a document of one organization, without what names the only one. */
const ofTheOne = ({ issues }: InvalidInput): InvalidInput =>
  new InvalidInput({
    issues: issues.map(({ field, message }) => ({
      field: field?.replace(/^organizations\.0\.?/, "") || null,
      message
    }))
  })

/** The entry of one organization, or a whole document that has one. */
const decode = (document: unknown): Result.Result<ApplyDocument.ApplyDocument, InvalidInput> => {
  const entries = Predicate.hasProperty(document, "organizations") ? document["organizations"] : undefined
  if (!Array.isArray(entries)) {
    return Result.mapError(ApplyDocument.decode({ organizations: [document] }), ofTheOne)
  }
  return entries.length === 1
    ? Result.mapError(ApplyDocument.decode(document), ofTheOne)
    : Result.fail(invalid("organizations", `Expected one organization; this document has ${entries.length}`))
}

/** Who books, and when. */
type Booker = Pick<GrantRequest, "actor" | "requestId" | "now">

export const make = Effect.gen(function*() {
  const organizations = yield* Organizations
  const ledger = yield* Ledger
  const digest = yield* Digest.Digest
  const { act, organizationOf } = yield* OperatorWork.make
  const { apply } = yield* Apply.make

  /** Applies the document of one organization; `dryRun`: and takes it back. */
  const applied = Effect.fnUntraced(function*(document: unknown, options: { readonly dryRun: boolean }) {
    const decoded = yield* Effect.fromResult(decode(document))
    const { organizations: [one] } = yield* apply(decoded, { ...options, actor: yield* Operator.actor }).pipe(
      Effect.catchTag("INVALID_ARGUMENTS", (refusal) => Effect.fail(ofTheOne(refusal))),
      Effect.catchTag(
        "CREDENTIAL_LIMIT_REACHED",
        ({ message }) => Effect.fail(new InvalidInput({ issues: [{ field: "keys", message }] }))
      )
    )
    return one ?? (yield* Effect.die("a document of one organization applies one"))
  })

  const differenceOf = Effect.fnUntraced(function*(one: Apply.AppliedOrganization) {
    const told = { org_id: one.org_id, outcome: one.outcome, changes: one.changes }
    return {
      org_id: one.org_id,
      outcome: one.outcome,
      changes: differenceInWords(one),
      warnings: one.warnings,
      seen: yield* digest.digestHex(
        Digest.sha256,
        Uint8Array.from(encodeURIComponent(JSON.stringify(told)), (character) => character.charCodeAt(0))
      )
    }
  })

  const plan: OperatorHandlerOf<typeof PlanOrganization> = Effect.fn("OrganizationCare.plan")(
    function*({ document }) {
      return yield* differenceOf(yield* applied(document, { dryRun: true }))
    }
  )

  const change: OperatorHandlerOf<typeof ApplyOrganization> = Effect.fn("OrganizationCare.change")(
    ({ document, reason, seen }) =>
      act(
        reason,
        Effect.gen(function*() {
          const one = yield* applied(document, { dryRun: false })
          const difference = yield* differenceOf(one)
          // In the transaction, so that what was done meanwhile by others is part of what is compared.
          if (difference.seen !== seen) return yield* new DifferenceChanged()
          const { name } = yield* Effect.orDie(organizationOf(one.org_id))
          const secrets = one.keys.flatMap(({ name, secret }) =>
            secret === undefined ? [] : [{ key: name, secret: Redacted.value(secret) }]
          )
          return [
            { ...difference, secrets },
            difference.changes.length === 0 ? null : {
              orgId: one.org_id,
              action: "org.applied" as const,
              subject: one.org_id,
              told: { id: one.org_id, name },
              before: null,
              after: { outcome: one.outcome, changes: difference.changes }
            }
          ] as const
        })
      )
  )

  const setStatus: OperatorHandlerOf<typeof SetOrganizationStatus> = Effect.fn("OrganizationCare.setStatus")(
    ({ org_id: orgId, reason, status }) =>
      act(
        reason,
        Effect.gen(function*() {
          const before = yield* organizationOf(orgId)
          if (before.status === status) return [lineOf(before), null] as const
          yield* organizations.setStatus(orgId, status)
          return [lineOf({ ...before, status }), {
            orgId,
            action: statusActions[status],
            subject: orgId,
            told: { id: orgId, name: before.name },
            before: { status: before.status },
            after: { status }
          }] as const
        })
      )
  )

  const credits = (orgId: string, now: number) =>
    Effect.map(ledger.balance(orgId, now), ({ balance }) => total(balance))

  /** What is decided is booked, with the credits before and after. */
  const booking = Effect.fnUntraced(function*<A, E>(
    orgId: string,
    subject: Subject,
    decide: (snapshot: LedgerSnapshot, by: Booker) => Result.Result<LedgerDecision<A>, E>
  ) {
    const { name } = yield* organizationOf(orgId)
    const actor = yield* Operator.actor
    const { requestId } = yield* Operator
    const now = yield* Clock.currentTimeMillis
    const before = yield* credits(orgId, now)
    const booked = yield* ledger.transact(
      { orgId, subject, exclusive: false, now },
      (snapshot) => decide(snapshot, { actor, requestId, now })
    )
    return { name, before, booked, after: yield* credits(orgId, now) }
  })

  const grant: OperatorHandlerOf<typeof GrantCredits> = Effect.fn("OrganizationCare.grant")(
    ({ amount, bucket, expires_at = null, org_id: orgId, reason, ref }) =>
      act(
        reason,
        Effect.gen(function*() {
          const expiresAt = expires_at === null ? null : Date.parse(expires_at)
          const { after, before, booked, name } = yield* booking(
            orgId,
            { _tag: "Grant", ref },
            (snapshot, by) => decideGrant(snapshot, { ref, bucket, amount, expiresAt, ...by })
          ).pipe(Effect.catchTag("ACTION_IN_PROGRESS", Effect.die))
          return [
            { ...booked, credits: after },
            booked.outcome === "unchanged" ? null : {
              orgId,
              action: "credits.granted" as const,
              subject: `${amount} ${bucket}, ${ref}`,
              told: { id: orgId, name },
              before: { credits: before },
              after: { credits: after, entry: booked.entry, amount, bucket, ref, expires_at }
            }
          ] as const
        })
      )
  )

  const refund: OperatorHandlerOf<typeof RefundCharge> = Effect.fn("OrganizationCare.refund")(
    ({ entry, org_id: orgId, reason }) =>
      act(
        reason,
        Effect.gen(function*() {
          const { after, before, booked, name } = yield* booking(
            orgId,
            { _tag: "Entry", entry },
            (snapshot, by) => decideRefund(snapshot, { reason, ...by })
          ).pipe(Effect.catchTag("ACTION_IN_PROGRESS", Effect.die))
          return [
            { ...booked, credits: after },
            booked.outcome === "unchanged" ? null : {
              orgId,
              action: "credits.refunded" as const,
              subject: `entry ${entry}`,
              told: { id: orgId, name },
              before: { credits: before },
              after: { credits: after, entry: booked.entry, refund_of: entry }
            }
          ] as const
        })
      )
  )

  return { plan, change, setStatus, grant, refund }
})

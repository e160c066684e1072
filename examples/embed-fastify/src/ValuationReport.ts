/**
 * What this backend sells: a valuation report, 3 credits, once for each organization and parcel.
 *
 * The charge comes first and the work after it: when the work fails, the same request costs nothing. The valuations are
 * made up.
 */
import { Admission, type AdmissionRefusal } from "@freehold/core/access/Admission"
import { OwnAction } from "@freehold/core/credit/OwnAction"
import { OwnActionBilling, type OwnActionRefusal } from "@freehold/core/credit/OwnActionBilling"
import { detailOf } from "@freehold/core/operation/RefusalDetail"
import { Effect } from "effect"

const valuationReport = new OwnAction({ name: "valuation_report", price: 3 })

const statuses: Readonly<Record<(AdmissionRefusal | OwnActionRefusal)["_tag"], number>> = {
  INVALID_ARGUMENTS: 400,
  INVALID_OAUTH_TOKEN: 401,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_CREDITS: 402,
  PAYMENT_FAILED: 402,
  USER_CREDIT_LIMIT_EXCEEDED: 402,
  ACCOUNT_CLOSED: 403,
  GRANT_REVOKED: 403,
  MEMBER_CONNECT_DISABLED: 403,
  NOT_A_MEMBER: 403,
  CREDITS_DORMANT: 402,
  ORG_SUSPENDED: 403,
  ACTION_IN_PROGRESS: 409,
  COST_CONFIRMATION_REQUIRED: 409,
  DAILY_REQUEST_LIMIT_EXCEEDED: 429,
  rate_limited: 429,
  ACCOUNT_CLOSURE_CHECK_UNAVAILABLE: 503,
  IDENTITY_UNRESOLVED: 503,
  ORG_SUSPENSION_UNAVAILABLE: 503,
  rate_limit_unavailable: 503,
  TEMPORARILY_UNAVAILABLE: 503
}

const refused = (refusal: AdmissionRefusal | OwnActionRefusal) => ({
  status: statuses[refusal._tag],
  headers: "retryAfterSeconds" in refusal ? { "retry-after": String(refusal.retryAfterSeconds) } : {},
  body: { error: refusal.message, code: refusal._tag, ...detailOf(refusal) }
})

const valuationOf = (parcel: string) => ({
  parcel,
  usd: 100_000 + [...parcel].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_000, 0)
})

/** Answers one request, whatever comes of it. */
export const order = Effect.fn("ValuationReport.order")(function*(request: {
  readonly address: string
  readonly authorization: string | undefined
  readonly requestId: string
  readonly parcel: string
}) {
  const admission = yield* Admission
  const billing = yield* OwnActionBilling
  const { caller } = yield* admission.admit(request)
  const bill = yield* billing.charge({
    caller,
    action: valuationReport,
    subjectId: request.parcel,
    requestId: request.requestId
  })
  return { status: 200, headers: {}, body: { report: valuationOf(request.parcel), ...bill } }
}, Effect.catch((refusal) => Effect.succeed(refused(refusal))))

/**
 * What the app's own requests are answered with: `{ data, receipt? }`, or `{ refusal: { code, message, ...detail } }`.
 *
 * A screen looks at the body alone. The status is for logs and proxies: what REST has for the code, where it has one.
 */
import type { NotAMember } from "@freehold/core/access/AccessRefusals"
import type { StandingRefusal } from "@freehold/core/access/AccountStanding"
import type { AppDoorRefusal } from "@freehold/core/access/AppDoor"
import type { SignInLinkEnded, SignInRequired } from "@freehold/core/access/AppSignIn"
import type { OfferedRefusal } from "@freehold/core/catalogue/AppCatalogue"
import type { OperatorRefusal } from "@freehold/core/catalogue/OperatorCatalogue"
import type { ReceiptFacts } from "@freehold/core/credit/Receipt"
import { detailOf } from "@freehold/core/operation/RefusalDetail"
import type { OperatorSignInRequired, ViewEnded } from "@freehold/core/operator/OperatorSignIn"
import type { RateLimited, RateLimitUnavailable } from "@freehold/core/rate/RateRefusals"
import { Option, Record } from "effect"
import { HttpServerResponse } from "effect/http"
import type { RequestFault } from "../RequestFault.ts"
import { outcomes } from "../Status.ts"

/** Whatever the app may be refused with. */
export type AppRefusal =
  | OfferedRefusal
  | AppDoorRefusal
  | StandingRefusal
  | SignInRequired
  | SignInLinkEnded
  | OperatorRefusal
  | OperatorSignInRequired
  | ViewEnded
  | NotAMember
  | RateLimited
  | RateLimitUnavailable

/** The codes that REST never answers. */
const ofTheApp = {
  SIGN_IN_REQUIRED: 401,
  SIGN_IN_LINK_ENDED: 403,
  NOT_A_MEMBER: 403,
  NO_ACTIVE_SEAT: 403,
  ROLE_NOT_PERMITTED: 403,
  ADMINS_ONLY: 403,
  NOT_OFFERED: 404,
  VIEW_ONLY: 403,
  VIEW_ENDED: 401,
  OPERATOR_SIGN_IN_REQUIRED: 401,
  DIFFERENCE_CHANGED: 409,
  ALREADY_RUNNING: 409,
  IMPORT_RUNNING: 409,
  VIEWING_PAUSED: 429,
  CREDENTIAL_LIMIT_REACHED: 409
} as const

const statuses: Readonly<Record<AppRefusal["_tag"], number>> = {
  ...Record.map(outcomes, ({ status }) => status),
  ...ofTheApp
}

const write = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(JSON.stringify(body), { status, headers, contentType: "application/json" })

export const success = (data: unknown, receipt: Option.Option<ReceiptFacts> = Option.none()) =>
  write(200, Option.isSome(receipt) ? { data, receipt: receipt.value } : { data })

export const refusal = (refused: AppRefusal) =>
  write(
    statuses[refused._tag],
    { refusal: { code: refused._tag, message: refused.message, ...detailOf(refused) } },
    "retryAfterSeconds" in refused ? { "retry-after": String(refused.retryAfterSeconds) } : {}
  )

/** What is no request of the app's pages. */
export const fault = ({ error, headers, issues = [], status }: RequestFault) =>
  write(status, { refusal: { code: "INVALID_ARGUMENTS", message: error, issues } }, headers)

/** Another site's page, or no page at all, asked in the name of whoever is signed in. */
export const foreign = write(403, {
  refusal: { code: "FOREIGN_ORIGIN", message: "Only pages of this address may ask this." }
})

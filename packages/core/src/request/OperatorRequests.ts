/** What organizations ask of the operator: support, and coverage of further counties. */
import { Context, type Effect, type Option, Schema } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"

/** What an organization can ask its operator for. */
export const RequestKind = Schema.Literals(["support", "coverage"])
export type RequestKind = typeof RequestKind.Type

/** `open` until the operator closes it. */
export const RequestStatus = Schema.Literals(["open", "closed"])
export type RequestStatus = typeof RequestStatus.Type

/** What is asked for. */
export type Asked =
  | { readonly kind: "support"; readonly subject: string; readonly message: string }
  | { readonly kind: "coverage"; readonly countyFips: ReadonlyArray<string> }

/** Times are ISO-8601. */
export interface OperatorRequest {
  readonly id: string
  readonly orgId: OrganizationId
  readonly kind: RequestKind
  readonly status: RequestStatus
  readonly subject: string | null
  readonly message: string | null
  readonly countyFips: ReadonlyArray<string> | null
  /** Who asked: a key or a member. */
  readonly actor: EntryActor
  /** The call that it was asked with. */
  readonly requestId: string
  readonly createdAt: string
  readonly closedAt: string | null
  /** What the operator answered, for the organization; null: nothing. */
  readonly answer: string | null
}

/** Somebody closed the request before, and it stays as they answered it. */
export class ClosedBefore extends Schema.TaggedError<ClosedBefore>()("ClosedBefore", {
  answer: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return `it was closed before, ${this.answer === null ? "without an answer" : `with the answer: ${this.answer}`}`
  }
}

/** A county that was asked for in a request that is open. */
export interface AskedCounty {
  readonly countyFips: string
  /** The request, the first where there are several. */
  readonly id: string
  readonly createdAt: string
}

/** A place in the order of the list: a request, by what the order compares. */
export type RequestPlace = Pick<OperatorRequest, "createdAt" | "id">

/** What became of what was asked for. */
export interface Added {
  /** Those of the counties that an open request names already, in the order of their codes. */
  readonly before: ReadonlyArray<AskedCounty>
  /** Too many were made: when the next one may come, in milliseconds. */
  readonly next: Option.Option<number>
}

/** Port: what organizations asked for, until the operator closes it. */
export class OperatorRequests extends Context.Service<OperatorRequests, {
  /**
   * Records a request unless the organization made `most` of that kind within the last `spanMillis`. Of counties it records those
   * that no open request of the organization names; where there are none of these, nothing. Atomic: however many come at once, no
   * more are recorded, and no county twice.
   */
  add(
    request: {
      readonly orgId: OrganizationId
      readonly id: string
      readonly asked: Asked
      readonly actor: EntryActor
      readonly requestId: string
      readonly most: number
      readonly spanMillis: number
      /** Milliseconds. */
      readonly now: number
    }
  ): Effect.Effect<Added, TemporarilyUnavailable>

  /**
   * Newest first, those of one moment by id, and how many there are. null: of any organization, in any state; without `actorId`, by
   * anybody; without `kind`, of either; with `stateFips`, for a county of that state; with `after`, from behind that place on, which
   * changes nothing of how many there are.
   */
  list(
    request: {
      readonly orgId: OrganizationId | null
      readonly status: RequestStatus | null
      readonly actorId?: string | undefined
      readonly kind?: RequestKind | undefined
      readonly stateFips?: string | undefined
      readonly after?: RequestPlace | undefined
      readonly limit: number
      readonly offset: number
    }
  ): Effect.Effect<
    { readonly requests: ReadonlyArray<OperatorRequest>; readonly total: number },
    TemporarilyUnavailable
  >

  /** Closes an open request, with an answer or without. None: no such request. */
  close(
    id: string,
    now: number,
    answer: string | null
  ): Effect.Effect<Option.Option<OperatorRequest>, ClosedBefore | TemporarilyUnavailable>
}>()("@freehold/core/request/OperatorRequests") {}

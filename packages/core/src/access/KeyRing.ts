/**
 * The keys of all organizations, and the counters of their requests.
 *
 * `authorize` is the one question of every request, answered in one round trip, since a revoked key must fail on its
 * very next request on every host. Counters are exact across hosts.
 */
import { Context, Duration, type Effect, type Option, Schema } from "effect"
import type { Scope } from "../operation/Scope.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { DailyLimitKind, Organization, OrganizationId } from "../organization/Organization.ts"
import type { Counted } from "../rate/RateWindow.ts"
import type { CredentialLimitReached } from "./AccessRefusals.ts"

/** Active keys of one organization. service-api "Structural limits". */
export const maximumActiveKeys = 10

/** Of the keys that work no more an organization's last ones are kept, by when they ended. */
export const endedKeysKept = 100

/** What ended since then is kept in any case: its minute goes on in another key, and its answers could be asked for again. */
export const endedKeysKeptFor = Duration.days(1)

/** How a key stands. */
export const CredentialStatus = Schema.Literals(["active", "expired", "revoked"])
/** How a key stands. */
export type CredentialStatus = typeof CredentialStatus.Type

/** A key as an administrator sees it; never its secret. `dailyLimits` null: no limit of its own; 0 pauses. */
export interface Credential {
  readonly credentialId: string
  readonly orgId: OrganizationId
  readonly name: string
  readonly label: string
  readonly scopes: ReadonlyArray<Scope>
  readonly status: CredentialStatus
  readonly dailyLimits: Readonly<Partial<Record<DailyLimitKind, number | null>>>
  readonly createdAt: Date
  readonly revokedAt: Date | null
  /** From then on it works no more; null: it does not expire. */
  readonly expiresAt: Date | null
  /** Until then the secret before the last rotation works as well; null: the present one alone. */
  readonly previousUntil: Date | null
}

/** What a request needs to know of the key that it was made with. */
export type LiveCredential = Omit<Credential, "status" | "revokedAt" | "expiresAt" | "previousUntil">

/** A live key, its organization as it is now, and what the counters say of this request. */
export interface Authorization {
  readonly credential: LiveCredential
  readonly organization: Organization
  readonly minute: Counted
  /** null: no daily ceiling is in force. Counted only when the minute admitted the request. */
  readonly day: Counted | null
}

/** What was asked with an organization's keys, by the key's id. */
export interface RequestsMade {
  /** When a key began its last minute of requests; absent: never. */
  readonly lastUsedAt: ReadonlyMap<string, number>
  /** Keys whose minute runs. */
  readonly minutes: ReadonlyMap<string, { readonly used: number; readonly resetsAt: number }>
  /** Requests of the UTC day, of all keys together; 0 where no daily ceiling is in force. */
  readonly today: number
}

/** Another key, of whichever organization and however old, has this secret. */
export class SecretInUse extends Schema.TaggedError<SecretInUse>()("SecretInUse", {}) {
  override get message() {
    return "Another key has this secret; use one that nobody else knows"
  }
}

/** The key's organization moved to another cell (docs/scaling.md), where the same call is answered. */
export class OrganizationMoved extends Schema.TaggedError<OrganizationMoved>()("OrganizationMoved", {
  cell: Schema.String
}) {}

/** Port: the keys of organizations, by their hashes, and the count of the requests made with them. */
export class KeyRing extends Context.Service<KeyRing, {
  /**
   * Finds the active key of that hash, present or still in force after a rotation, and counts one request at `now` (milliseconds since the epoch), atomically.
   * None: no such active key; nothing is counted. A request that the minute or the day refuses is counted by neither.
   */
  authorize(
    secretHash: string,
    now: number
  ): Effect.Effect<Option.Option<Authorization>, OrganizationMoved | TemporarilyUnavailable>

  /**
   * Stores a new active key; at most `maximumActiveKeys` an organization, and no two of one secret. Its minute goes on where that of
   * a key stands that ended in it, so that new keys are no new requests. Of those that ended, only the last are kept
   * (`endedKeysKept`). Atomic.
   */
  create(credential: {
    readonly credentialId: string
    readonly orgId: OrganizationId
    readonly name: string
    readonly label: string
    readonly secretHash: string
    readonly scopes: ReadonlyArray<Scope>
    readonly dailyLimits: Credential["dailyLimits"]
    /** Milliseconds; absent or null: it does not expire. */
    readonly expiresAt?: number | null
  }): Effect.Effect<Credential, CredentialLimitReached | SecretInUse | TemporarilyUnavailable>

  /** All keys of an organization, revoked ones included, oldest first. */
  list(orgId: OrganizationId): Effect.Effect<ReadonlyArray<Credential>, TemporarilyUnavailable>

  /** Revokes a key; none when there is no such key, or `of` is given and it is not theirs. Repeating changes nothing. */
  revoke(credentialId: string, of?: OrganizationId): Effect.Effect<Option.Option<Credential>, TemporarilyUnavailable>

  /**
   * Sets when a key expires (milliseconds), or with null that it does not. None as for `revoke`. One that has expired and
   * would work again must find room among the active ones. Atomic.
   */
  expire(
    credentialId: string,
    at: number | null,
    of?: OrganizationId
  ): Effect.Effect<Option.Option<Credential>, CredentialLimitReached | TemporarilyUnavailable>

  /**
   * Gives a key another secret; the present one works beside it until `until` (milliseconds), and the one before the last
   * no more. None: there is no such key, or it does not work any more.
   */
  rotate(
    credentialId: string,
    secret: { readonly secretHash: string; readonly label: string; readonly until: number },
    of?: OrganizationId
  ): Effect.Effect<Option.Option<Credential>, TemporarilyUnavailable>

  /** Replaces scopes or daily limits of a key; what is absent stays. None as for `revoke`. */
  update(
    credentialId: string,
    change: {
      readonly scopes?: ReadonlyArray<Scope>
      readonly dailyLimits?: Credential["dailyLimits"]
    },
    of?: OrganizationId
  ): Effect.Effect<Option.Option<Credential>, TemporarilyUnavailable>

  /** How the counters of an organization's requests stand at `now`; counts nothing. Times are milliseconds. */
  requests(orgId: OrganizationId, now: number): Effect.Effect<RequestsMade, TemporarilyUnavailable>
}>()("@freehold/core/access/KeyRing") {}

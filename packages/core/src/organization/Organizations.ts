/** The organizations as the operator administers them. Each method is atomic. */
import { Context, type Effect, type Option, Schema } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { CountyFips, type Organization, type OrganizationId, type OrganizationStatus } from "./Organization.ts"

/** What a member may do. */
export const MemberRole = Schema.Literals(["admin", "member", "read_only"])
export type MemberRole = typeof MemberRole.Type

/** The counties that a member may see of what the organization sees; null: the whole serviceable area. */
export const MemberTerritory = Schema.NullOr(
  Schema.Struct({ county_fips: Schema.Array(CountyFips).annotate({ description: "Counties, by their FIPS codes." }) })
)
export type MemberTerritory = typeof MemberTerritory.Type

/** Whole credits that a member's limit of a month may be. */
export const MonthlyCreditLimit = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))

/** A person of an organization. */
export const Member = Schema.Struct({
  memberId: Schema.String,
  email: Schema.String,
  name: Schema.String,
  role: MemberRole,
  seat: Schema.Boolean,
  status: Schema.Literals(["active", "removed"]),
  territory: MemberTerritory,
  /** Whole credits of a UTC calendar month; null: no limit of their own. */
  monthlyCreditLimit: Schema.NullOr(Schema.Int)
})
export type Member = typeof Member.Type

/** Port: organizations and their members. */
export class Organizations extends Context.Service<Organizations, {
  find(orgId: OrganizationId): Effect.Effect<Option.Option<Organization>, TemporarilyUnavailable>

  /** All organizations, by id. */
  list: Effect.Effect<ReadonlyArray<Organization>, TemporarilyUnavailable>

  /** Those that fit, by id, after the id `after` (null: from the first on). `text`: a part of the id or the name, in any case. */
  search(request: {
    readonly text: string | null
    readonly status: OrganizationStatus | null
    readonly after: OrganizationId | null
    readonly limit: number
  }): Effect.Effect<ReadonlyArray<Organization>, TemporarilyUnavailable>

  /** The cell to which an organization that is not here any more moved; null: there is none, or the organization is here. */
  movedTo(orgId: OrganizationId): Effect.Effect<string | null, TemporarilyUnavailable>

  /** Inserts or replaces; says what it did. */
  save(organization: Organization): Effect.Effect<"created" | "changed" | "unchanged", TemporarilyUnavailable>

  /** Changes the state; none when there is no such organization. */
  setStatus(
    orgId: OrganizationId,
    status: OrganizationStatus
  ): Effect.Effect<Option.Option<Organization>, TemporarilyUnavailable>

  /** Members, oldest first. */
  members(orgId: OrganizationId): Effect.Effect<ReadonlyArray<Member>, TemporarilyUnavailable>

  /**
   * Inserts or replaces a member by email (without regard to case). Where a removed member signed in is forgotten, and
   * their sessions in the app and their link to sign in end for good: who gets the address next may be somebody else.
   */
  saveMember(
    orgId: OrganizationId,
    member: Member
  ): Effect.Effect<"created" | "changed" | "unchanged", TemporarilyUnavailable>

  /** Runs the effect in one transaction: all of it or nothing. */
  atomically<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TemporarilyUnavailable, R>
}>()("@freehold/core/organization/Organizations") {}

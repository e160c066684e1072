/** The organizations as the operator administers them. Each method is atomic. */
import { Context, type Effect, type Option, Schema } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { CountyFips, type Organization, type OrganizationId, type OrganizationStatus } from "./Organization.ts"

export const MemberRole = Schema.Literals(["admin", "member", "read_only"])
export type MemberRole = typeof MemberRole.Type

/** The counties that a member may see of what the organization sees; null: the whole serviceable area. */
export const MemberTerritory = Schema.NullOr(Schema.Struct({ county_fips: Schema.Array(CountyFips) }))
export type MemberTerritory = typeof MemberTerritory.Type

/** A person of an organization. */
export interface Member {
  readonly memberId: string
  readonly email: string
  readonly name: string
  readonly role: MemberRole
  readonly seat: boolean
  readonly status: "active" | "removed"
  readonly territory: MemberTerritory
  readonly monthlyCreditLimit: number | null
}

export class Organizations extends Context.Service<Organizations, {
  find(orgId: OrganizationId): Effect.Effect<Option.Option<Organization>, TemporarilyUnavailable>

  /** All organizations, by id. */
  list: Effect.Effect<ReadonlyArray<Organization>, TemporarilyUnavailable>

  /** Inserts or replaces; says what it did. */
  save(organization: Organization): Effect.Effect<"created" | "changed" | "unchanged", TemporarilyUnavailable>

  /** Changes the state; none when there is no such organization. */
  setStatus(
    orgId: OrganizationId,
    status: OrganizationStatus
  ): Effect.Effect<Option.Option<Organization>, TemporarilyUnavailable>

  /** Members, oldest first. */
  members(orgId: OrganizationId): Effect.Effect<ReadonlyArray<Member>, TemporarilyUnavailable>

  /** Inserts or replaces a member by email (without regard to case). */
  saveMember(
    orgId: OrganizationId,
    member: Member
  ): Effect.Effect<"created" | "changed" | "unchanged", TemporarilyUnavailable>

  /** Runs the effect in one transaction: all of it or nothing. */
  atomically<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TemporarilyUnavailable, R>
}>()("@freehold/core/access/Organizations") {}

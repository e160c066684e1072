/** The organizations as the operator administers them. Each method is atomic. */
import { Context, type Effect, type Option } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Organization, OrganizationId, OrganizationStatus } from "./Organization.ts"

/** A person of an organization. */
export interface Member {
  readonly memberId: string
  readonly email: string
  readonly name: string
  readonly role: "admin" | "member" | "read_only"
  readonly seat: boolean
  readonly status: "active" | "removed"
  /** null: the whole serviceable area. */
  readonly territory: { readonly county_fips: ReadonlyArray<string> } | null
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

/** The member who does what a command is about. */
import { FeatureGated, RoleNotPermitted } from "@freehold/core/access/AccessRefusals"
import * as Colleagues from "@freehold/core/access/Colleagues"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import type { Organization } from "@freehold/core/organization/Organization"
import { type Member, Organizations } from "@freehold/core/organization/Organizations"
import { Effect, Result } from "effect"
import { Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"

export const by = Flag.String("by").pipe(
  Flag.withMetavar("EMAIL"),
  Flag.withDescription("The member who does it")
)

/** Refuses an email that no active member of the organization has. */
export const findMember = Effect.fnUntraced(function*(
  orgId: string,
  email: string
): Effect.fn.Return<Member, CommandRefused | TemporarilyUnavailable, Organizations> {
  const members = yield* Organizations.use((organizations) => organizations.members(orgId))
  const member = members.find((each) => each.email.toLowerCase() === email.toLowerCase() && each.status === "active")
  return member ?? (yield* new CommandRefused({ reason: `${orgId} has no active member ${email}` }))
})

/** The member to whom work about the property is given: one with a seat, who sees it. */
export const findWorkingOn = Effect.fnUntraced(function*(
  organization: Organization,
  email: string,
  property: { readonly countyFips: string }
): Effect.fn.Return<Member, CommandRefused | TemporarilyUnavailable, Organizations> {
  const member = yield* findMember(organization.org_id, email)
  return yield* Effect.fromResult(
    Result.mapError(
      Colleagues.workingOn(organization, member, property),
      (why) => new CommandRefused({ reason: `nothing can be given to ${email}: ${why}` })
    )
  )
})

/** The member as the author of something new: refused without the feature, and for members who only read. */
export const findAuthor = Effect.fnUntraced(function*(
  organization: Organization,
  email: string,
  feature: FeatureGated["feature"] | null
): Effect.fn.Return<Member, CommandRefused | FeatureGated | RoleNotPermitted | TemporarilyUnavailable, Organizations> {
  const member = yield* findMember(organization.org_id, email)
  if (feature !== null && !organization.features[feature]) return yield* new FeatureGated({ feature })
  return member.role === "read_only" ? yield* new RoleNotPermitted({ role: member.role }) : member
})

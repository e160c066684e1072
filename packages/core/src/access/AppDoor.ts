/**
 * Who may do what in the app: a member with a seat, whatever the plan and without any scope.
 *
 * | member                                      | refusal            |
 * | ------------------------------------------- | ------------------ |
 * | without a seat                              | NO_ACTIVE_SEAT     |
 * | asks for what is for machines alone         | NOT_OFFERED        |
 * | is no admin, and it is for admins           | ADMINS_ONLY        |
 * | reads only, and it changes more than its own, or spends | ROLE_NOT_PERMITTED |
 * | of an organization without that part        | FEATURE_GATED      |
 * | is seen by the operator, and it changes or spends anything | VIEW_ONLY |
 *
 * decisions, section 21.
 */
import { Result, Schema } from "effect"
import type { AnyOperation } from "../operation/Operation.ts"
import { FeatureGated, NoActiveSeat, RoleNotPermitted } from "./AccessRefusals.ts"
import type { MemberCaller } from "./Caller.ts"

/** Only admins do this in the app. */
export class AdminsOnly extends Schema.TaggedError<AdminsOnly>()("ADMINS_ONLY", {}) {
  override get message() {
    return "Only an admin of your organization can do this."
  }
}

/** There is no such operation in the app. */
export class NotOffered extends Schema.TaggedError<NotOffered>()("NOT_OFFERED", {}) {
  override get message() {
    return "The app does not offer this."
  }
}

/** The operator looks at the app as a member has it, and does nothing in the member's name. */
export class ViewOnly extends Schema.TaggedError<ViewOnly>()("VIEW_ONLY", {}) {
  override get message() {
    return "You see the app as this member, and change nothing in their name."
  }
}

export type AppDoorRefusal = ViewOnly | NoActiveSeat | NotOffered | AdminsOnly | RoleNotPermitted | FeatureGated

/** Whether a member may do what the operation does. */
export const permit = (
  { member, organization, seenBy }: Pick<MemberCaller, "member" | "organization" | "seenBy">,
  { access: { app, gate }, effect }: Pick<AnyOperation, "access" | "effect">
): Result.Result<void, AppDoorRefusal> => {
  const changes = effect === "write" || effect === "spend"
  if (seenBy !== undefined && changes) return Result.fail(new ViewOnly())
  if (!member.seat) return Result.fail(new NoActiveSeat())
  if (app === "nobody") return Result.fail(new NotOffered())
  if (app === "admins" && member.role !== "admin") return Result.fail(new AdminsOnly())
  if (member.role === "read_only" && app !== "oneself" && changes) {
    return Result.fail(new RoleNotPermitted({ role: member.role }))
  }
  return gate === null || organization.features[gate]
    ? Result.succeed(undefined)
    : Result.fail(new FeatureGated({ feature: gate }))
}

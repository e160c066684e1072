/** The organization that a command is about. */
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import type { Organization } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"

export const org = Flag.String("org").pipe(
  Flag.withMetavar("ORG"),
  Flag.withDescription("Id of the organization, such as org_acme")
)

/** Refuses an organization that does not exist. */
export const findOrganization = Effect.fnUntraced(function*(
  orgId: string
): Effect.fn.Return<Organization, CommandRefused | TemporarilyUnavailable, Organizations> {
  const found = yield* Organizations.use((organizations) => organizations.find(orgId))
  if (Option.isNone(found)) return yield* new CommandRefused({ reason: `there is no organization ${orgId}` })
  return found.value
})

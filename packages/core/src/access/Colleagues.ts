/** The members of the caller's organization: those whom work can be given to. */
import { Effect, Result } from "effect"
import * as Territory from "../coverage/Territory.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { compareText } from "../operation/TextOrder.ts"
import type { Organization } from "../organization/Organization.ts"
import { type Member, Organizations } from "../organization/Organizations.ts"
import { Caller } from "./Caller.ts"
import type { ListColleagues } from "./ColleagueOperations.ts"
import type { HandlerOf } from "./Handler.ts"

const isAtWork = ({ seat, status }: Member): boolean => seat && status === "active"

/** The member, if work about the property can be given to them; else why not. */
export const workingOn = (
  organization: Organization,
  member: Member | undefined,
  { countyFips }: { readonly countyFips: string }
): Result.Result<Member, string> => {
  if (member === undefined || !isAtWork(member)) return Result.fail("There is no such member with a seat")
  return Territory.sees({ organization, territory: member.territory }, countyFips)
    ? Result.succeed(member)
    : Result.fail("The property lies outside of this member's territory")
}

export const make = Effect.gen(function*() {
  const organizations = yield* Organizations

  const atWork = Effect.gen(function*() {
    const { organization: { org_id: orgId } } = yield* Caller
    return (yield* organizations.members(orgId)).filter(isAtWork)
  })

  const list: HandlerOf<typeof ListColleagues> = Effect.fn("Colleagues.list")(function*() {
    const members = (yield* atWork).toSorted((left, right) => compareText(left.name, right.name))
    return { members: members.map(({ memberId, name }) => ({ member_id: memberId, name })) }
  })

  /** A colleague who sees the property, named in a field of the input. */
  const forProperty = Effect.fn("Colleagues.forProperty")(
    function*(field: string, memberId: string, property: { readonly countyFips: string }) {
      const { organization } = yield* Caller
      const member = (yield* organizations.members(organization.org_id)).find((each) => each.memberId === memberId)
      return yield* Effect.fromResult(
        Result.mapError(workingOn(organization, member, property), (why) => invalid(field, why))
      )
    }
  )

  return { list, forProperty }
})

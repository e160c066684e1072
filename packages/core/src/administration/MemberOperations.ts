/** What an organization's admins do with its members. decisions, section 21. */
import { Schema } from "effect"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { atMost } from "../operation/Characters.ts"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { oneLine } from "../operation/PlainText.ts"
import { Uuid } from "../operation/Uuid.ts"
import { CountyFips } from "../organization/Organization.ts"
import { MemberRole, MemberTerritory, MonthlyCreditLimit } from "../organization/Organizations.ts"

const access = { scope: null, plan: "team", app: "admins" } as const

/** Counties that a territory may name. */
const maximumCounties = 500

const Member = Schema.Struct({
  member_id: Schema.String,
  email: Schema.String,
  name: Schema.String,
  role: MemberRole,
  seat: Schema.Boolean,
  status: Schema.Literals(["active", "removed"]),
  territory: MemberTerritory,
  monthly_credit_limit: Schema.NullOr(Schema.Int),
  /** Charges of the UTC month that were not refunded. */
  spent_this_month: Schema.Int,
  connections: Schema.Array(Schema.Struct({
    connection_id: Schema.String,
    client_id: Schema.String,
    first_seen: Schema.String,
    revoked_at: Schema.NullOr(Schema.String)
  }))
})

const Name = Schema.String.check(
  Schema.makeFilter((name: string) => name.trim() !== "" && name.length <= 200 || "Expected 1 to 200 characters"),
  oneLine
)

const Email = Schema.String.check(
  Schema.makeFilter((email: string) =>
    /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 320 || "Expected an email address"
  )
)

const Territory = Schema.NullOr(Schema.Struct({
  county_fips: Schema.Array(CountyFips).check(Schema.isMaxLength(maximumCounties))
}))

const CreditLimit = Schema.NullOr(MonthlyCreditLimit)

const settings = {
  name: Name,
  role: MemberRole,
  seat: Schema.Boolean,
  territory: Territory,
  monthly_credit_limit: CreditLimit
}

export const ListMembers = Operation.make("app_list_members", {
  title: "Members",
  description:
    "Free. The people of your organization: role, seat, territory, credit limit, what they spent, assistants.",
  input: NoInput,
  output: Schema.Struct({
    members: Schema.Array(Member),
    /** When the month that spending is counted in ends. */
    month_ends_at: Schema.String
  }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

export const AddMember = Operation.make("app_add_member", {
  title: "Add a member",
  description: "Free. Lets a person in by their email address; who was removed comes back with what they had made.",
  input: Schema.Struct({ email: Email, ...settings }),
  output: Schema.Struct({ member_id: Schema.String }),
  refusals: [],
  access,
  effect: "write",
  tool: false
})

export const ChangeMember = Operation.make("app_change_member", {
  title: "Change a member",
  description: "Free. Replaces what is given of a member; what is left out stays.",
  input: Schema.Struct({
    member_id: Uuid,
    name: Schema.optionalKey(Name),
    role: Schema.optionalKey(MemberRole),
    seat: Schema.optionalKey(Schema.Boolean),
    territory: Schema.optionalKey(Territory),
    monthly_credit_limit: Schema.optionalKey(CreditLimit)
  }),
  output: Schema.Struct({ member_id: Schema.String }),
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

export const RemoveMember = Operation.make("app_remove_member", {
  title: "Remove a member",
  description: "Free. Signs a person out of everything and lets them in no more; what they made stays.",
  input: Schema.Struct({ member_id: Uuid }),
  output: Schema.Struct({ member_id: Schema.String }),
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

export const IssueSignInLink = Operation.make("app_issue_sign_in_link", {
  title: "Make a sign-in link",
  description: "Free. A secret that signs a member in once; a link made before no longer does.",
  input: Schema.Struct({ member_id: Uuid }),
  output: Schema.Struct({
    /** The fragment of the address of the sign-in page. */
    secret: Schema.String,
    minutes: Schema.Int
  }),
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

export const ListMemberSessions = Operation.make("app_list_member_sessions", {
  title: "Sessions of a member",
  description: "Free. The browsers in which a member is signed in, the one used last first.",
  input: Schema.Struct({ member_id: Uuid }),
  output: Schema.Struct({
    sessions: Schema.Array(Schema.Struct({
      session_id: Schema.String,
      signed_in_at: Schema.String,
      last_used_at: Schema.String,
      expires_at: Schema.String,
      user_agent: Schema.NullOr(Schema.String)
    }))
  }),
  refusals: [NotFound],
  access,
  effect: "read",
  tool: false
})

export const RevokeMemberSessions = Operation.make("app_revoke_member_sessions", {
  title: "Sign a member out",
  description: "Free. Ends one session of a member, or all of them.",
  input: Schema.Struct({ member_id: Uuid, session_id: Schema.NullOr(Uuid) }),
  output: Schema.Struct({ ended: Schema.Int }),
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

export const SetMemberConnections = Operation.make("app_set_member_connections", {
  title: "Revoke or clear assistants",
  description: "Free. Revokes a member's assistant connections or lets them in again, all or one.",
  input: Schema.Struct({
    member_id: Uuid,
    client_id: Schema.NullOr(Schema.String.check(atMost(2000))),
    revoked: Schema.Boolean
  }),
  output: Schema.Struct({ changed: Schema.Int }),
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

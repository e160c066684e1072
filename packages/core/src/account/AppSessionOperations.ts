/** What the app knows of whoever is signed in. */
import { Schema } from "effect"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { Plan } from "../operation/Plan.ts"
import { Features, ServiceableArea } from "../organization/Organization.ts"
import { MemberRole, MemberTerritory } from "../organization/Organizations.ts"

/** Who is signed in, for which organization, what they may see and do, and what actions cost. */
export const GetSession = Operation.make("app_get_session", {
  title: "Who is signed in",
  description: "Free. The member, the organization with its switches, the credits that are left, and the prices.",
  input: NoInput,
  output: Schema.Struct({
    session_id: Schema.String,
    member: Schema.Struct({
      member_id: Schema.String,
      name: Schema.String,
      email: Schema.String,
      role: MemberRole,
      /** Whole credits of a UTC calendar month; null: no limit of their own. */
      monthly_credit_limit: Schema.NullOr(Schema.Int)
    }),
    organization: Schema.Struct({
      org_id: Schema.String,
      name: Schema.String,
      plan: Plan,
      crm_mode: Schema.Literals(["internal", "external"]),
      features: Features,
      serviceable_area: ServiceableArea
    }),
    /** The member's own counties; null: the whole serviceable area. */
    territory: MemberTerritory,
    /** Credits that can be spent now. */
    credits: Schema.Int,
    /** Credits by action. */
    prices: Schema.Record(Schema.String, Schema.Int)
  }),
  refusals: [],
  access: { scope: null, plan: "team" },
  effect: "read",
  work: "point",
  tool: false
})

/** What the app knows of whoever is signed in. */
import { Schema } from "effect"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { Plan } from "../operation/Plan.ts"
import { Uuid } from "../operation/Uuid.ts"
import { Features, ServiceableArea } from "../organization/Organization.ts"
import { MemberRole, MemberTerritory } from "../organization/Organizations.ts"
import { ownLimitField } from "./OwnLimit.ts"

/** Who is signed in, for which organization, what they may see and do, and what actions cost. */
export const GetSession = Operation.make("app_get_session", {
  title: "Who is signed in",
  description:
    "Free. The member, the organization with its switches, the credits that are left, of your own limit too, and the prices.",
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
    ...ownLimitField,
    /** Credits by action. */
    prices: Schema.Record(Schema.String, Schema.Int),
    /** It is one of the operator's people who sees the app as this member, until then (ISO-8601). null: it is the member. */
    seen_until: Schema.NullOr(Schema.String)
  }),
  refusals: [],
  access: { scope: null, plan: "team" },
  effect: "read",
  work: "point",
  tool: false
})

/** The browsers in which the member is signed in. */
export const ListSessions = Operation.make("app_list_sessions", {
  title: "Where I am signed in",
  description: "Free. Your sessions in the app, the one used last first.",
  input: NoInput,
  output: Schema.Struct({
    items: Schema.Array(Schema.Struct({
      session_id: Schema.String,
      /** It is the one that asks. */
      current: Schema.Boolean,
      /** ISO-8601, as all times. */
      signed_in_at: Schema.String,
      /** To the minute. */
      last_used_at: Schema.String,
      /** When it ends, unless it is used before. */
      expires_at: Schema.String,
      /** What the browser says of itself; null: nothing. */
      user_agent: Schema.NullOr(Schema.String)
    }))
  }),
  refusals: [],
  access: { scope: null, plan: "team" },
  effect: "read",
  work: "point",
  tool: false
})

/** Ends one of the member's own sessions, or all but the one that asks. */
export const RevokeSession = Operation.make("app_revoke_session", {
  title: "Sign out elsewhere",
  description:
    "Free. Ends the session of that id, or with `others` every one but this. Whatever is ended is refused on its "
    + "next request.",
  input: Schema.Union([
    Schema.Struct({ session_id: Uuid }),
    Schema.Struct({ others: Schema.Literal(true) })
  ]),
  output: Schema.Struct({
    /** How many were ended; 0: there was none of that id. */
    ended: Schema.Int
  }),
  refusals: [],
  access: { scope: null, plan: "team", app: "oneself" },
  effect: "write",
  work: "point",
  tool: false
})

/** The organizations that the person may go on in. */
export const ListOrganizations = Operation.make("app_list_organizations", {
  title: "My organizations",
  description: "Free. The organizations that whoever is signed in may change to, this one included.",
  input: NoInput,
  output: Schema.Struct({
    items: Schema.Array(Schema.Struct({
      org_id: Schema.String,
      name: Schema.String,
      /** It is the one that the session is for. */
      current: Schema.Boolean
    }))
  }),
  refusals: [],
  access: { scope: null, plan: "team" },
  effect: "read",
  work: "point",
  tool: false
})

/** Refusals of admission: who may call at all. service-api "Access and account codes". */
import { Schema } from "effect"
import { InputIssue } from "../operation/InvalidInput.ts"
import { Plan } from "../operation/Plan.ts"

/** No key, a malformed key, an unknown key or a revoked key: the caller learns no more than that. Has no code. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("UNAUTHENTICATED", {}) {
  override get message() {
    return "A valid API key is required: send it as 'Authorization: Bearer <API_KEY>'."
  }
}

export class ScopeNotGranted extends Schema.TaggedError<ScopeNotGranted>()("SCOPE_NOT_GRANTED", {
  scope: Schema.String
}) {
  override get message() {
    return `This key or sign-in was not granted the scope ${this.scope}.`
  }
}

/** A person's token that does not verify, or has expired. */
export class InvalidOauthToken extends Schema.TaggedError<InvalidOauthToken>()("INVALID_OAUTH_TOKEN", {}) {
  override get message() {
    return "This sign-in token is invalid or has expired; sign in again."
  }
}

/** Who is meant cannot be told at the moment: the authorization server or the members cannot be asked. */
export class IdentityUnresolved extends Schema.TaggedError<IdentityUnresolved>()("IDENTITY_UNRESOLVED", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return "Your member account cannot be resolved at the moment; retry shortly."
  }
}

export class NotAMember extends Schema.TaggedError<NotAMember>()("NOT_A_MEMBER", {}) {
  override get message() {
    return "You are signed in, but not a member of this organization; an admin can add you."
  }
}

/** The organization lets admins connect assistants, and nobody else. */
export class MemberConnectDisabled extends Schema.TaggedError<MemberConnectDisabled>()("MEMBER_CONNECT_DISABLED", {}) {
  override get message() {
    return "Only admins may connect assistants in this organization."
  }
}

/** An admin revoked this person's connection with this assistant; signing in again does not bring it back. */
export class GrantRevoked extends Schema.TaggedError<GrantRevoked>()("GRANT_REVOKED", {}) {
  override get message() {
    return "This connection was revoked. It stays revoked after signing in again; an admin can clear it."
  }
}

/** The organization's plan lacks the feature. */
export class UpgradeRequired extends Schema.TaggedError<UpgradeRequired>()("UPGRADE_REQUIRED", {
  feature: Schema.Literals(["apiAccess", "recordsAllowance"]),
  minimumTier: Plan
}) {
  override get message() {
    return `Your organization's plan does not include this; it needs the plan ${this.minimumTier}.`
  }
}

/** The key or connection lacks the scope that something needs besides `mcp`. */
export class ScopeRequired extends Schema.TaggedError<ScopeRequired>()("SCOPE_REQUIRED", {
  scope: Schema.String,
  /** A key's scopes are an admin's to give, a person's come with the sign-in. */
  granted_by: Schema.Literals(["admin", "sign_in"])
}) {
  override get message() {
    return this.granted_by === "admin"
      ? `This needs the scope ${this.scope}, which an admin can add to the key.`
      : `This needs the scope ${this.scope}, which your sign-in lacks: sign in anew and grant it.`
  }
}

/** The organization's plan lacks a whole part of the service. */
export class FeatureGated extends Schema.TaggedError<FeatureGated>()("FEATURE_GATED", {
  feature: Schema.Literals(["enrichments", "lists", "pipeline", "full_crm_export"])
}) {
  override get message() {
    return `Your organization's plan does not include ${
      {
        enrichments: "research",
        lists: "lists",
        pipeline: "the pipeline",
        full_crm_export: "pushing leads to a CRM"
      }[this.feature]
    }.`
  }
}

export class OrgSuspended extends Schema.TaggedError<OrgSuspended>()("ORG_SUSPENDED", {}) {
  override get message() {
    return "This organization is suspended."
  }
}

/** Whether the organization is suspended could not be told. */
export class OrgSuspensionUnavailable
  extends Schema.TaggedError<OrgSuspensionUnavailable>()("ORG_SUSPENSION_UNAVAILABLE", {
    retryAfterSeconds: Schema.Int
  })
{
  override get message() {
    return "Whether this organization is suspended cannot be told at the moment; retry shortly."
  }
}

/** Whether the account is closed could not be told. */
export class AccountClosureCheckUnavailable
  extends Schema.TaggedError<AccountClosureCheckUnavailable>()("ACCOUNT_CLOSURE_CHECK_UNAVAILABLE", {
    retryAfterSeconds: Schema.Int
  })
{
  override get message() {
    return "Whether this account is closed cannot be told at the moment; retry shortly."
  }
}

export class AccountClosed extends Schema.TaggedError<AccountClosed>()("ACCOUNT_CLOSED", {}) {
  override get message() {
    return "This account is closed."
  }
}

/** An eleventh active key. */
export class CredentialLimitReached extends Schema.TaggedError<CredentialLimitReached>()("CREDENTIAL_LIMIT_REACHED", {
  org_id: Schema.String,
  limit: Schema.Int
}) {
  override get message() {
    return `${this.org_id} can have ${this.limit} active keys; revoke one first.`
  }
}

/** The member has no seat. */
export class NoActiveSeat extends Schema.TaggedError<NoActiveSeat>()("NO_ACTIVE_SEAT", {}) {
  override get message() {
    return "You have no active seat in this organization; an admin can give you one."
  }
}

/** The member's role may not write or spend. */
export class RoleNotPermitted extends Schema.TaggedError<RoleNotPermitted>()("ROLE_NOT_PERMITTED", {
  role: Schema.Literal("read_only")
}) {
  override get message() {
    return "Your role is read-only: it may not write or spend. An admin can change it."
  }
}

/** The action must be attributed to a person. */
export class ActingUserRequired extends Schema.TaggedError<ActingUserRequired>()("ACTING_USER_REQUIRED", {}) {
  override get message() {
    return "This needs a person behind it; an organization key cannot use it."
  }
}

/** REST takes organization keys only. */
export class ActingUserNotSupported
  extends Schema.TaggedError<ActingUserNotSupported>()("ACTING_USER_NOT_SUPPORTED", {})
{
  override get message() {
    return "This takes an organization key; a person's connection must use MCP."
  }
}

/** Change events are not switched on for the organization. */
export class SignalsNotEnabled extends Schema.TaggedError<SignalsNotEnabled>()("SIGNALS_NOT_ENABLED", {
  issues: Schema.Array(InputIssue)
}) {
  override get message() {
    return "Change events are not switched on for your organization."
  }
}

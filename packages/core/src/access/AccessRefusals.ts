/** Refusals of admission: who may call at all. service-api "Access and account codes". */
import { Schema } from "effect"
import { Plan } from "./Plan.ts"

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
    return `This key was not granted the scope ${this.scope}.`
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

/** The key or connection lacks the scope that one tool needs besides `mcp`. */
export class ScopeRequired extends Schema.TaggedError<ScopeRequired>()("SCOPE_REQUIRED", { scope: Schema.String }) {
  override get message() {
    return `This tool needs the scope ${this.scope}, which an admin can add.`
  }
}

/** The organization's plan lacks a whole part of the service. */
export class FeatureGated extends Schema.TaggedError<FeatureGated>()("FEATURE_GATED", {
  feature: Schema.Literals(["enrichments", "lists", "pipeline"])
}) {
  override get message() {
    return `Your organization's plan does not include ${
      { enrichments: "research", lists: "lists", pipeline: "the pipeline" }[this.feature]
    }.`
  }
}

export class OrgSuspended extends Schema.TaggedError<OrgSuspended>()("ORG_SUSPENDED", {}) {
  override get message() {
    return "This organization is suspended."
  }
}

export class AccountClosed extends Schema.TaggedError<AccountClosed>()("ACCOUNT_CLOSED", {}) {
  override get message() {
    return "This account is closed."
  }
}

/** An eleventh active key. */
export class CredentialLimitReached extends Schema.TaggedError<CredentialLimitReached>()("CREDENTIAL_LIMIT_REACHED", {
  limit: Schema.Int
}) {
  override get message() {
    return `This organization already has ${this.limit} active keys; revoke one first.`
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
    return "Your role is read-only: it may not use tools that write or spend credits. An admin can change it."
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

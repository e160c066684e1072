/** What an organization's admins do with its keys. service-api "Credential (API key)", decisions sections 18 and 21. */
import { Schema } from "effect"
import { CredentialLimitReached } from "../access/AccessRefusals.ts"
import { KeyDailyLimits } from "../access/KeyDailyLimits.ts"
import { CredentialStatus } from "../access/KeyRing.ts"
import { maximumKeyName } from "../access/Keys.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { within } from "../operation/Characters.ts"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { oneLine } from "../operation/PlainText.ts"
import { Scope } from "../operation/Scope.ts"
import { Uuid } from "../operation/Uuid.ts"
import { DailyLimitKind } from "../organization/Organization.ts"

const access = { scope: null, plan: "team", app: "admins" } as const

const Key = Schema.Struct({
  credential_id: Schema.String,
  name: Schema.String,
  label: Schema.String,
  scopes: Schema.Array(Scope),
  status: CredentialStatus,
  /** null: no limit of its own; 0 pauses. */
  daily_limits: Schema.Struct({
    contact_reveal: Schema.NullOr(Schema.Int),
    lead_export: Schema.NullOr(Schema.Int),
    agent_pipeline_change: Schema.NullOr(Schema.Int),
    paid_property_unlock: Schema.NullOr(Schema.Int),
    records_taken_per_day: Schema.NullOr(Schema.Int)
  }),
  created_at: Schema.String,
  revoked_at: Schema.NullOr(Schema.String),
  /** From then on it works no more; null: it does not expire. */
  expires_at: Schema.NullOr(Schema.String),
  /** Until then the secret before its last rotation works as well; null: the present one alone. */
  previous_until: Schema.NullOr(Schema.String),
  /** To the minute; null: never. */
  last_used_at: Schema.NullOr(Schema.String)
})

const Name = Schema.String.check(
  Schema.makeFilter((name: string) =>
    name.trim() !== "" && within(name, 1, maximumKeyName) || `Expected 1 to ${maximumKeyName} characters`
  ),
  oneLine
)

const Scopes = Schema.Array(Scope).check(Schema.isMaxLength(50))

export const ListKeys = Operation.make("app_list_keys", {
  title: "Keys",
  description: "Free. The keys of your organization, revoked ones included, with when each was last used.",
  input: NoInput,
  output: Schema.Struct({
    keys: Schema.Array(Key),
    /** How many may be active at once. */
    maximum_active: Schema.Int,
    /** Every scope, and whether it has to be chosen on purpose or may only be added later. */
    scopes: Schema.Array(Schema.Struct({
      scope: Scope,
      choice: Schema.Literals(["offered", "opt_in", "added_only"]),
      plan: Schema.Literals(["team", "enterprise"])
    })),
    kinds: Schema.Array(DailyLimitKind)
  }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

export const CreateKey = Operation.make("app_create_key", {
  title: "Make a key",
  description: "Free. Makes a key; its secret is shown this once.",
  input: Schema.Struct({
    name: Name,
    scopes: Scopes.check(Schema.isMinLength(1)),
    daily_limits: Schema.optionalKey(KeyDailyLimits)
  }),
  output: Schema.Struct({ key: Key, secret: Schema.String }),
  refusals: [CredentialLimitReached],
  access,
  effect: "write",
  tool: false
})

export const ChangeKey = Operation.make("app_change_key", {
  title: "Change a key",
  description: "Free. Replaces the scopes of a key, or its own daily limits; what is left out stays.",
  input: Schema.Struct({
    credential_id: Uuid,
    scopes: Schema.optionalKey(Scopes.check(Schema.isMinLength(1))),
    daily_limits: Schema.optionalKey(KeyDailyLimits)
  }),
  output: Key,
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

export const RevokeKey = Operation.make("app_revoke_key", {
  title: "Revoke a key",
  description: "Free. Revokes a key for good; it fails on its very next request.",
  input: Schema.Struct({ credential_id: Uuid }),
  output: Key,
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

/** What the operator asks about organizations, and does to them. */
import { Schema } from "effect"
import { CredentialStatus } from "../access/KeyRing.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import { Bucket } from "../credit/Bucket.ts"
import { maximumBalance } from "../credit/Grant.ts"
import { LedgerEntry, maximumEntry } from "../credit/LedgerEntry.ts"
import { atMost } from "../operation/Characters.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { IsoMoment } from "../operation/IsoMoment.ts"
import * as Operation from "../operation/Operation.ts"
import { oneLine } from "../operation/PlainText.ts"
import { Plan } from "../operation/Plan.ts"
import { Scope } from "../operation/Scope.ts"
import { DailyLimitKind, OrganizationStatus } from "../organization/Organization.ts"
import { MemberRole } from "../organization/Organizations.ts"
import { DisabledReason } from "../webhook/WebhookEndpoints.ts"
import { access, ofOrganization, Reason } from "./OperatorOperation.ts"

/** So many stand on a page. */
export const organizationsAPage = 50

/** What was shown of an organization is not so any more, or the document changes something else by now. */
export class DifferenceChanged extends Schema.TaggedError<DifferenceChanged>()("DIFFERENCE_CHANGED", {}) {
  override get message() {
    return "What this would change is not what was shown any more; nothing was done. Look at the difference again."
  }
}

const Line = Schema.Struct({
  org_id: Schema.String,
  name: Schema.String,
  plan: Plan,
  status: OrganizationStatus,
  payment_status: Schema.Literals(["ok", "failed"])
})

export const ListAllOrganizations = Operation.make("operator_list_organizations", {
  title: "Organizations",
  description: "Free. Every organization, by id; narrowed by a part of its id or name, and by its state.",
  input: Schema.Struct({
    text: Schema.optionalKey(Schema.String.check(atMost(200))),
    status: Schema.optionalKey(OrganizationStatus),
    /** The last id of the page before. */
    cursor: Schema.optionalKey(ofOrganization.org_id)
  }),
  output: Schema.Struct({ items: Schema.Array(Line), next_cursor: Schema.NullOr(Schema.String) }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

/** An organization at a glance, and as the document that makes it. */
export const ShowOrganization = Operation.make("operator_get_organization", {
  title: "An organization",
  description:
    "Free. Its plan, balance, usage, members, keys and endpoints; and the document that applying changes nothing of.",
  input: Schema.Struct(ofOrganization),
  output: Schema.Struct({
    ...Line.fields,
    /** The entry of an apply document. */
    document: Schema.Unknown,
    /** What it keeps its keys and people from. */
    warnings: Schema.Array(Schema.String),
    credits: Schema.Int,
    grants: Schema.Array(Schema.Struct({
      ref: Schema.String,
      bucket: Bucket,
      remaining: Schema.Int,
      expires_at: Schema.NullOr(Schema.String)
    })),
    usage: Schema.Struct({
      /** Requests of the UTC day where a daily ceiling is in force; 0 otherwise. */
      requests_today: Schema.Int,
      exports_this_month: Schema.Int,
      maximum_exports: Schema.Int,
      today: Schema.Array(Schema.Struct({
        kind: DailyLimitKind,
        used: Schema.Int,
        /** The lowest of the organization's caps; null: none. */
        cap: Schema.NullOr(Schema.Int)
      }))
    }),
    members: Schema.Array(Schema.Struct({
      member_id: Schema.String,
      email: Schema.String,
      name: Schema.String,
      role: MemberRole,
      seat: Schema.Boolean,
      status: Schema.Literals(["active", "removed"])
    })),
    keys: Schema.Array(Schema.Struct({
      label: Schema.String,
      scopes: Schema.Array(Scope),
      status: CredentialStatus,
      last_used_at: Schema.NullOr(Schema.String)
    })),
    endpoints: Schema.Array(Schema.Struct({
      id: Schema.String,
      url: Schema.String,
      active: Schema.Boolean,
      disabled_reason: Schema.NullOr(DisabledReason),
      consecutive_failures: Schema.Int
    }))
  }),
  refusals: [NotFound],
  access,
  effect: "read",
  tool: false
})

const Difference = Schema.Struct({
  org_id: Schema.String,
  outcome: Schema.Literals(["created", "changed", "unchanged"]),
  /** Each field that differs, in words. */
  changes: Schema.Array(Schema.String),
  warnings: Schema.Array(Schema.String),
  /** What the difference is known by, to be given back when it is applied. */
  seen: Schema.String
})

/** Unknown, so that its own decoder tells each fault with the name that may have been meant. */
const document = Schema.Unknown

export const PlanOrganization = Operation.make("operator_plan_organization", {
  title: "What a document would change",
  description: "Free. Does what the document of one organization says, tells the difference, and takes it back.",
  input: Schema.Struct({ document }),
  output: Difference,
  refusals: [],
  access,
  effect: "read",
  tool: false
})

export const ApplyOrganization = Operation.make("operator_apply_organization", {
  title: "Make or change an organization",
  description: "Free. Does what the document of one organization says, if it is the difference that was seen.",
  input: Schema.Struct({ document, seen: Schema.String.check(atMost(100)), reason: Reason }),
  output: Schema.Struct({
    ...Difference.fields,
    /** The secrets of new keys, shown this once. */
    secrets: Schema.Array(Schema.Struct({ key: Schema.String, secret: Schema.String }))
  }),
  refusals: [DifferenceChanged],
  access,
  effect: "write",
  tool: false
})

export const SetOrganizationStatus = Operation.make("operator_set_organization_status", {
  title: "Suspend, resume or close",
  description:
    "Free. Suspended and closed refuse every call from the next request on; what is suspended can be resumed.",
  input: Schema.Struct({ ...ofOrganization, status: OrganizationStatus, reason: Reason }),
  output: Line,
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

const Booked = Schema.Struct({
  outcome: Schema.Literals(["created", "unchanged"]),
  /** The number of the entry. */
  entry: Schema.Int,
  /** What can be spent afterwards. */
  credits: Schema.Int
})

const Ref = Schema.String.check(
  Schema.makeFilter((ref: string) => ref.trim() !== "" && ref.length <= 200 || "Expected 1 to 200 characters"),
  oneLine
)

export const GrantCredits = Operation.make("operator_grant_credits", {
  title: "Give credits",
  description: "Free. Gives credits once for each reference; a known one grants nothing.",
  input: Schema.Struct({
    ...ofOrganization,
    bucket: Bucket,
    amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumBalance })),
    ref: Ref,
    expires_at: Schema.optionalKey(Schema.NullOr(IsoMoment)),
    reason: Reason
  }),
  output: Booked,
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

export const RefundCharge = Operation.make("operator_refund_charge", {
  title: "Give a charge back",
  description: "Free. Gives a charge back whole, once, and closes what it had opened.",
  input: Schema.Struct({
    ...ofOrganization,
    entry: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumEntry })),
    reason: Reason
  }),
  output: Booked,
  refusals: [NotFound],
  access,
  effect: "write",
  tool: false
})

export const ListOrganizationLedger = Operation.make("operator_list_ledger", {
  title: "The ledger of an organization",
  description: "Free. The entries of its ledger, the newest first.",
  input: Schema.Struct({ ...ofOrganization, cursor: Schema.optionalKey(Schema.String.check(atMost(20))) }),
  output: Schema.Struct({
    entries: Schema.Array(Schema.Struct({
      ...LedgerEntry.fields,
      /** What the property or person is called that it is about; null: it is about neither, or that is gone. */
      subject_name: Schema.NullOr(Schema.String)
    })),
    next_cursor: Schema.NullOr(Schema.String)
  }),
  refusals: [InvalidCursor, NotFound],
  access,
  effect: "read",
  tool: false
})

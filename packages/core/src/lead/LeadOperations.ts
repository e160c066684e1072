/** What can be asked of leads: the feed and the metered bundle. service-api "Leads" and "Lead bundle". */
import { Schema } from "effect"
import {
  ComplianceCheckUnavailable,
  NotEntitled,
  NotFound,
  OutOfTerritory,
  PropertyRetired
} from "../coverage/CoverageRefusals.ts"
import {
  CostConfirmationRequired,
  CreditsDormant,
  InsufficientCredits,
  PaymentFailed,
  UserCreditLimitExceeded
} from "../credit/CreditRefusals.ts"
import { MaxCredits } from "../credit/MaxCredits.ts"
import { limitRefusals } from "../limit/LimitRefusals.ts"
import { atMost } from "../operation/Characters.ts"
import { IsoMoment } from "../operation/IsoMoment.ts"
import * as Operation from "../operation/Operation.ts"
import { ReducedLimit } from "../operation/ReducedLimit.ts"
import { ContactsSummary, PropertyIdOrKey } from "../property/PropertyOperations.ts"
import { Stage } from "../stage/Stage.ts"

const Text = Schema.NullOr(Schema.String)
const Num = Schema.NullOr(Schema.Finite)
const DoNotContact = Schema.Struct({ email: Schema.Boolean, phone: Schema.Boolean })

/** The CRM-ready record of one property, version 1. decisions, section 5. */
export const LeadBundle = Schema.Struct({
  bundle_version: Schema.Literal(1),
  service_property_id: Schema.String,
  generated_at: Schema.String,
  delivered_to_org: Schema.String,
  partial: Schema.Boolean,
  partial_reason: Schema.NullOr(Schema.Literal("not_revealed")),
  property: Schema.Struct({
    address: Text,
    city: Text,
    state: Text,
    zip: Text,
    county: Text,
    county_fips: Schema.String,
    lat: Num,
    lon: Num,
    common_name: Text,
    asset_category: Text,
    asset_subcategory: Text,
    building_sqft: Num,
    lot_sqft: Num,
    num_floors: Num,
    total_units: Num,
    year_built: Num,
    effective_year_built: Num,
    roof_area_sqft: Num,
    landscapable_sqft: Num,
    footprint_area: Num,
    footprint_area_source: Text,
    record_owner: Text,
    owner_withheld: Schema.optionalKey(Schema.Literal(true)),
    beneficial_owner: Text,
    beneficial_owner_type: Text,
    management_company: Text,
    ai_rationale: Text,
    assessed_value: Num,
    last_sale_date: Text,
    premium_data_redacted: Schema.Boolean,
    parcel_numbers: Schema.Array(Schema.String),
    deep_link_url: Schema.optionalKey(
      Schema.String.annotate({
        description: "Only where the service has an application with a page for each property."
      })
    )
  }),
  organizations: Schema.Array(Schema.Struct({
    service_organization_id: Schema.String,
    role: Schema.String,
    name: Schema.String,
    domain: Text,
    attribution_type: Schema.String,
    linkedin_url: Text,
    website_url: Text,
    phone: Text
  })),
  contacts: Schema.Array(Schema.Struct({
    service_contact_id: Schema.String,
    full_name: Schema.String,
    first_name: Text,
    last_name: Text,
    title: Text,
    role_type: Text,
    seniority: Schema.String,
    employer_name: Text,
    service_organization_id: Text,
    email: Text,
    email_validation_status: Schema.String,
    phone: Text,
    phone_label: Text,
    phone_fallback_from_employer: Schema.Boolean,
    linkedin_url: Text,
    relationship_status: Schema.String,
    employer_mismatch: Schema.Boolean,
    source: Schema.String,
    do_not_contact: DoNotContact
  })),
  contacts_summary: Schema.NullOr(Schema.Struct({
    total_count: Schema.Int,
    contacts: ContactsSummary.fields.contacts
  })),
  pipeline: Schema.Struct({
    in_pipeline: Schema.Boolean,
    status: Schema.NullOr(Stage),
    deal_value: Num,
    currency: Schema.Literal("USD"),
    qualified_at: Text,
    qualified_by: Schema.NullOr(Schema.Struct({ kind: Schema.Literals(["member", "agent"]), name: Schema.String })),
    status_changed_at: Text,
    loss_reason_code: Text,
    loss_reason_note: Text,
    disqualified_reason: Text,
    is_current_customer: Schema.Boolean,
    customer_account_status: Schema.NullOr(Schema.Literals(["active", "churned"])),
    owner_name: Text
  }),
  notes: Schema.Array(Schema.Struct({
    id: Schema.String,
    content: Schema.String,
    author: Schema.String,
    created_at: Schema.String
  })),
  notes_digest: Schema.String,
  actions: Schema.Array(Schema.Struct({
    id: Schema.String,
    title: Schema.String,
    description: Text,
    type: Schema.String,
    status: Schema.String,
    due_at: Text,
    assignee_name: Text,
    created_at: Schema.String,
    completed_at: Text
  })),
  actions_digest: Schema.String
}).annotate({ identifier: "LeadBundle" })
export type LeadBundle = typeof LeadBundle.Type

/** GET /leads. */
export const ListLeads = Operation.make("service_list_leads", {
  title: "Lead feed",
  description:
    "Free. Qualification events, oldest first, without lead data. Page until has_more is false, keep next_cursor and go on " +
    "from it later. Read a lead with service_get_lead_bundle.",
  input: Schema.Struct({
    updated_since: Schema.optionalKey(IsoMoment),
    cursor: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), atMost(400))),
    limit: Schema.optionalKey(ReducedLimit.annotate({ description: "Default and most: 100." }))
  }),
  output: Schema.Struct({
    items: Schema.Array(Schema.Struct({
      event_id: Schema.String,
      property_id: Schema.String,
      event_type: Schema.String,
      qualified_at: Schema.String,
      created_at: Schema.String
    })),
    next_cursor: Text,
    has_more: Schema.Boolean
  }),
  refusals: [],
  access: { scope: "events:subscribe", plan: "team", app: "nobody" },
  effect: "read"
})

/** GET /leads/{id}. */
export const GetLeadBundle = Operation.make("service_get_lead_bundle", {
  title: "Lead bundle",
  description:
    "Metered: free within the monthly export allowance, then 1 credit; every call counts again. The whole record of " +
    "one unlocked or covered property for a CRM.",
  input: Schema.Struct({ property_id: PropertyIdOrKey, maxCredits: Schema.optionalKey(MaxCredits) }),
  output: Schema.Struct({
    bundle: LeadBundle,
    billed_via: Schema.Literals(["quota", "credit"]),
    credits_charged: Schema.Int,
    delivery_id: Schema.String
  }),
  refusals: [
    NotFound,
    OutOfTerritory,
    PropertyRetired,
    NotEntitled,
    PaymentFailed,
    CreditsDormant,
    UserCreditLimitExceeded,
    CostConfirmationRequired,
    ComplianceCheckUnavailable,
    InsufficientCredits,
    ...limitRefusals
  ],
  access: { scope: "leads:read_single", plan: "team", app: "nobody" },
  effect: "spend",
  work: "read"
})

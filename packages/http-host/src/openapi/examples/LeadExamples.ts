/** Examples of the endpoints about leads. All data is made up. */
import { GetLeadBundle, ListLeads } from "@freehold/core/lead/LeadOperations"
import { WriteBackStatus } from "@freehold/core/pipeline/PipelineOperations"
import { example } from "./Example.ts"

export const leadExamples = [
  example(ListLeads, { updated_since: "2026-11-01T00:00:00Z", limit: 100 }, {
    items: [{
      event_id: "9b88ce3d-a9a0-4444-a0c9-198af3e4132a",
      property_id: "984d985b-cf50-5a37-86a9-2c9c6d63499b",
      event_type: "lead.qualified",
      qualified_at: "2026-11-22T00:37:36.785Z",
      created_at: "2026-11-22T00:37:36.787Z"
    }],
    next_cursor: "WyIxNzk1MzA3ODU2Nzg3ODE5IiwiOWI4OGNlM2QtYTlhMC00NDQ0LWEwYzktMTk4YWYzZTQxMzJhIl0",
    has_more: false
  }),
  example(GetLeadBundle, { property_id: "984d985b-cf50-5a37-86a9-2c9c6d63499b" }, {
    bundle: {
      bundle_version: 1,
      service_property_id: "984d985b-cf50-5a37-86a9-2c9c6d63499b",
      generated_at: "2026-11-22T00:38:17.271Z",
      delivered_to_org: "org_demo",
      partial: false,
      partial_reason: null,
      property: {
        address: "466 Hypothetical Drive",
        city: "Port Nonesuch (demo)",
        state: "WA",
        zip: "00022",
        county: "Quillgate (demo)",
        county_fips: "53903",
        lat: 46.877468,
        lon: -119.239571,
        common_name: "Silver Center (demo)",
        asset_category: "Multifamily",
        asset_subcategory: "Garden",
        building_sqft: 3010,
        lot_sqft: 40600,
        num_floors: 3,
        total_units: 232,
        year_built: 1974,
        effective_year_built: 2008,
        roof_area_sqft: 1670,
        landscapable_sqft: 13530,
        footprint_area: 1510,
        footprint_area_source: "assessor",
        record_owner: "Basalt Anchor Family LP (demo)",
        beneficial_owner: "Basalt Anchor Family LP Group (demo)",
        beneficial_owner_type: "family_trust",
        management_company: "Copper Mill Property Management (demo)",
        ai_rationale:
          "Made up for the demonstration: filings of Basalt Anchor Family LP (demo) name Copper Mill Property Management (demo) as its manager.",
        assessed_value: 1181000,
        last_sale_date: null,
        premium_data_redacted: false,
        parcel_numbers: ["DEMO-00001"],
        deep_link_url: "https://app.example/properties/984d985b-cf50-5a37-86a9-2c9c6d63499b"
      },
      organizations: [{
        service_organization_id: "195a4d7b-5386-5ba2-ae31-08530f36e8b8",
        role: "owner",
        name: "Basalt Anchor Family LP (demo)",
        domain: "basalt-anchor.example",
        attribution_type: "county_record",
        linkedin_url: "https://linkedin.example/company/basalt-anchor",
        website_url: "https://basalt-anchor.example",
        phone: "253-555-0133"
      }, {
        service_organization_id: "7b9917bc-e58c-5872-a884-aabd020b2442",
        role: "property_manager",
        name: "Copper Mill Property Management (demo)",
        domain: "copper-mill.example",
        attribution_type: "management_research",
        linkedin_url: "https://linkedin.example/company/copper-mill",
        website_url: "https://copper-mill.example",
        phone: "425-555-0179"
      }],
      contacts: [{
        service_contact_id: "8fc389b3-679d-5977-84bb-72594243890a",
        full_name: "Hiro Mockford",
        first_name: "Hiro",
        last_name: "Mockford",
        title: "Managing Partner",
        role_type: "owner_principal",
        seniority: "partner",
        employer_name: "Basalt Anchor Family LP (demo)",
        service_organization_id: "195a4d7b-5386-5ba2-ae31-08530f36e8b8",
        email: "hiro.mockford@basalt-anchor.example",
        email_validation_status: "valid",
        phone: "206-555-0112",
        phone_label: "Mobile",
        phone_fallback_from_employer: false,
        linkedin_url: null,
        relationship_status: "current",
        employer_mismatch: false,
        source: "verified_employer_domain",
        do_not_contact: { email: false, phone: false }
      }],
      contacts_summary: null,
      pipeline: {
        in_pipeline: true,
        status: "qualified",
        deal_value: 25000,
        currency: "USD",
        qualified_at: "2026-11-22T00:37:36.785Z",
        qualified_by: { kind: "member", name: "Ana Sample" },
        status_changed_at: "2026-11-22T00:37:36.785Z",
        loss_reason_code: null,
        loss_reason_note: null,
        disqualified_reason: null,
        is_current_customer: false,
        customer_account_status: null,
        owner_name: null
      },
      notes: [],
      notes_digest: "",
      actions: [],
      actions_digest: ""
    },
    billed_via: "quota",
    credits_charged: 0,
    delivery_id: "d2fa65ca-5027-4acb-a9d0-c31abc00886e"
  }),
  example(
    WriteBackStatus,
    { property_id: "984d985b-cf50-5a37-86a9-2c9c6d63499b", status: "won", customer_status: "active" },
    {
      property_id: "984d985b-cf50-5a37-86a9-2c9c6d63499b",
      status: "won",
      is_current_customer: true,
      status_changed_at: "2026-11-22T09:15:04.120Z",
      customer_account_status: "active"
    }
  )
] as const

/** Examples of the endpoints about owner and management firms. All data is made up. */
import { BrowseOrganizations, GetOrganization, GetOrganizationProperties } from "@freehold/core/firm/FirmOperations"
import { example } from "./Example.ts"

export const firmExamples = [
  example(BrowseOrganizations, { role: "property_manager", countyFips: ["53903"], sort: "propertyCount", limit: 2 }, {
    organizations: [{
      organization_id: "7b9917bc-e58c-5872-a884-aabd020b2442",
      name: "Copper Mill Property Management (demo)",
      domain: "copper-mill.example",
      roles: ["property_manager"],
      property_count_in_territory: 26,
      researched: true
    }],
    total_matching: 1,
    next_cursor: null,
    scope: { scoped: true, countyCount: 1, states: ["WA"] }
  }),
  example(GetOrganization, { id: "7b9917bc-e58c-5872-a884-aabd020b2442" }, {
    organization: {
      organization_id: "7b9917bc-e58c-5872-a884-aabd020b2442",
      name: "Copper Mill Property Management (demo)",
      domain: "copper-mill.example",
      roles: ["property_manager"],
      socials: {
        linkedin: "https://linkedin.example/company/copper-mill",
        twitter: null,
        facebook: null,
        crunchbase: null
      }
    },
    property_count_in_territory: 26,
    researched_property_count: 26,
    revealed_property_count: 26,
    properties: [{
      property_id: "0e2b5980-3677-51d7-b68d-9c87abd55714",
      address: "536 Pretend Parkway",
      city: "Upper Quill (demo)",
      state: "WA",
      role: "property_manager"
    }, {
      property_id: "0f508929-fdc2-5a77-8774-41ce488183a7",
      address: "314 Hypothetical Drive",
      city: "Fennimore (demo)",
      state: "WA",
      role: "property_manager"
    }],
    properties_truncated: true,
    contacts_by_role: [{ role_type: "chief_engineer", count: 1 }, { role_type: "facilities_manager", count: 1 }, {
      role_type: "property_manager",
      count: 1
    }, { role_type: "regional_manager", count: 1 }]
  }),
  example(GetOrganizationProperties, { id: "7b9917bc-e58c-5872-a884-aabd020b2442" }, {
    organization: { id: "7b9917bc-e58c-5872-a884-aabd020b2442", name: "Copper Mill Property Management (demo)" },
    properties: [{
      in_your_territory: true,
      property_id: "0e2b5980-3677-51d7-b68d-9c87abd55714",
      address: "536 Pretend Parkway",
      city: "Upper Quill (demo)",
      state: "WA",
      role: "property_manager",
      attributionType: "management_research"
    }],
    next_cursor: null
  })
] as const

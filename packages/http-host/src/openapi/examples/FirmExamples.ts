/** Examples of the endpoints about firms. All data is made up. */
import { BrowseOrganizations, GetOrganization, GetOrganizationProperties } from "@freehold/core/firm/FirmOperations"
import { example } from "./Example.ts"

export const firmExamples = [
  example(BrowseOrganizations, { role: "owner", query: "basalt", minProperties: 1 }, {
    organizations: [{
      organization_id: "195a4d7b-5386-5ba2-ae31-08530f36e8b8",
      name: "Basalt Anchor Family LP (demo)",
      domain: "basalt-anchor.example",
      roles: ["owner"],
      property_count_in_territory: 1,
      researched: true
    }],
    total_matching: 1,
    scope: { scoped: true, countyCount: 3, states: ["WA"] }
  }),
  example(GetOrganization, { id: "195a4d7b-5386-5ba2-ae31-08530f36e8b8" }, {
    organization: {
      organization_id: "195a4d7b-5386-5ba2-ae31-08530f36e8b8",
      name: "Basalt Anchor Family LP (demo)",
      domain: "basalt-anchor.example",
      roles: ["owner"],
      socials: {
        linkedin: "https://linkedin.example/company/basalt-anchor",
        twitter: null,
        facebook: null,
        crunchbase: null
      }
    },
    property_count_in_territory: 1,
    researched_property_count: 1,
    revealed_property_count: 1,
    properties: [{
      property_id: "041e917e-63c6-5988-91ac-b819a6bed17e",
      address: "1910 Madeup Boulevard",
      city: "Upper Quill (demo)",
      state: "WA",
      role: "owner"
    }],
    properties_truncated: false,
    contacts_by_role: [{ role_type: "owner_principal", count: 1 }]
  }),
  example(GetOrganizationProperties, { id: "195a4d7b-5386-5ba2-ae31-08530f36e8b8" }, {
    organization: { id: "195a4d7b-5386-5ba2-ae31-08530f36e8b8", name: "Basalt Anchor Family LP (demo)" },
    properties: [{
      in_your_territory: true,
      property_id: "041e917e-63c6-5988-91ac-b819a6bed17e",
      address: "1910 Madeup Boulevard",
      city: "Upper Quill (demo)",
      state: "WA",
      role: "owner",
      attributionType: "county_record"
    }, {
      in_your_territory: false,
      state: "WA",
      county_fips: "53905",
      role: "owner",
      attributionType: "county_record"
    }]
  })
] as const

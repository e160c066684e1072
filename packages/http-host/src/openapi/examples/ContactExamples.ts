/** Examples of the endpoints about people. All data is made up. */
import {
  BrowseContacts,
  FindContacts,
  GetContact,
  GetContactRelationships,
  RevealContact
} from "@freehold/core/contact/ContactOperations"
import { example } from "./Example.ts"

export const contactExamples = [
  example(FindContacts, { query: "hiro", limit: 2 }, {
    contacts: [{
      id: "08b894d8-7d10-5b75-a65c-aa0c1528d4ef",
      name: "Hiro Mockford",
      title: "Managing Partner",
      employer: "Marble Thicket Investments Inc (demo)",
      location: "Larkmoor City (demo), WA"
    }, {
      id: "15750ca4-e9aa-5ea3-abe4-a0d4ad3c3155",
      name: "Hiro Fauxworth",
      title: "Chief Executive Officer",
      employer: "Juniper Ferry Partners LP (demo)",
      location: "Larkmoor City (demo), WA"
    }],
    note: null
  }),
  example(BrowseContacts, { roleType: "property_manager", countyFips: ["53903"], sort: "propertyCount", limit: 2 }, {
    contacts: [{
      contact_id: "bf89b7a6-eb52-551c-9712-9242d19ae242",
      title: "Property Manager",
      role_type: "property_manager",
      seniority: "manager",
      employer_name: "Crimson Juncture Property Management (demo)",
      property_count_in_territory: 43,
      revealed: true,
      email_validated: false,
      has_phone: true
    }, {
      contact_id: "868d3c6d-ff28-52db-919f-c4bc9ae80414",
      title: "Property Manager",
      role_type: "property_manager",
      seniority: "manager",
      employer_name: "Juniper Mill Property Management (demo)",
      property_count_in_territory: 42,
      revealed: true,
      email_validated: true,
      has_phone: false
    }],
    total_matching: 24,
    next_cursor: "9mX3uE0sQb1rYw7LkT2VdHn5cZJf8pAoGiKt4eRy6sCq0vWxNhU3DlBz9gMjPaSo"
  }),
  example(GetContact, { id: "8fc389b3-679d-5977-84bb-72594243890a" }, {
    contact_id: "8fc389b3-679d-5977-84bb-72594243890a",
    title: "Managing Partner",
    role_type: "owner_principal",
    seniority: "partner",
    employer_name: "Basalt Anchor Family LP (demo)",
    employer_organization_id: "195a4d7b-5386-5ba2-ae31-08530f36e8b8",
    location: "Larkmoor City (demo), WA",
    email_validated: true,
    has_phone: true,
    relationships: [{
      in_your_territory: true,
      property_id: "041e917e-63c6-5988-91ac-b819a6bed17e",
      address: "1910 Madeup Boulevard",
      city: "Upper Quill (demo)",
      state: "WA",
      role_type: "owner_principal",
      relationshipStatus: "current",
      attributionType: "county_record"
    }, { in_your_territory: false, state: "WA", county_fips: "53905" }],
    updated_at: "2026-11-22T00:37:08.820Z",
    revealed: true,
    fullName: "Hiro Mockford",
    email: "hiro.mockford@basalt-anchor.example",
    phone: "206-555-0112",
    phoneLabel: "Mobile",
    phoneExtension: null,
    phoneFallbackFromEmployer: false,
    linkedinUrl: null,
    doNotContact: { email: false, phone: false },
    last_strategy: {
      run_id: "019bc2f0-6b1e-7c3a-9d52-2f6a1f0c4e11",
      property_id: "041e917e-63c6-5988-91ac-b819a6bed17e",
      at: "2026-11-22T00:41:02.530Z"
    },
    last_draft: null
  }),
  example(GetContactRelationships, { id: "8fc389b3-679d-5977-84bb-72594243890a" }, {
    relationships: [{
      in_your_territory: true,
      property_id: "041e917e-63c6-5988-91ac-b819a6bed17e",
      address: "1910 Madeup Boulevard",
      city: "Upper Quill (demo)",
      state: "WA",
      role_type: "owner_principal",
      relationshipStatus: "current",
      attributionType: "county_record"
    }, { in_your_territory: false, state: "WA", county_fips: "53905" }]
  }),
  example(RevealContact, { id: "8fc389b3-679d-5977-84bb-72594243890a" }, {
    contact: {
      id: "8fc389b3-679d-5977-84bb-72594243890a",
      fullName: "Hiro Mockford",
      email: "hiro.mockford@basalt-anchor.example",
      phone: "206-555-0112",
      phoneLabel: "Mobile",
      phoneExtension: null,
      phoneFallbackFromEmployer: false,
      linkedinUrl: null,
      doNotContact: { email: false, phone: false },
      title: "Managing Partner",
      employerName: "Basalt Anchor Family LP (demo)"
    },
    creditsCharged: 5,
    alreadyRevealed: true
  })
] as const

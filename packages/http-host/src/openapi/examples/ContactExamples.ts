/** Examples of the endpoints about people. All data is made up. */
import { GetContact, RevealContact } from "@freehold/core/contact/ContactOperations"
import { example } from "./Example.ts"

export const contactExamples = [
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
    phoneFallbackFromEmployer: false,
    linkedinUrl: null
  }),
  example(RevealContact, { id: "8fc389b3-679d-5977-84bb-72594243890a" }, {
    contact: {
      id: "8fc389b3-679d-5977-84bb-72594243890a",
      fullName: "Hiro Mockford",
      email: "hiro.mockford@basalt-anchor.example",
      phone: "206-555-0112",
      phoneLabel: "Mobile",
      phoneFallbackFromEmployer: false,
      linkedinUrl: null,
      title: "Managing Partner",
      employerName: "Basalt Anchor Family LP (demo)"
    },
    creditsCharged: 5,
    alreadyRevealed: true
  })
] as const

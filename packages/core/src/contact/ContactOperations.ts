/** What can be asked of contacts: the operations, as both hosts offer them. */
import { Schema } from "effect"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { AskedCounties } from "../coverage/AskedCounties.ts"
import { NotFound, NoVisibleTerritory } from "../coverage/CoverageRefusals.ts"
import {
  ActionInProgress,
  CostConfirmationRequired,
  CreditsDormant,
  InsufficientCredits,
  PaymentFailed,
  UserCreditLimitExceeded
} from "../credit/CreditRefusals.ts"
import { MaxCredits } from "../credit/MaxCredits.ts"
import { limitRefusals } from "../limit/LimitRefusals.ts"
import { RecordsAhead } from "../limit/Metering.ts"
import * as BrowsePage from "../operation/BrowsePage.ts"
import { atLeastTrimmed, atMost } from "../operation/Characters.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { noteField } from "../operation/Noting.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { CountyFips } from "../organization/Organization.ts"
import { RoleType } from "./Contact.ts"

const Text = Schema.NullOr(Schema.String)

const ContactRelationship = Schema.Union([
  Schema.Struct({
    in_your_territory: Schema.Literal(true),
    property_id: Schema.String,
    address: Text,
    city: Text,
    state: Text,
    role_type: Text,
    relationshipStatus: Schema.String,
    attributionType: Schema.String
  }),
  Schema.Struct({ in_your_territory: Schema.Literal(false), state: Text, county_fips: Schema.String })
])

const detailFields = {
  fullName: Schema.String,
  email: Text,
  phone: Text,
  phoneLabel: Text,
  phoneExtension: Text,
  phoneFallbackFromEmployer: Schema.Boolean,
  linkedinUrl: Text,
  /** What the person asked not to be reached by. */
  doNotContact: Schema.Struct({ email: Schema.Boolean, phone: Schema.Boolean })
}

/** What was written about a person and a property, by the run that it is read again with. */
const Written = Schema.NullOr(
  Schema.Struct({ run_id: Schema.String, property_id: Schema.String, at: Schema.String })
)

const summaryFields = {
  contact_id: Schema.String,
  title: Text,
  role_type: Text,
  seniority: Schema.String,
  employer_name: Text,
  employer_organization_id: Text,
  location: Text,
  email_validated: Schema.Boolean,
  has_phone: Schema.Boolean,
  relationships: Schema.Array(ContactRelationship),
  updated_at: Schema.String
}

export const defaultFindLimit = 10
const maximumFindLimit = 50

/** The kinds of recorded change that a person can have. */
export const ContactChangeKind = Schema.Literals([
  "contact_departure",
  "contact_title_change",
  "contact_employer_change"
])

/** GET /contacts/search. */
export const FindContacts = Operation.make("service_find_contacts", {
  title: "Find contacts",
  description: "Free. Finds people by name or employer, unranked, without contact details.",
  input: Schema.Struct({
    query: Schema.String.check(
      atLeastTrimmed(2),
      atMost(200)
    ).annotate({ description: "Part of a name or employer." }),
    limit: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumFindLimit })).annotate({
        description: "Default 10."
      })
    )
  }),
  output: Schema.Struct({
    contacts: Schema.Array(Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      title: Text,
      employer: Text,
      location: Text
    })),
    note: Text,
    matching_words: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
      description: "Of a query that finds nobody: those of its words that find somebody by themselves."
    })
  }),
  refusals: [NoVisibleTerritory],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "read"
})

/** POST /contacts/browse. */
export const BrowseContacts = Operation.make("service_browse_contacts", {
  title: "Browse contacts",
  description:
    "Free. People in your area by role, title, employer, county or firm: what they do and which details exist. " +
    "Names and details of who is revealed: service_get_contact.",
  input: Schema.Struct({
    roleType: Schema.optionalKey(RoleType),
    titleText: Schema.optionalKey(BrowsePage.Fragment.annotate({ description: "Part of the title." })),
    countyFips: Schema.optionalKey(AskedCounties),
    revealedState: Schema.optionalKey(Schema.Literals(["revealed", "locked", "any"])),
    employerText: Schema.optionalKey(BrowsePage.Fragment.annotate({ description: "Part of the employer's name." })),
    organizationId: Schema.optionalKey(Uuid.annotate({ description: "Only this firm's people." })),
    marketCountyFips: Schema.optionalKey(
      CountyFips.annotate({ description: "With organizationId: marks and ranks people of this county." })
    ),
    sort: Schema.optionalKey(Schema.Literals(["propertyCount", "title", "employerName", "marketRank"])),
    ...BrowsePage.fields,
    changedKinds: Schema.optionalKey(
      Schema.Array(ContactChangeKind).check(Schema.isMinLength(1), Schema.isMaxLength(3))
    ),
    changedWithinDays: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3650 })))
  }),
  output: Schema.Struct({
    contacts: Schema.Array(Schema.Struct({
      contact_id: Schema.String,
      title: Text,
      role_type: Text,
      seniority: Schema.String,
      employer_name: Text,
      property_count_in_territory: Schema.Int,
      revealed: Schema.Boolean,
      email_validated: Schema.Boolean,
      has_phone: Schema.Boolean,
      in_market: Schema.optionalKey(Schema.Boolean),
      market_property_count: Schema.optionalKey(Schema.Int),
      market_rank: Schema.optionalKey(Schema.Int)
    })),
    total_matching: Schema.Int,
    next_cursor: Text,
    ...noteField
  }),
  refusals: [NoVisibleTerritory, SignalsNotEnabled, InvalidCursor],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "read"
})

/** GET /contacts/{id}. */
export const GetContact = Operation.make("service_get_contact", {
  title: "Read a contact",
  description:
    "Free. One person: title, employer, properties, and which details exist; once revealed name, email, phone, LinkedIn, " +
    "last strategy and draft. May draw the daily contact-reveal limit.",
  input: Schema.Struct({ id: Uuid }),
  output: Schema.Union([
    Schema.Struct({
      ...summaryFields,
      revealed: Schema.Literal(true),
      ...detailFields,
      last_strategy: Written,
      last_draft: Written
    }),
    Schema.Struct({ ...summaryFields, revealed: Schema.Literal(false), reveal_price_credits: Schema.Int })
  ]),
  refusals: [NotFound, ...limitRefusals],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "meter"
})

/** GET /contacts/{id}/relationships. */
export const GetContactRelationships = Operation.make("service_get_contact_relationships", {
  title: "A contact's properties",
  description: "Free. The properties that one person is attached to; outside your area only state and county.",
  input: Schema.Struct({ id: Uuid }),
  output: Schema.Struct({ relationships: Schema.Array(ContactRelationship) }),
  refusals: [NotFound],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "read"
})

/** POST /contacts/{id}/reveal. */
export const RevealContact = Operation.make("service_reveal_contact", {
  title: "Reveal a contact",
  description:
    "Costs 5 credits; free when already revealed, attached to an unlocked property or covered. Answers the person's " +
    "name, email, phone and LinkedIn. Unlocking a property opens all of its contacts at once.",
  input: Schema.Struct({ id: Uuid, maxCredits: Schema.optionalKey(MaxCredits) }),
  output: Schema.Struct({
    contact: Schema.Struct({ id: Schema.String, ...detailFields, title: Text, employerName: Text }),
    creditsCharged: Schema.Int,
    alreadyRevealed: Schema.Boolean,
    records: Schema.optionalKey(RecordsAhead)
  }),
  refusals: [
    NotFound,
    PaymentFailed,
    CreditsDormant,
    UserCreditLimitExceeded,
    InsufficientCredits,
    CostConfirmationRequired,
    ActionInProgress,
    ...limitRefusals
  ],
  access: { scope: "data:unlock", plan: "enterprise" },
  effect: "spend",
  // It reads all that ties the person to places, and whoever repeats it is told that the first is under way.
  work: "write"
})

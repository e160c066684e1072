/** What can be asked of contacts: the operations, as both hosts offer them. */
import { Schema } from "effect"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import {
  ActionInProgress,
  CostConfirmationRequired,
  CreditsDormant,
  InsufficientCredits,
  PaymentFailed,
  UserCreditLimitExceeded
} from "../credit/CreditRefusals.ts"
import { limitRefusals } from "../limit/LimitRefusals.ts"
import * as Operation from "../operation/Operation.ts"
import { MaxCredits } from "../property/PropertyOperations.ts"
import { Uuid } from "../property/PropertyRef.ts"

const Text = Schema.NullOr(Schema.String)

export const ContactRelationship = Schema.Union([
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
  phoneFallbackFromEmployer: Schema.Boolean,
  linkedinUrl: Text
}

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

/** GET /contacts/{id}. */
export const GetContact = Operation.make("service_get_contact", {
  title: "Read a contact",
  description:
    "Free. One person: title, employer, properties, and which details exist; name, email, phone and LinkedIn once " +
    "revealed. May draw the daily contact-reveal limit.",
  input: Schema.Struct({ id: Uuid }),
  output: Schema.Union([
    Schema.Struct({ ...summaryFields, revealed: Schema.Literal(true), ...detailFields }),
    Schema.Struct({ ...summaryFields, revealed: Schema.Literal(false), reveal_price_credits: Schema.Int })
  ]),
  refusals: [NotFound, ...limitRefusals],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "meter"
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
    alreadyRevealed: Schema.Boolean
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
  effect: "spend"
})

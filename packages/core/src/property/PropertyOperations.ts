/** What can be asked of properties: the operations, as both hosts offer them. */
import { Schema } from "effect"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { AskedState } from "../coverage/AskedState.ts"
import { NotFound, NoVisibleTerritory, OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import {
  ActionInProgress,
  CostConfirmationRequired,
  CreditsDormant,
  InsufficientCredits,
  NotResearched,
  PaymentFailed,
  UserCreditLimitExceeded
} from "../credit/CreditRefusals.ts"
import { MaxCredits } from "../credit/MaxCredits.ts"
import { dailyRefusals, limitRefusals } from "../limit/LimitRefusals.ts"
import { RecordsAhead } from "../limit/Metering.ts"
import { ListNotFound, WrongListType } from "../list/ListRefusals.ts"
import { atMost } from "../operation/Characters.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { noteField } from "../operation/Noting.ts"
import * as Operation from "../operation/Operation.ts"
import { CountyFips } from "../organization/Organization.ts"
import { SearchedScope } from "./CountyTable.ts"
import { AttributeDetails, BuildingAttributesBasis } from "./Property.ts"
import { BeneficialOwnerType, EnrichmentStatus, ResearchState } from "./Research.ts"
import { SearchInput } from "./SearchInput.ts"
import { AmbiguousSearchMode, CursorSortMismatch, MissingQueryBoundsOrCounty } from "./SearchRefusals.ts"
import { ChosenRow, CompactRow, FullRow, identityFields, MailingAddress } from "./SearchRow.ts"

const Text = Schema.NullOr(Schema.String)
const Num = Schema.NullOr(Schema.Finite)
const Bool = Schema.NullOr(Schema.Boolean)
const Time = Schema.String

/** A property's id, or its key. */
export const PropertyIdOrKey = Schema.String.check(
  Schema.isMinLength(1, { message: "Expected a property id or key" }),
  atMost(200)
).annotate({ description: "Id or key." })

/** The record of a property, as a caller is shown it. decisions, section 1. */
export const PropertyRecord = Schema.Struct({
  ...identityFields,
  apn: Text,
  parcelNumbers: Schema.Array(Schema.String),
  lotSqft: Num,
  buildingSqft: Num,
  footprintArea: Num,
  footprintAreaSource: Text,
  buildingFootprintSqft: Num,
  roofAreaSqft: Num,
  landscapableSqft: Num,
  yearBuilt: Num,
  numFloors: Num,
  effectiveYearBuilt: Num,
  totalUnits: Num,
  heatingType: Text,
  coolingType: Text,
  primaryConstructionType: Text,
  exteriorWallMaterial: Text,
  foundationType: Text,
  roofCover: Text,
  roofShape: Text,
  qualityGrade: Text,
  hasPool: Bool,
  hasSprinklers: Bool,
  ...AttributeDetails.fields,
  buildingAttributesBasis: BuildingAttributesBasis,
  assetCategory: Text,
  assetSubcategory: Text,
  commonName: Text,
  nameLocked: Schema.Boolean,
  recordOwner: Text,
  ownerWithheld: Schema.optionalKey(Schema.Literal(true)),
  ownerMailingAddress: Schema.NullOr(MailingAddress),
  primaryOrganizationId: Text,
  managementOrganizationId: Text,
  beneficialOwner: Text,
  beneficialOwnerType: Schema.NullOr(BeneficialOwnerType),
  managementCompany: Text,
  aiRationale: Text,
  contactCount: Schema.Int,
  zoning: Text,
  landUseCode: Text,
  landUseDescription: Text,
  enrichmentStatus: EnrichmentStatus,
  lastEnrichedAt: Text,
  researchedAt: Text,
  researchTier: Schema.Struct({
    displayName: Schema.String,
    description: Schema.String,
    isUpgradeAvailable: Schema.Boolean
  }),
  propertyValue: Num,
  totalParval: Num,
  parcelValueType: Text,
  lastSaleDate: Text,
  lastSalePrice: Num,
  premiumDataRedacted: Schema.Boolean,
  source: Schema.NullOr(Schema.Struct({
    title: Schema.String,
    licence: Schema.String,
    attribution: Schema.String,
    vanishedAt: Text
  })),
  updatedAt: Time
}).annotate({ identifier: "PropertyRecord" })

const revealFields = {
  researchState: ResearchState,
  researchRevealed: Schema.Boolean,
  revealSource: Schema.NullOr(Schema.Literals(["paid", "geo"])),
  coveredByPlan: Schema.Boolean
}

/** A person inside property detail. */
const RevealedContact = Schema.Struct({
  id: Schema.String,
  fullName: Text,
  title: Text,
  employerName: Text,
  employer_domain: Text,
  organization_id: Text,
  location: Text,
  email: Text,
  emailValidationStatus: Text,
  phone: Text,
  phoneLabel: Text,
  phoneExtension: Text,
  phoneFallbackFromEmployer: Schema.Boolean,
  linkedinUrl: Text,
  role: Text,
  relationshipStatus: Schema.String,
  revealed: Schema.Boolean,
  revealCapExceeded: Schema.Boolean,
  employerMismatch: Schema.Boolean,
  source: Schema.String,
  doNotContact: Schema.Struct({ email: Schema.Boolean, phone: Schema.Boolean }),
  lastVerifiedAt: Text
}).annotate({ identifier: "RevealedContact" })

/** How many people there are while they are closed, and what of each is known. */
export const ContactsSummary = Schema.Struct({
  totalCount: Schema.Int,
  contacts: Schema.Array(Schema.Struct({
    title: Text,
    availability: Schema.Struct({ email: Schema.Boolean, phone: Schema.Boolean, linkedin: Schema.Boolean })
  }))
}).annotate({ identifier: "ContactsSummary" })

/** POST /properties/search. */
export const SearchProperties = Operation.make("service_search_properties", {
  title: "Search properties",
  description:
    "Free. Finds commercial properties by place and attributes (filters), free text (query) or map box (bounds): one of " +
    "them. Few rows (limit) of the columns that you need (fields); count_only: total_matching alone. No contact details.",
  input: SearchInput,
  output: Schema.Struct({
    results: Schema.Array(Schema.Union([FullRow, CompactRow, ChosenRow])),
    has_more: Schema.Boolean,
    next_cursor: Text,
    next_offset: Schema.optionalKey(Schema.NullOr(Schema.Int)),
    total_matching: Schema.optionalKey(Schema.Int),
    category_breakdown: Schema.optionalKey(
      Schema.Array(Schema.Struct({ category: Text, count: Schema.Int }))
    ),
    sorted_by: Schema.Struct({ field: Schema.String, direction: Schema.Literals(["asc", "desc"]) }),
    searched_scope: SearchedScope,
    /** Of a count of free text, which stops there. */
    total_is_least: Schema.optionalKey(Schema.Literal(true)),
    ...noteField
  }),
  refusals: [
    MissingQueryBoundsOrCounty,
    AmbiguousSearchMode,
    InvalidCursor,
    CursorSortMismatch,
    NoVisibleTerritory,
    SignalsNotEnabled,
    ListNotFound,
    WrongListType
  ],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "read"
})

type Found = typeof SearchProperties.output.Encoded

/** The answer of a search that chose no columns, any other one as it is: the rows of the search are whole. */
export type Whole<Answer> = Answer extends Pick<Found, "results" | "searched_scope"> ?
    & Omit<Answer, "results">
    & { readonly results: ReadonlyArray<Extract<Found["results"][number], { readonly id: string }>> }
  : Answer

/** GET /properties/{id}. */
export const GetPropertyRecord = Operation.make("service_get_property_record", {
  title: "Read a property record",
  description: "Free. The record of one property, without contacts. Once revealed it may draw the records allowance.",
  input: Schema.Struct({ id: PropertyIdOrKey }),
  output: Schema.Struct({ property: PropertyRecord, ...revealFields }),
  refusals: [NotFound, OutOfTerritory, PropertyRetired, ...limitRefusals],
  access: { scope: "property:read", plan: "team", app: "nobody" },
  effect: "meter",
  work: "point",
  tool: false
})

/** What was written about one of the people and the property, by the run that it is read again with. */
const Written = Schema.NullOr(Schema.Struct({ run_id: Schema.String, contact_id: Schema.String, at: Schema.String }))

/** GET /properties/{id}/detail. */
export const GetProperty = Operation.make("service_get_property", {
  title: "Read a property",
  description:
    "Free. One property with its research and contacts as far as they are unlocked or covered; otherwise how many " +
    "contacts there are and which details exist. May draw the daily contact-reveal limit.",
  input: Schema.Struct({ id: PropertyIdOrKey }),
  output: Schema.Struct({
    property: PropertyRecord,
    contacts: Schema.Array(RevealedContact),
    contactsSummary: Schema.NullOr(ContactsSummary),
    ...revealFields,
    lastStrategy: Written,
    lastDraft: Written
  }),
  refusals: [NotFound, OutOfTerritory, PropertyRetired, ...limitRefusals],
  access: { scope: "data:read", plan: "enterprise", app: "nobody" },
  effect: "meter"
})

const Given = Schema.String.check(Schema.isMinLength(1), atMost(200))

/** So many are shown for each row. */
export const maximumCandidates = 5

/** POST /properties/resolve. */
export const ResolveProperties = Operation.make("service_resolve_properties", {
  title: "Resolve addresses and parcel numbers",
  description:
    "Free. For up to 100 addresses or parcel numbers (APN): the property that each one is, and its best candidates with " +
    "a score from 0 to 1, within your area.",
  input: Schema.Struct({
    rows: Schema.Array(Schema.Struct({
      address: Schema.optionalKey(Given.annotate({ description: "The street line, such as 1 Main Street." })),
      city: Schema.optionalKey(Given),
      state: Schema.optionalKey(AskedState),
      zip: Schema.optionalKey(
        Schema.String.check(Schema.isPattern(/^\d{5}([- ]?\d{4})?$/, { message: "Expected a zip code or ZIP+4" }))
      ),
      apn: Schema.optionalKey(Given.annotate({ description: "The parcel number; punctuation does not matter." })),
      county_fips: Schema.optionalKey(CountyFips)
    })).check(Schema.isMinLength(1), Schema.isMaxLength(100))
  }),
  output: Schema.Struct({
    results: Schema.Array(Schema.Struct({
      index: Schema.Int.annotate({ description: "The row, counted from 0." }),
      property_id: Schema.NullOr(Schema.String).annotate({
        description: "Of the first candidate, when its score is 0.9 or more and no other comes near; else null."
      }),
      candidates: Schema.Array(Schema.Struct({
        property_id: Schema.String,
        key: Schema.String,
        address: Text,
        city: Text,
        state: Text,
        zip: Text,
        county_fips: Schema.String,
        apn: Text,
        score: Schema.Finite,
        matched_by: Schema.Literals(["apn", "address"])
      }))
    }))
  }),
  refusals: [NoVisibleTerritory],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "read",
  tool: false,
  extension: true
})

/** POST /properties/{id}/unlock. */
export const UnlockProperty = Operation.make("service_reveal_property", {
  title: "Unlock a property",
  description:
    "Costs 10 credits; free where the subscription covers the county or when already unlocked. Opens the research and " +
    "every attached contact; read them with service_get_property.",
  input: Schema.Struct({ id: PropertyIdOrKey, maxCredits: Schema.optionalKey(MaxCredits) }),
  output: Schema.Struct({
    alreadyRevealed: Schema.Boolean,
    creditsCharged: Schema.Int,
    records: Schema.optionalKey(RecordsAhead)
  }),
  refusals: [
    NotFound,
    OutOfTerritory,
    PropertyRetired,
    NotResearched,
    PaymentFailed,
    CreditsDormant,
    UserCreditLimitExceeded,
    InsufficientCredits,
    CostConfirmationRequired,
    ActionInProgress,
    ...dailyRefusals
  ],
  access: { scope: "data:unlock", plan: "enterprise" },
  effect: "spend"
})

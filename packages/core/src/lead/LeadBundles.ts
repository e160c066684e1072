/**
 * Builds the lead bundle: the CRM-ready record of one property for one organization, whole or partial.
 *
 * A partial bundle (the property was neither unlocked nor covered at qualification) has no contacts, no researched value
 * and no firm that only research knows: they would give away what an unlock costs. decisions, section 5.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Organization } from "../access/Organization.ts"
import { employerMismatch, RoleType } from "../contact/Contact.ts"
import { contactsSummary } from "../contact/ContactView.ts"
import { ServiceSettings } from "../operation/ServiceSettings.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { AttachedContact } from "../property/Properties.ts"
import { actionRecord } from "../task/Tasks.ts"
import { type AttachedFirm, type BundleFacts, type BundleNote, BundleSource, type BundleTask } from "./BundleSource.ts"
import type { LeadBundle } from "./LeadOperations.ts"

const digestCharacters = 4000

/** The most useful decision-makers first, in the order of the role taxonomy, then by id. */
const byRelevance = (a: AttachedContact, b: AttachedContact): number => rank(a) - rank(b) || (a.id < b.id ? -1 : 1)

const rank = (contact: AttachedContact): number => {
  const role = contact.role ?? contact.roleType
  const index = role === null ? -1 : RoleType.literals.indexOf(role)
  return index < 0 ? RoleType.literals.length : index
}

/** Lines until the digest is full; the last one is cut to the space that is left, never within a character. */
const digest = (lines: ReadonlyArray<string>): string => {
  const text = lines.join("\n")
  return text.length <= digestCharacters ? text : text.slice(0, digestCharacters).replace(/[\uD800-\uDBFF]$/, "")
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

const noteLine = (note: BundleNote): string => `${note.createdAt.slice(0, 10)} ${note.author}: ${oneLine(note.content)}`

const taskLine = (task: BundleTask): string =>
  `[${task.status}] ${oneLine(task.title)}${task.dueAt === null ? "" : `, due ${task.dueAt.slice(0, 10)}`}`

/** First and last word of a name; a single word is neither. */
const nameParts = (fullName: string) => {
  const words = fullName.trim().split(/\s+/)
  return words.length < 2
    ? { first_name: null, last_name: null }
    : { first_name: words[0] ?? null, last_name: words.at(-1) ?? null }
}

const contactOf = (contact: AttachedContact) => ({
  service_contact_id: contact.id,
  full_name: contact.fullName,
  ...nameParts(contact.fullName),
  title: contact.title,
  role_type: contact.role ?? contact.roleType,
  seniority: contact.seniority,
  employer_name: contact.employerName,
  service_organization_id: contact.firmId,
  email: contact.email,
  email_validation_status: contact.emailValidationStatus,
  phone: contact.phone,
  phone_label: contact.phoneLabel,
  phone_fallback_from_employer: contact.phoneFallbackFromEmployer,
  linkedin_url: contact.linkedinUrl,
  relationship_status: contact.relationshipStatus,
  employer_mismatch: employerMismatch(contact),
  source: contact.source,
  do_not_contact: contact.doNotContact
})

const firmOf = (firm: AttachedFirm) => ({
  service_organization_id: firm.id,
  role: firm.role,
  name: firm.name,
  domain: firm.domain,
  attribution_type: firm.attributionType,
  linkedin_url: firm.linkedinUrl,
  website_url: firm.websiteUrl,
  phone: firm.phone
})

const pipelineOf = (facts: BundleFacts): LeadBundle["pipeline"] => ({
  in_pipeline: facts.lead !== null,
  status: facts.lead?.status ?? null,
  deal_value: facts.lead?.dealValue ?? null,
  currency: "USD",
  qualified_at: facts.lead?.qualifiedAt ?? null,
  qualified_by: facts.lead === null
    ? null
    : { kind: facts.lead.qualifiedBy.kind, name: facts.lead.qualifiedBy.name },
  status_changed_at: facts.lead?.statusChangedAt ?? null,
  loss_reason_code: facts.lead?.lossReasonCode ?? null,
  loss_reason_note: facts.lead?.lossReasonNote ?? null,
  disqualified_reason: facts.lead?.disqualifiedReason ?? null,
  is_current_customer: facts.customerAccountStatus === "active",
  customer_account_status: facts.customerAccountStatus,
  owner_name: facts.lead?.ownerName ?? null
})

/** The bundle of those facts. Pure; `now` in milliseconds. */
export const bundleOf = (
  facts: BundleFacts,
  context: {
    readonly organization: Organization
    readonly partial: boolean
    /** null: there are no pages to link to. */
    readonly appUrl: string | null
    readonly now: number
  }
): LeadBundle => {
  const { property } = facts
  const { organization, partial } = context
  const { common_names, premium_values } = organization.features
  const research = partial ? null : property.research
  const ownerWithheld = property.ownerWithheld || !partial && property.beneficialOwnerWithheld
  const firms = partial
    ? facts.firms.filter((firm) => firm.role === "owner" && firm.attributionType === "county_record")
    : facts.firms
  const summary = contactsSummary(facts.contacts.length, facts.contacts)
  return {
    bundle_version: 1,
    service_property_id: property.id,
    generated_at: DateTime.formatIso(DateTime.makeUnsafe(context.now)),
    delivered_to_org: organization.org_id,
    partial,
    partial_reason: partial ? "not_revealed" : null,
    property: {
      address: property.address,
      city: property.city,
      state: property.state,
      zip: property.zip,
      county: property.county,
      county_fips: property.countyFips,
      lat: property.lat,
      lon: property.lon,
      common_name: common_names ? property.commonName : null,
      asset_category: property.assetCategory,
      asset_subcategory: property.assetSubcategory,
      building_sqft: property.buildingSqft,
      lot_sqft: property.lotSqft,
      num_floors: property.numFloors,
      total_units: property.totalUnits,
      year_built: property.yearBuilt,
      effective_year_built: property.effectiveYearBuilt,
      roof_area_sqft: property.roofAreaSqft,
      landscapable_sqft: property.landscapableSqft,
      footprint_area: property.footprintArea,
      footprint_area_source: property.footprintAreaSource,
      record_owner: property.recordOwner,
      ...ownerWithheld ? { owner_withheld: true as const } : {},
      beneficial_owner: research?.beneficialOwner ?? null,
      beneficial_owner_type: research?.beneficialOwnerType ?? null,
      management_company: research?.managementCompany ?? null,
      // What was written about the property may name its owner.
      ai_rationale: ownerWithheld ? null : research?.aiRationale ?? null,
      assessed_value: premium_values ? property.totalParval : null,
      last_sale_date: premium_values ? property.lastSaleDate : null,
      premium_data_redacted: !premium_values,
      parcel_numbers: property.parcelNumbers ?? [],
      ...context.appUrl === null ? {} : { deep_link_url: `${context.appUrl}/properties/${property.id}` }
    },
    organizations: firms.map(firmOf),
    contacts: partial ? [] : facts.contacts.toSorted(byRelevance).map(contactOf),
    contacts_summary: partial ? { total_count: summary.totalCount, contacts: summary.contacts } : null,
    pipeline: pipelineOf(facts),
    notes: facts.notes.map((note) => ({
      id: note.id,
      content: note.content,
      author: note.author,
      created_at: note.createdAt
    })),
    notes_digest: digest(facts.notes.map(noteLine)),
    actions: facts.tasks.map(actionRecord),
    actions_digest: digest(facts.tasks.map(taskLine))
  }
}

export class LeadBundles extends Context.Service<LeadBundles, {
  /** The bundle of a property for a webhook; none when the property is gone. */
  build(request: {
    readonly organization: Organization
    readonly propertyId: string
    readonly partial: boolean
    /** Milliseconds. */
    readonly now: number
  }): Effect.Effect<Option.Option<LeadBundle>, TemporarilyUnavailable>
}>()("@freehold/core/lead/LeadBundles") {
  static readonly layer = Layer.effect(
    LeadBundles,
    Effect.gen(function*() {
      const source = yield* BundleSource
      const { appUrl } = yield* ServiceSettings
      return LeadBundles.of({
        build: Effect.fn("LeadBundles.build")(function*({ now, organization, partial, propertyId }) {
          const facts = yield* source.read({ _tag: "Id", id: propertyId }, organization.org_id)
          return Option.map(facts, (each) => bundleOf(each, { organization, partial, appUrl, now }))
        })
      })
    })
  )
}

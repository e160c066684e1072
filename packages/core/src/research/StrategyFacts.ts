/**
 * A strategy out of what is known: who the person is, how to approach somebody in that role, what to talk about.
 *
 * Nothing is guessed: what is not known is left out, and without a role and a property there is no strategy.
 */
import type { Contact, RoleType } from "../contact/Contact.ts"
import { type Property, withholdsOwner } from "../property/Property.ts"
import type { Strategy } from "./ResearchRun.ts"

/** What a role is called, and how somebody in it is approached. */
const roles: Readonly<Record<RoleType, { readonly name: string; readonly approach: string }>> = {
  owner_principal: {
    name: "owner",
    approach: "Decides about money. Talk about what the work does for the building's value and its running costs."
  },
  executive: {
    name: "executive",
    approach: "Decides, and delegates the detail. Be brief, name the building and ask who looks after it."
  },
  asset_manager: {
    name: "asset manager",
    approach: "Answers for the building's budget and plan. Talk about timing, cost and what waiting would cost."
  },
  property_manager: {
    name: "property manager",
    approach:
      "Runs the building day to day. Be concrete about the building, and offer something small such as a walk-through."
  },
  regional_manager: {
    name: "regional manager",
    approach: "Looks after several buildings. Start with this one and ask how the others are handled."
  },
  facilities_manager: {
    name: "facilities manager",
    approach: "Knows the building's condition. Ask about it, and offer practical help."
  },
  chief_engineer: { name: "chief engineer", approach: "Knows the systems. Be specific, leave out sales talk." },
  maintenance: {
    name: "maintenance contact",
    approach: "Sees problems first and rarely decides alone. Ask what needs attention and who decides."
  },
  construction_manager: {
    name: "construction manager",
    approach: "Plans projects. Ask what is planned, and when bids are taken."
  },
  leasing_agent: {
    name: "leasing agent",
    approach: "Cares about what tenants see. Talk about appearance and disruption, and ask who decides."
  },
  development: { name: "developer", approach: "Looks ahead to projects. Ask what is planned for the site." },
  acquisitions: {
    name: "acquisitions contact",
    approach: "Looks at a building's condition before it is bought. Offer an assessment."
  },
  procurement: {
    name: "buyer",
    approach: "Runs the choice of vendors. Ask how to be considered and what is needed for it."
  },
  finance: {
    name: "finance contact",
    approach: "Approves budgets. Talk about cost over the years, and ask who raises such requests."
  },
  legal: { name: "legal contact", approach: "Seldom buys services. Ask who looks after the building." },
  sustainability: {
    name: "sustainability contact",
    approach: "Works towards energy goals. Talk about measurable savings."
  },
  operations: {
    name: "operations contact",
    approach: "Keeps the building running. Talk about reliability and little disruption."
  },
  tenant_contact: { name: "tenant", approach: "Uses the building and seldom decides for it. Ask who manages it." },
  registered_agent: { name: "registered agent", approach: "Forwards mail for the owner. Ask to be passed on." },
  association_board: {
    name: "board member",
    approach: "Decides together with others. Offer something that can be shown to the board."
  },
  other: { name: "contact", approach: "Their part is not known. Name the building and ask who looks after it." }
}

const roleName = (role: RoleType | null): string | null => role === null ? null : roles[role].name

/** A whole number as it is written in English: 12,500. */
const grouped = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ",")

/** The building in one sentence; null when nothing is known of it. */
const buildingSentence = (
  property: Pick<Property, "assetCategory" | "buildingSqft" | "numFloors" | "yearBuilt">
): string | null => {
  const facts = [
    property.assetCategory === null ? [] : [`${property.assetCategory} property`],
    property.buildingSqft === null ? [] : [`${grouped(property.buildingSqft)} sq ft`],
    property.numFloors === null ? [] : [property.numFloors === 1 ? "1 floor" : `${property.numFloors} floors`],
    property.yearBuilt === null ? [] : [`built in ${property.yearBuilt}`]
  ].flat()
  return facts.length === 0 ? null : `${facts.join(", ")}.`
}

/** At most so many characters, cut at a word. */
const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/\s+\S*$/, "")}…`

/** `property`: one that the organization may read. */
export const strategyOf = (contact: Contact, property: Property | null): Strategy | null => {
  const role = contact.roleType
  const title = contact.title ?? roleName(role)
  if (property === null || property.address === null || title === null) return null
  const place = [property.address, property.city].filter((part) => part !== null).join(", ")
  const building = buildingSentence(property)
  const manager = property.research?.managementCompany ?? null
  const rationale = withholdsOwner(property) ? null : property.research?.aiRationale ?? null
  const employer = contact.employerName === null ? "" : ` at ${contact.employerName}`
  return {
    summary: shortened(`${contact.fullName}, ${title}${employer}, is a contact for ${place}.`, 2000),
    approach: roles[role ?? "other"].approach,
    points: [
      ...building === null ? [] : [building],
      ...manager === null ? [] : [shortened(`Managed by ${manager}.`, 500)],
      ...rationale === null ? [] : [shortened(rationale, 500)],
      ...contact.doNotContact.email ? ["Asked not to be emailed."] : [],
      ...contact.doNotContact.phone ? ["Asked not to be called."] : []
    ]
  }
}

/**
 * The rows of an import: five kinds, each from one JSON object to the values that it sets. operator.md, "Import rows".
 *
 * A field that is absent keeps what is stored, an explicit null clears it. Every fault of a row is told, one per field;
 * a row with a fault has no effect. Fields that the kind does not know are faults.
 *
 * `id` is made from the key where the row has none: `importNamespace` and `<kind>/<key>` as a UUID v5, the same in every
 * installation. Hashing is the caller's, since it belongs to a platform.
 */
import { Result, Schema } from "effect"
import {
  ContactSource,
  EmailValidationStatus,
  PhoneLabel,
  RelationshipStatus,
  RoleType,
  Seniority
} from "../contact/Contact.ts"
import { type AttributeField, type Attributes, type Building, noAttributes } from "../property/BuildingAttributes.ts"
import {
  fieldOf,
  isPropertyField,
  isSecondName,
  type PropertyField,
  propertyFields,
  type SecondName
} from "../property/PropertyField.ts"
import { BeneficialOwnerType, ResearchTierName } from "../research/Research.ts"
import * as FieldCheck from "./FieldCheck.ts"
import { type Bounds, type Check, type FieldValue, Invalid } from "./FieldCheck.ts"

export const ImportKind = Schema.Literals(["properties", "firms", "contacts", "research", "changes"])
export type ImportKind = typeof ImportKind.Type

/** The namespace of ids that are made from keys. Never changed: it would give every record another id. */
export const importNamespace = "6f0d8c1e-5b0b-5d0e-9a51-3c7e2f4b9d10"

/** The name within `importNamespace` of a record that has no id of its own. */
export const importName = (kind: ImportKind, key: string): string => `${kind}/${key}`

/** What is wrong with a row. `field` is a path such as `buildings[1].sqft`; null: the row as a whole. */
export interface RowFault {
  readonly field: string | null
  readonly reason: string
}

/** The values that a row sets; null clears, what is not in it stays. */
export type Values<F extends string> = ReadonlyMap<F, FieldValue | null>

interface Keyed {
  readonly key: string
  readonly id: string
  /** The id stood in the row: one that differs from the stored one is a fault. */
  readonly idGiven: boolean
}

export interface PropertyRow extends Keyed {
  readonly values: Values<PropertyField>
  /** Absent: as stored. */
  readonly buildings?: ReadonlyArray<Building>
  /** The key of the record that took this one's place. Absent: as stored. */
  readonly retiredInto?: string | null
}

const firmRoles = ["owner", "property_manager", "operator", "tenant"] as const
export type FirmRole = (typeof firmRoles)[number]

const attributionTypes = [
  "county_record",
  "beneficial_research",
  "management_research",
  "mailing_address_match",
  "business_registry",
  "customer_supplied",
  "web"
] as const

export interface FirmLink {
  readonly propertyKey: string
  readonly role: string
  readonly attributionType: string
}

export interface FirmRow extends Keyed {
  readonly values: Values<FirmField>
  /** All properties of the firm. Absent: as stored. */
  readonly properties?: ReadonlyArray<FirmLink>
}

export interface ContactLink {
  readonly propertyKey: string
  readonly role: string | null
  readonly relationshipStatus: string
  readonly attributionType: string
}

export interface ContactRow extends Keyed {
  readonly values: Values<ContactField>
  /** Absent: as stored. */
  readonly firmKey?: string | null
  /** All properties of the person. Absent: as stored. */
  readonly properties?: ReadonlyArray<ContactLink>
}

export interface ResearchRow {
  readonly propertyKey: string
  readonly values: Values<ResearchField>
}

export interface ChangeRow extends Keyed {
  readonly kind: ChangeKind
  readonly propertyKey: string | null
  readonly contactKey: string | null
  /** The key of the change that this one withdraws. */
  readonly withdraws: string | null
  readonly before: Values<EvidenceField> | null
  readonly after: Values<EvidenceField> | null
  readonly detectedAt: string | null
  readonly effectiveDate: string | null
  readonly source: string | null
}

/** Rows of one kind. */
export type ImportBatch =
  | { readonly kind: "properties"; readonly rows: ReadonlyArray<PropertyRow> }
  | { readonly kind: "firms"; readonly rows: ReadonlyArray<FirmRow> }
  | { readonly kind: "contacts"; readonly rows: ReadonlyArray<ContactRow> }
  | { readonly kind: "research"; readonly rows: ReadonlyArray<ResearchRow> }
  | { readonly kind: "changes"; readonly rows: ReadonlyArray<ChangeRow> }

export interface RowContext extends Bounds {
  /** The id of a record that its row does not give: a UUID v5 of `importName` in `importNamespace`. */
  readonly idOf: (kind: ImportKind, key: string) => string
}

export type Parsed<R> = Result.Result<R, ReadonlyArray<RowFault>>

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

interface FieldTable<F extends string> {
  readonly has: (name: string) => name is F
  readonly check: (name: F) => Check
}

const table = <F extends string>(checks: { readonly [K in F]: Check }): FieldTable<F> => ({
  has: (name): name is F => Object.hasOwn(checks, name),
  check: (name) => checks[name]
})

/** Reads the fields of an object; those in `reserved` are the caller's. */
const readFields = <F extends string>(
  fields: FieldTable<F>,
  reserved: ReadonlyArray<string>,
  input: Json,
  path: string,
  bounds: Bounds,
  faults: Array<RowFault>
): Values<F> => {
  const values = new Map<F, FieldValue | null>()
  for (const name of Object.keys(input)) {
    if (!fields.has(name)) {
      if (!reserved.includes(name)) faults.push({ field: path + name, reason: "is not a field of this kind of row" })
      continue
    }
    const value = input[name]
    if (value === null || value === undefined) {
      values.set(name, null)
      continue
    }
    const read = fields.check(name)(value, bounds)
    if (read instanceof Invalid) faults.push({ field: path + name, reason: read.reason })
    else values.set(name, read)
  }
  return values
}

const required = "is required"

const readKey = (input: Json, name: string, path: string, faults: Array<RowFault>): string => {
  const read = FieldCheck.key(input[name] ?? undefined)
  if (!(read instanceof Invalid)) return read
  faults.push({ field: path + name, reason: read.reason })
  return ""
}

/** The key of another record, null where the row has none. */
const readReference = (input: Json, name: string, faults: Array<RowFault>): string | null =>
  input[name] === undefined || input[name] === null ? null : readKey(input, name, "", faults)

const readKeyed = (kind: ImportKind, input: Json, context: RowContext, faults: Array<RowFault>): Keyed => {
  const key = readKey(input, "key", "", faults)
  if (input["id"] === undefined || input["id"] === null) {
    return { key, id: key === "" ? "" : context.idOf(kind, key), idGiven: false }
  }
  const id = FieldCheck.uuid(input["id"])
  if (!(id instanceof Invalid)) return { key, id, idGiven: true }
  faults.push({ field: "id", reason: id.reason })
  return { key, id: "", idGiven: true }
}

const mostLinks = 10_000

/** Reads an array of objects, each by `read`; null and an empty array are both none. */
const readObjects = <A>(
  value: unknown,
  name: string,
  faults: Array<RowFault>,
  read: (entry: Json, path: string) => A
): ReadonlyArray<A> => {
  if (value === null) return []
  if (!Array.isArray(value) || value.length > mostLinks || !value.every(isObject)) {
    faults.push({ field: name, reason: `must be an array of at most ${mostLinks} objects` })
    return []
  }
  return value.map((entry, index) => read(entry, `${name}[${index}].`))
}

const ifFaultless = <R>(row: R, faults: ReadonlyArray<RowFault>): Parsed<R> =>
  faults.length === 0 ? Result.succeed(row) : Result.fail(faults)

const text = FieldCheck.checks.text
const boolean = FieldCheck.checks.boolean

const property: FieldTable<PropertyField | SecondName> = {
  has: (name): name is PropertyField | SecondName => isPropertyField(name) || isSecondName(name),
  check: (name) => name === "city" ? FieldCheck.city : FieldCheck.checks[propertyFields[fieldOf(name)]]
}

/** Values by the first names of their fields; one that was given by both names has to be the same. */
const byFirstName = (
  given: Values<PropertyField | SecondName>,
  faults: Array<RowFault>
): Values<PropertyField> => {
  const values = new Map<PropertyField, FieldValue | null>()
  for (const [name, value] of given) {
    const field = fieldOf(name)
    const first = given.get(field)
    if (first === undefined || first === value) values.set(field, value)
    else faults.push({ field: name, reason: `is ${field} by another name, and has another value` })
  }
  return values
}

const building = table({
  sqft: FieldCheck.checks.size,
  footprintSqft: FieldCheck.checks.size,
  isPrimary: boolean,
  yearBuilt: FieldCheck.checks.year,
  effectiveYearBuilt: FieldCheck.checks.year,
  numFloors: FieldCheck.checks.floors,
  heatingType: text,
  coolingType: text,
  primaryConstructionType: text,
  exteriorWallMaterial: text,
  foundationType: text,
  roofCover: text,
  roofShape: text,
  qualityGrade: text,
  hasPool: boolean,
  hasSprinklers: boolean
})

const numberOf = <F extends string>(values: Values<F>, name: F, stored: number | null = null): number | null => {
  const value = values.get(name)
  return value === undefined ? stored : typeof value === "number" ? value : null
}

const textOf = <F extends string>(values: Values<F>, name: F, stored: string | null = null): string | null => {
  const value = values.get(name)
  return value === undefined ? stored : typeof value === "string" ? value : null
}

const booleanOf = <F extends string>(values: Values<F>, name: F, stored: boolean | null = null): boolean | null => {
  const value = values.get(name)
  return value === undefined ? stored : typeof value === "boolean" ? value : null
}

/** The attributes that a row sets for a parcel or a building; what it does not set is as stored. */
export const attributesOf = <F extends string>(
  values: Values<F | AttributeField>,
  stored: Attributes = noAttributes
): Attributes => ({
  yearBuilt: numberOf(values, "yearBuilt", stored.yearBuilt),
  effectiveYearBuilt: numberOf(values, "effectiveYearBuilt", stored.effectiveYearBuilt),
  numFloors: numberOf(values, "numFloors", stored.numFloors),
  heatingType: textOf(values, "heatingType", stored.heatingType),
  coolingType: textOf(values, "coolingType", stored.coolingType),
  primaryConstructionType: textOf(values, "primaryConstructionType", stored.primaryConstructionType),
  exteriorWallMaterial: textOf(values, "exteriorWallMaterial", stored.exteriorWallMaterial),
  foundationType: textOf(values, "foundationType", stored.foundationType),
  roofCover: textOf(values, "roofCover", stored.roofCover),
  roofShape: textOf(values, "roofShape", stored.roofShape),
  qualityGrade: textOf(values, "qualityGrade", stored.qualityGrade),
  hasPool: booleanOf(values, "hasPool", stored.hasPool),
  hasSprinklers: booleanOf(values, "hasSprinklers", stored.hasSprinklers)
})

/** The fields of each kind that are not plain values. */
const structured = {
  properties: ["key", "id", "buildings", "retiredInto"],
  firms: ["key", "id", "socials", "properties"],
  contacts: ["key", "id", "firmKey", "doNotContact", "properties"],
  research: ["propertyKey"],
  changes: ["key", "id", "kind", "propertyKey", "contactKey", "withdraws", "before", "after"]
} satisfies Record<ImportKind, ReadonlyArray<string>>

const parseProperty = (input: Json, context: RowContext): Parsed<PropertyRow> => {
  const faults: Array<RowFault> = []
  const keyed = readKeyed("properties", input, context, faults)
  const values = byFirstName(readFields(property, structured.properties, input, "", context, faults), faults)
  if ((values.get("countyFips") ?? null) === null && !faults.some(({ field }) => field === "countyFips")) {
    faults.push({ field: "countyFips", reason: required })
  }
  const buildings = input["buildings"] === undefined
    ? undefined
    : readObjects(input["buildings"], "buildings", faults, (entry, path): Building => {
      const read = readFields(building, [], entry, path, context, faults)
      return {
        ...attributesOf(read),
        sqft: numberOf(read, "sqft"),
        footprintSqft: numberOf(read, "footprintSqft"),
        isPrimary: booleanOf(read, "isPrimary")
      }
    })
  if (buildings !== undefined && buildings.filter(({ isPrimary }) => isPrimary === true).length > 1) {
    faults.push({ field: "buildings", reason: "has more than one primary building" })
  }
  return ifFaultless({
    ...keyed,
    values,
    ...(buildings === undefined ? {} : { buildings }),
    ...(input["retiredInto"] === undefined ? {} : { retiredInto: readReference(input, "retiredInto", faults) })
  }, faults)
}

const firm = table({ name: text, domain: FieldCheck.domain, websiteUrl: FieldCheck.webAddress, phone: text })
const social = table({
  linkedin: FieldCheck.webAddress,
  twitter: FieldCheck.webAddress,
  facebook: FieldCheck.webAddress,
  crunchbase: FieldCheck.webAddress
})
export type FirmField = "name" | "domain" | "websiteUrl" | "phone" | SocialField
export type SocialField = "linkedin" | "twitter" | "facebook" | "crunchbase"

const firmLink = table({ role: FieldCheck.oneOf(firmRoles), attributionType: FieldCheck.oneOf(attributionTypes) })

const parseFirm = (input: Json, context: RowContext): Parsed<FirmRow> => {
  const faults: Array<RowFault> = []
  const keyed = readKeyed("firms", input, context, faults)
  const values = new Map<FirmField, FieldValue | null>(
    readFields(firm, structured.firms, input, "", context, faults)
  )
  if (values.get("name") === null) faults.push({ field: "name", reason: "must not be cleared" })
  const socials = input["socials"]
  if (socials === null) {
    for (const name of ["linkedin", "twitter", "facebook", "crunchbase"] as const) values.set(name, null)
  } else if (isObject(socials)) {
    for (const [name, value] of readFields(social, [], socials, "socials.", context, faults)) values.set(name, value)
  } else if (socials !== undefined) {
    faults.push({ field: "socials", reason: "must be an object of linkedin, twitter, facebook, crunchbase" })
  }
  const properties = input["properties"] === undefined
    ? undefined
    : readObjects(input["properties"], "properties", faults, (entry, path): FirmLink => {
      const read = readFields(firmLink, ["propertyKey"], entry, path, context, faults)
      const role = textOf(read, "role")
      if (role === null && !faults.some(({ field }) => field === `${path}role`)) {
        faults.push({ field: `${path}role`, reason: required })
      }
      return {
        propertyKey: readKey(entry, "propertyKey", path, faults),
        role: role ?? "",
        attributionType: textOf(read, "attributionType") ?? "customer_supplied"
      }
    })
  return ifFaultless({ ...keyed, values, ...(properties === undefined ? {} : { properties }) }, faults)
}

const contact = table({
  fullName: text,
  title: text,
  roleType: FieldCheck.oneOf(RoleType.literals),
  seniority: FieldCheck.oneOf(Seniority.literals),
  employerName: text,
  employerDomain: FieldCheck.domain,
  email: FieldCheck.email,
  emailValidationStatus: FieldCheck.oneOf(EmailValidationStatus.literals),
  phone: text,
  phoneLabel: FieldCheck.oneOf(PhoneLabel.literals),
  phoneExtension: text,
  phoneFallbackFromEmployer: boolean,
  linkedinUrl: FieldCheck.webAddress,
  location: text,
  source: FieldCheck.oneOf(ContactSource.literals),
  lastVerifiedAt: FieldCheck.timestamp
})
const doNotContact = table({ email: boolean, phone: boolean })
const contactLink = table({
  role: FieldCheck.oneOf(RoleType.literals),
  relationshipStatus: FieldCheck.oneOf(RelationshipStatus.literals),
  attributionType: FieldCheck.oneOf(attributionTypes)
})
export type ContactField =
  | "fullName"
  | "title"
  | "roleType"
  | "seniority"
  | "employerName"
  | "employerDomain"
  | "email"
  | "emailValidationStatus"
  | "phone"
  | "phoneLabel"
  | "phoneExtension"
  | "phoneFallbackFromEmployer"
  | "linkedinUrl"
  | "location"
  | "source"
  | "lastVerifiedAt"
  | "doNotContactEmail"
  | "doNotContactPhone"

/** What a cleared field falls back to where a contact always has a value. */
const contactDefaults: ReadonlyMap<ContactField, FieldValue> = new Map<ContactField, FieldValue>([
  ["seniority", "unknown"],
  ["emailValidationStatus", "unvalidated"],
  ["phoneFallbackFromEmployer", false],
  ["source", "manual"]
])

/** What is said of an email or a phone goes when it is cleared. */
const saidOf: ReadonlyMap<ContactField, ReadonlyArray<ContactField>> = new Map<
  ContactField,
  ReadonlyArray<ContactField>
>([
  ["email", ["emailValidationStatus"]],
  ["phone", ["phoneLabel", "phoneExtension", "phoneFallbackFromEmployer"]]
])

const parseContact = (input: Json, context: RowContext): Parsed<ContactRow> => {
  const faults: Array<RowFault> = []
  const keyed = readKeyed("contacts", input, context, faults)
  const values = new Map<ContactField, FieldValue | null>(
    readFields(contact, structured.contacts, input, "", context, faults)
  )
  if (values.get("fullName") === null) faults.push({ field: "fullName", reason: "must not be cleared" })
  for (const [name, said] of saidOf) if (values.get(name) === null) { for (const each of said) values.set(each, null) }
  for (const [name, value] of contactDefaults) if (values.get(name) === null) values.set(name, value)
  const asked = input["doNotContact"]
  if (asked === null || typeof asked === "boolean") {
    values.set("doNotContactEmail", asked === true).set("doNotContactPhone", asked === true)
  } else if (isObject(asked)) {
    const read = readFields(doNotContact, [], asked, "doNotContact.", context, faults)
    if (read.has("email")) values.set("doNotContactEmail", booleanOf(read, "email") ?? false)
    if (read.has("phone")) values.set("doNotContactPhone", booleanOf(read, "phone") ?? false)
  } else if (asked !== undefined) {
    faults.push({ field: "doNotContact", reason: "must be true, false or an object of email and phone" })
  }
  const properties = input["properties"] === undefined
    ? undefined
    : readObjects(input["properties"], "properties", faults, (entry, path): ContactLink => {
      const read = readFields(contactLink, ["propertyKey"], entry, path, context, faults)
      return {
        propertyKey: readKey(entry, "propertyKey", path, faults),
        role: textOf(read, "role"),
        relationshipStatus: textOf(read, "relationshipStatus") ?? "unverified",
        attributionType: textOf(read, "attributionType") ?? "customer_supplied"
      }
    })
  return ifFaultless({
    ...keyed,
    values,
    ...(input["firmKey"] === undefined ? {} : { firmKey: readReference(input, "firmKey", faults) }),
    ...(properties === undefined ? {} : { properties })
  }, faults)
}

const research = table({
  beneficialOwner: text,
  beneficialOwnerType: FieldCheck.oneOf(BeneficialOwnerType.literals),
  managementCompany: text,
  aiRationale: FieldCheck.longText,
  researchedAt: FieldCheck.timestamp,
  tier: FieldCheck.oneOf(ResearchTierName.literals)
})
export type ResearchField =
  | "beneficialOwner"
  | "beneficialOwnerType"
  | "managementCompany"
  | "aiRationale"
  | "researchedAt"
  | "tier"

const parseResearch = (input: Json, context: RowContext): Parsed<ResearchRow> => {
  const faults: Array<RowFault> = []
  const propertyKey = readKey(input, "propertyKey", "", faults)
  const values = new Map(readFields(research, structured.research, input, "", context, faults))
  if (values.get("researchedAt") === null) faults.push({ field: "researchedAt", reason: "must not be cleared" })
  if (values.get("tier") === null) values.set("tier", "Standard")
  return ifFaultless({ propertyKey, values }, faults)
}

const ChangeKind = Schema.Literals([
  "ownership_transfer",
  "sale",
  "manager_change",
  "contact_departure",
  "contact_title_change",
  "contact_employer_change",
  "withdrawn"
])
type ChangeKind = typeof ChangeKind.Type

export type EvidenceField = "value" | "owner_type" | "date" | "price" | "document_type" | "organization_id"

const allEvidence = table<EvidenceField>({
  value: text,
  owner_type: text,
  date: FieldCheck.date,
  price: FieldCheck.checks.money,
  document_type: text,
  organization_id: (value) => FieldCheck.uuid(value)
})

const evidenceOf = (...names: ReadonlyArray<EvidenceField>): FieldTable<EvidenceField> => ({
  has: (name): name is EvidenceField => names.some((known) => known === name),
  check: allEvidence.check
})

/** Whose change it is, and what `before` and `after` hold. decisions, section 16. */
const changes: Readonly<
  Record<
    Exclude<ChangeKind, "withdrawn">,
    { readonly subject: "property" | "contact"; readonly evidence: FieldTable<EvidenceField> }
  >
> = {
  ownership_transfer: { subject: "property", evidence: evidenceOf("value", "owner_type") },
  sale: { subject: "property", evidence: evidenceOf("date", "price", "document_type") },
  manager_change: { subject: "property", evidence: evidenceOf("value", "organization_id") },
  contact_departure: { subject: "contact", evidence: evidenceOf("value", "organization_id") },
  contact_title_change: { subject: "contact", evidence: evidenceOf("value") },
  contact_employer_change: { subject: "contact", evidence: evidenceOf("value", "organization_id") }
}

const isChangeKind = Schema.is(ChangeKind)

const change = table({
  detectedAt: FieldCheck.timestamp,
  effectiveDate: FieldCheck.date,
  source: FieldCheck.oneOf(["county_record", "research", "provider", "customer", "web"])
})

const readEvidence = (
  input: Json,
  name: "before" | "after",
  fields: FieldTable<EvidenceField>,
  context: RowContext,
  faults: Array<RowFault>
): Values<EvidenceField> | null => {
  const value = input[name]
  if (value === undefined || value === null) return null
  if (isObject(value)) return readFields(fields, [], value, `${name}.`, context, faults)
  faults.push({ field: name, reason: "must be an object" })
  return null
}

/** A change is a fact: its row is always whole, and what it lacks is none. */
const parseChange = (input: Json, context: RowContext): Parsed<ChangeRow> => {
  const faults: Array<RowFault> = []
  const keyed = readKeyed("changes", input, context, faults)
  const kind = input["kind"]
  if (!isChangeKind(kind)) {
    faults.push({ field: "kind", reason: `must be one of ${ChangeKind.literals.join(", ")}` })
    return Result.fail(faults)
  }
  const values = readFields(change, structured.changes, input, "", context, faults)
  const row = {
    ...keyed,
    kind,
    propertyKey: readReference(input, "propertyKey", faults),
    contactKey: readReference(input, "contactKey", faults),
    withdraws: readReference(input, "withdraws", faults),
    detectedAt: textOf(values, "detectedAt"),
    effectiveDate: textOf(values, "effectiveDate"),
    source: textOf(values, "source")
  }
  const need = (field: "propertyKey" | "contactKey" | "withdraws" | "detectedAt" | "source") => {
    if (row[field] === null && !faults.some((fault) => fault.field === field)) faults.push({ field, reason: required })
  }
  const refuse = (field: "propertyKey" | "contactKey" | "withdraws" | "before" | "after") => {
    if ((input[field] ?? null) !== null) faults.push({ field, reason: `has no place in a ${kind}` })
  }
  if (kind === "withdrawn") {
    need("withdraws")
    refuse("before")
    refuse("after")
    return ifFaultless({ ...row, before: null, after: null }, faults)
  }
  const { evidence, subject } = changes[kind]
  need(subject === "property" ? "propertyKey" : "contactKey")
  refuse(subject === "property" ? "contactKey" : "propertyKey")
  refuse("withdraws")
  need("detectedAt")
  need("source")
  return ifFaultless({
    ...row,
    before: readEvidence(input, "before", evidence, context, faults),
    after: readEvidence(input, "after", evidence, context, faults)
  }, faults)
}

const whole =
  <R>(parse: (input: Json, context: RowContext) => Parsed<R>) => (input: unknown, context: RowContext): Parsed<R> =>
    isObject(input) ? parse(input, context) : Result.fail([{ field: null, reason: "is not a JSON object" }])

/** The parser of each kind: a JSON value to a row, or every fault in it. */
export const parsers = {
  properties: whole(parseProperty),
  firms: whole(parseFirm),
  contacts: whole(parseContact),
  research: whole(parseResearch),
  changes: whole(parseChange)
}

const plain: Readonly<Record<ImportKind, (name: string) => boolean>> = {
  properties: property.has,
  firms: firm.has,
  contacts: contact.has,
  research: research.has,
  changes: change.has
}

/** Whether rows of the kind have a field of that name. */
export const isField = (kind: ImportKind, name: string): boolean =>
  plain[kind](name) || structured[kind].some((known) => known === name)

/** Rows of people, with their firm and their properties. */
import {
  ContactSource,
  EmailValidationStatus,
  PhoneLabel,
  RelationshipStatus,
  RoleType,
  Seniority
} from "../contact/Contact.ts"
import * as FieldCheck from "./FieldCheck.ts"
import type { FieldValue } from "./FieldCheck.ts"
import { attributionTypes } from "./PropertyLink.ts"
import {
  booleanOf,
  ifFaultless,
  isObject,
  type Json,
  type Keyed,
  keyedShape,
  mostLinks,
  type Parsed,
  readFields,
  readKey,
  readKeyed,
  readObjects,
  readReference,
  referenceTo,
  type RowContext,
  type RowFault,
  table,
  textOf,
  type Values
} from "./RowReading.ts"
import type { Member, RowShape, Shape } from "./RowShape.ts"

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

const { boolean, text } = FieldCheck.rules

/** The plain fields. */
const fields = table({
  fullName: { rule: text, meaning: "The name of the person.", need: "new" },
  title: { rule: text, meaning: "What the person is called at work." },
  roleType: { rule: FieldCheck.oneOf(RoleType.literals), meaning: "What the person does, of this list." },
  seniority: { rule: FieldCheck.oneOf(Seniority.literals), meaning: "How senior the person is.", standard: "unknown" },
  employerName: { rule: text, meaning: "Whom the person works for." },
  employerDomain: { rule: FieldCheck.domain, meaning: "The employer's domain." },
  email: { rule: FieldCheck.email, meaning: "The address at work." },
  emailValidationStatus: {
    rule: FieldCheck.oneOf(EmailValidationStatus.literals),
    meaning: "Whether mail arrives there.",
    standard: "unvalidated"
  },
  phone: { rule: text, meaning: "The telephone number." },
  phoneLabel: { rule: FieldCheck.oneOf(PhoneLabel.literals), meaning: "What kind of number it is." },
  phoneExtension: { rule: text, meaning: "The extension." },
  phoneFallbackFromEmployer: {
    rule: boolean,
    meaning: "Whether the number is the employer's, for want of the person's own.",
    standard: false
  },
  linkedinUrl: { rule: FieldCheck.webAddress, meaning: "The person's page on LinkedIn." },
  location: { rule: text, meaning: "Where the person works." },
  source: {
    rule: FieldCheck.oneOf(ContactSource.literals),
    meaning: "The kind of source that the person is known from.",
    standard: "manual"
  },
  lastVerifiedAt: { rule: FieldCheck.timestamp, meaning: "When this was last found to be so." }
})
const doNotContact = table({
  email: { rule: boolean, meaning: "Not by mail.", standard: false },
  phone: { rule: boolean, meaning: "Not by telephone.", standard: false }
})
const linkFields = table({
  role: { rule: FieldCheck.oneOf(RoleType.literals), meaning: "What the person does for the property." },
  relationshipStatus: {
    rule: FieldCheck.oneOf(RelationshipStatus.literals),
    meaning: "Whether it is still so.",
    standard: "unverified"
  },
  attributionType: {
    rule: FieldCheck.oneOf(attributionTypes),
    meaning: "Where it is known from.",
    standard: "customer_supplied"
  }
})

/** The objects of `properties`, with the property that each is about. */
const link = {
  propertyKey: { ...referenceTo("The key of the property."), need: "always" },
  ...linkFields.shape
} as const satisfies Shape
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

const isContactField = (name: string): name is keyof typeof fields.shape => fields.has(name)

/** What a cleared field falls back to where a contact always has a value. */
const contactDefaults: ReadonlyMap<ContactField, FieldValue> = new Map(
  Object.entries<Member>(fields.shape).flatMap(([name, { standard }]) =>
    standard === undefined || !isContactField(name) ? [] : [[name, standard] as const]
  )
)

/** What is said of an email or a phone goes when it is cleared. */
const saidOf: ReadonlyMap<ContactField, ReadonlyArray<ContactField>> = new Map<
  ContactField,
  ReadonlyArray<ContactField>
>([
  ["email", ["emailValidationStatus"]],
  ["phone", ["phoneLabel", "phoneExtension", "phoneFallbackFromEmployer"]]
])

/** The fields that are not plain values. */
const structured = {
  ...keyedShape,
  firmKey: referenceTo("The key of the firm that the person belongs to."),
  doNotContact: {
    meaning: "Whether the person asked not to be contacted, by any way or by each.",
    rule: boolean,
    parts: doNotContact.shape,
    standard: false
  },
  properties: { meaning: "All properties of the person.", parts: link, most: mostLinks }
} as const satisfies Shape

/** All of a row. */
export const shape: RowShape = { fields: { ...structured, ...fields.shape } }

/** By which a person is known again. Null: it is not said. */
export interface KnownBy {
  readonly key: string | null
  readonly email: string | null
  readonly linkedinUrl: string | null
}

/** By what a row knows its person, also one that cannot be used. */
export const knownBy = (row: unknown): KnownBy => {
  const text = (field: keyof KnownBy) => {
    const value = isObject(row) ? row[field] : null
    return typeof value === "string" ? value.trim() : null
  }
  return { key: text("key"), email: text("email"), linkedinUrl: text("linkedinUrl") }
}

/** Of a row whose person was erased for good. */
export const erasedFault: RowFault = { field: "key", reason: "this person was erased for good; leave the row out" }

/** The row, or every fault in it. */
export const parse = (input: Json, context: RowContext): Parsed<ContactRow> => {
  const faults: Array<RowFault> = []
  const keyed = readKeyed("contacts", input, context, faults)
  const values = new Map<ContactField, FieldValue | null>(
    readFields(fields, structured, input, "", context, faults)
  )
  if (values.get("fullName") === null) faults.push({ field: "fullName", reason: "must not be cleared" })
  for (const [name, said] of saidOf) if (values.get(name) === null) { for (const each of said) values.set(each, null) }
  for (const [name, value] of contactDefaults) if (values.get(name) === null) values.set(name, value)
  const asked = input["doNotContact"]
  if (asked === null || typeof asked === "boolean") {
    values.set("doNotContactEmail", asked === true).set("doNotContactPhone", asked === true)
  } else if (isObject(asked)) {
    const read = readFields(doNotContact, {}, asked, "doNotContact.", context, faults)
    if (read.has("email")) values.set("doNotContactEmail", booleanOf(read, "email") ?? false)
    if (read.has("phone")) values.set("doNotContactPhone", booleanOf(read, "phone") ?? false)
  } else if (asked !== undefined) {
    faults.push({ field: "doNotContact", reason: "must be true, false or an object of email and phone" })
  }
  const properties = input["properties"] === undefined
    ? undefined
    : readObjects(input["properties"], "properties", faults, (entry, path): ContactLink => {
      const read = readFields(linkFields, link, entry, path, context, faults)
      return {
        propertyKey: readKey(entry, "propertyKey", path, faults),
        role: textOf(read, "role"),
        relationshipStatus: textOf(read, "relationshipStatus") ?? link.relationshipStatus.standard,
        attributionType: textOf(read, "attributionType") ?? link.attributionType.standard
      }
    })
  return ifFaultless({
    ...keyed,
    values,
    ...(input["firmKey"] === undefined ? {} : { firmKey: readReference(input, "firmKey", faults) }),
    ...(properties === undefined ? {} : { properties })
  }, faults)
}

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
  type Parsed,
  readFields,
  readKey,
  readKeyed,
  readObjects,
  readReference,
  type RowContext,
  type RowFault,
  table,
  textOf,
  type Values
} from "./RowReading.ts"

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

const text = FieldCheck.checks.text
const boolean = FieldCheck.checks.boolean

/** The plain fields. */
export const fields = table({
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

/** The fields that are not plain values. */
export const structured: ReadonlyArray<string> = ["key", "id", "firmKey", "doNotContact", "properties"]

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

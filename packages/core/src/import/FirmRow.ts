/** Rows of firms, with their properties. */
import * as FieldCheck from "./FieldCheck.ts"
import type { FieldValue } from "./FieldCheck.ts"
import { attributionTypes } from "./PropertyLink.ts"
import {
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
  referenceTo,
  required,
  type RowContext,
  type RowFault,
  table,
  textOf,
  type Values
} from "./RowReading.ts"
import type { RowShape, Shape } from "./RowShape.ts"

const firmRoles = ["owner", "property_manager", "operator", "tenant"] as const

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

const text = FieldCheck.rules.text

/** The plain fields. */
const fields = table({
  name: { rule: text, meaning: "The name of the firm.", need: "new" },
  domain: { rule: FieldCheck.domain, meaning: "The domain of its site and addresses." },
  websiteUrl: { rule: FieldCheck.webAddress, meaning: "Its site." },
  phone: { rule: text, meaning: "Its telephone number." }
})
const social = table({
  linkedin: { rule: FieldCheck.webAddress, meaning: "Its page on LinkedIn." },
  twitter: { rule: FieldCheck.webAddress, meaning: "Its page on Twitter." },
  facebook: { rule: FieldCheck.webAddress, meaning: "Its page on Facebook." },
  crunchbase: { rule: FieldCheck.webAddress, meaning: "Its page on Crunchbase." }
})
export type FirmField = "name" | "domain" | "websiteUrl" | "phone" | SocialField
type SocialField = "linkedin" | "twitter" | "facebook" | "crunchbase"

const linkFields = table({
  role: { rule: FieldCheck.oneOf(firmRoles), meaning: "What the firm is to the property.", need: "always" },
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

/** The fields that are not plain values. */
const structured = {
  ...keyedShape,
  socials: { meaning: "Pages elsewhere.", parts: social.shape },
  properties: { meaning: "All properties of the firm.", parts: link, most: mostLinks }
} as const satisfies Shape

/** All of a row. */
export const shape: RowShape = { fields: { ...structured, ...fields.shape } }

/** The row, or every fault in it. */
export const parse = (input: Json, context: RowContext): Parsed<FirmRow> => {
  const faults: Array<RowFault> = []
  const keyed = readKeyed("firms", input, context, faults)
  const values = new Map<FirmField, FieldValue | null>(
    readFields(fields, structured, input, "", context, faults)
  )
  if (values.get("name") === null) faults.push({ field: "name", reason: "must not be cleared" })
  const socials = input["socials"]
  if (socials === null) {
    for (const name of ["linkedin", "twitter", "facebook", "crunchbase"] as const) values.set(name, null)
  } else if (isObject(socials)) {
    for (const [name, value] of readFields(social, {}, socials, "socials.", context, faults)) values.set(name, value)
  } else if (socials !== undefined) {
    faults.push({ field: "socials", reason: "must be an object of linkedin, twitter, facebook, crunchbase" })
  }
  const properties = input["properties"] === undefined
    ? undefined
    : readObjects(input["properties"], "properties", faults, (entry, path): FirmLink => {
      const read = readFields(linkFields, link, entry, path, context, faults)
      const role = textOf(read, "role")
      if (role === null && !faults.some(({ field }) => field === `${path}role`)) {
        faults.push({ field: `${path}role`, reason: required })
      }
      return {
        propertyKey: readKey(entry, "propertyKey", path, faults),
        role: role ?? "",
        attributionType: textOf(read, "attributionType") ?? link.attributionType.standard
      }
    })
  return ifFaultless({ ...keyed, values, ...(properties === undefined ? {} : { properties }) }, faults)
}

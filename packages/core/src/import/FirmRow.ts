/** Rows of firms, with their properties. */
import * as FieldCheck from "./FieldCheck.ts"
import type { FieldValue } from "./FieldCheck.ts"
import { attributionTypes } from "./PropertyLink.ts"
import {
  ifFaultless,
  isObject,
  type Json,
  type Keyed,
  type Parsed,
  readFields,
  readKey,
  readKeyed,
  readObjects,
  required,
  type RowContext,
  type RowFault,
  table,
  textOf,
  type Values
} from "./RowReading.ts"

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

const text = FieldCheck.checks.text

/** The plain fields. */
export const fields = table({ name: text, domain: FieldCheck.domain, websiteUrl: FieldCheck.webAddress, phone: text })
const social = table({
  linkedin: FieldCheck.webAddress,
  twitter: FieldCheck.webAddress,
  facebook: FieldCheck.webAddress,
  crunchbase: FieldCheck.webAddress
})
export type FirmField = "name" | "domain" | "websiteUrl" | "phone" | SocialField
type SocialField = "linkedin" | "twitter" | "facebook" | "crunchbase"

const firmLink = table({ role: FieldCheck.oneOf(firmRoles), attributionType: FieldCheck.oneOf(attributionTypes) })

/** The fields that are not plain values. */
export const structured: ReadonlyArray<string> = ["key", "id", "socials", "properties"]

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

/** Rows of what was found out about properties. */
import { BeneficialOwnerType, ResearchTierName } from "../property/Research.ts"
import * as FieldCheck from "./FieldCheck.ts"
import {
  ifFaultless,
  type Json,
  type Parsed,
  readFields,
  readKey,
  type RowContext,
  type RowFault,
  table,
  type Values
} from "./RowReading.ts"

export interface ResearchRow {
  readonly propertyKey: string
  readonly values: Values<ResearchField>
}

const text = FieldCheck.checks.text

/** The plain fields. */
export const fields = table({
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

/** The fields that are not plain values. */
export const structured: ReadonlyArray<string> = ["propertyKey"]

/** The row, or every fault in it. */
export const parse = (input: Json, context: RowContext): Parsed<ResearchRow> => {
  const faults: Array<RowFault> = []
  const propertyKey = readKey(input, "propertyKey", "", faults)
  const values = new Map(readFields(fields, structured, input, "", context, faults))
  if (values.get("researchedAt") === null) faults.push({ field: "researchedAt", reason: "must not be cleared" })
  if (values.get("tier") === null) values.set("tier", "Standard")
  return ifFaultless({ propertyKey, values }, faults)
}

/** Rows of what was found out about properties. */
import { BeneficialOwnerType, ResearchTierName } from "../property/Research.ts"
import * as FieldCheck from "./FieldCheck.ts"
import {
  ifFaultless,
  type Json,
  type Parsed,
  readFields,
  readKey,
  referenceTo,
  type RowContext,
  type RowFault,
  table,
  type Values
} from "./RowReading.ts"
import type { RowShape, Shape } from "./RowShape.ts"

export interface ResearchRow {
  readonly propertyKey: string
  readonly values: Values<ResearchField>
}

const text = FieldCheck.rules.text

/** The plain fields. */
const fields = table({
  beneficialOwner: { rule: text, meaning: "Who stands behind the owner of record." },
  beneficialOwnerType: { rule: FieldCheck.oneOf(BeneficialOwnerType.literals), meaning: "What kind of owner that is." },
  managementCompany: { rule: text, meaning: "Who manages the property." },
  aiRationale: { rule: FieldCheck.longText, meaning: "How this was found out, with its evidence." },
  researchedAt: {
    rule: FieldCheck.timestamp,
    meaning: "When it was found out; when it is loaded, where neither the row nor what is stored says."
  },
  tier: {
    rule: FieldCheck.oneOf(ResearchTierName.literals),
    meaning: "How thoroughly it was looked for.",
    standard: "Standard"
  }
})
export type ResearchField =
  | "beneficialOwner"
  | "beneficialOwnerType"
  | "managementCompany"
  | "aiRationale"
  | "researchedAt"
  | "tier"

/** The fields that are not plain values. */
const structured = {
  propertyKey: { ...referenceTo("The key of the property that was researched."), need: "always" }
} as const satisfies Shape

/** All of a row. */
export const shape: RowShape = { fields: { ...structured, ...fields.shape } }

/** The row, or every fault in it. */
export const parse = (input: Json, context: RowContext): Parsed<ResearchRow> => {
  const faults: Array<RowFault> = []
  const propertyKey = readKey(input, "propertyKey", "", faults)
  const values = new Map(readFields(fields, structured, input, "", context, faults))
  // There is no research without its date.
  if (values.get("researchedAt") === null) values.delete("researchedAt")
  if (values.get("tier") === null) values.set("tier", fields.shape.tier.standard)
  return ifFaultless({ propertyKey, values }, faults)
}

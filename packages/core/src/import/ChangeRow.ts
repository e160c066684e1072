/** Rows of changes: facts, with what they are proved by. */
import { Result, Schema } from "effect"
import * as FieldCheck from "./FieldCheck.ts"
import {
  type FieldTable,
  ifFaultless,
  isObject,
  type Json,
  type Keyed,
  type Parsed,
  readFields,
  readKeyed,
  readReference,
  required,
  type RowContext,
  type RowFault,
  table,
  textOf,
  type Values
} from "./RowReading.ts"

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

const text = FieldCheck.checks.text

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

/** The plain fields. */
export const fields = table({
  detectedAt: FieldCheck.timestamp,
  effectiveDate: FieldCheck.date,
  source: FieldCheck.oneOf(["county_record", "research", "provider", "customer", "web"])
})

/** The fields that are not plain values. */
export const structured: ReadonlyArray<string> = [
  "key",
  "id",
  "kind",
  "propertyKey",
  "contactKey",
  "withdraws",
  "before",
  "after"
]

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
export const parse = (input: Json, context: RowContext): Parsed<ChangeRow> => {
  const faults: Array<RowFault> = []
  const keyed = readKeyed("changes", input, context, faults)
  const kind = input["kind"]
  if (!isChangeKind(kind)) {
    faults.push({ field: "kind", reason: `must be one of ${ChangeKind.literals.join(", ")}` })
    return Result.fail(faults)
  }
  const values = readFields(fields, structured, input, "", context, faults)
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

/** Rows of changes: facts, with what they are proved by. */
import { Result, Schema, Struct } from "effect"
import * as FieldCheck from "./FieldCheck.ts"
import type { JsonSchema } from "./FieldCheck.ts"
import {
  type FieldTable,
  ifFaultless,
  isObject,
  type Json,
  type Keyed,
  keyedShape,
  type Parsed,
  type PlainMember,
  readFields,
  readKeyed,
  readReference,
  referenceTo,
  required,
  type RowContext,
  type RowFault,
  table,
  textOf,
  type Values
} from "./RowReading.ts"
import type { RowShape, Shape } from "./RowShape.ts"

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

const text = FieldCheck.rules.text

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

const allEvidence = {
  value: { rule: text, meaning: "The name, title or firm." },
  owner_type: { rule: text, meaning: "What kind of owner it is." },
  date: { rule: FieldCheck.date, meaning: "The day of the sale." },
  price: { rule: FieldCheck.rules.money, meaning: "The price of the sale." },
  document_type: { rule: text, meaning: "What was recorded, such as a warranty deed." },
  organization_id: { rule: FieldCheck.uuidRule, meaning: "The id of the firm." }
} as const satisfies Readonly<Record<EvidenceField, PlainMember>>

const everyEvidence = table(allEvidence)

const evidenceOf = (...names: ReadonlyArray<EvidenceField>): FieldTable<EvidenceField> => {
  const own = table(Struct.pick(allEvidence, names))
  return {
    ...everyEvidence,
    has: (name): name is EvidenceField => own.has(name),
    find: (name) => own.find(name) === undefined ? undefined : everyEvidence.find(name),
    unknown: own.unknown
  }
}

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
const fields = table({
  detectedAt: { rule: FieldCheck.timestamp, meaning: "When the source noticed it; needed but for withdrawn." },
  effectiveDate: { rule: FieldCheck.date, meaning: "The day since when it is so." },
  source: {
    rule: FieldCheck.oneOf(["county_record", "research", "provider", "customer", "web"]),
    meaning: "What it is known from; needed but for withdrawn."
  }
})

/** The fields that are not plain values. */
const structured = {
  ...keyedShape,
  kind: {
    meaning: "What changed; withdrawn takes another change back.",
    rule: FieldCheck.oneOf(ChangeKind.literals),
    need: "always"
  },
  propertyKey: referenceTo("The key of the property, of a change of a property."),
  contactKey: referenceTo("The key of the person, of a change of a person."),
  withdraws: referenceTo("The key of the change that a row of kind withdrawn takes back."),
  before: { meaning: "What was; which parts there are depends on the kind.", parts: allEvidence },
  after: { meaning: "What is; which parts there are depends on the kind.", parts: allEvidence }
} as const satisfies Shape

const none = { type: "null" }
const some = { type: "string" }
const evidenceSchema = (names: ReadonlyArray<string>) => ({ propertyNames: { enum: names } })

/** Which fields a kind of change needs, and which have no place in it. */
const conditionOf = (kind: string, needed: ReadonlyArray<string>, properties: JsonSchema): JsonSchema => ({
  anyOf: [
    { properties: { kind: { not: { const: kind } } } },
    { required: needed, properties: { ...Object.fromEntries(needed.map((name) => [name, some])), ...properties } }
  ]
})

/** All of a row. */
export const shape: RowShape = {
  fields: { ...structured, ...fields.shape },
  conditions: [
    conditionOf("withdrawn", ["withdraws"], { before: none, after: none }),
    ...Object.entries(changes).map(([kind, { evidence, subject }]) => {
      const [about, other] = subject === "property" ? ["propertyKey", "contactKey"] : ["contactKey", "propertyKey"]
      const parts = evidenceSchema(Object.keys(evidence.shape).filter(evidence.has))
      return conditionOf(kind, [about, "detectedAt", "source"], {
        [other]: none,
        withdraws: none,
        before: parts,
        after: parts
      })
    })
  ]
}

const readEvidence = (
  input: Json,
  name: "before" | "after",
  fields: FieldTable<EvidenceField>,
  context: RowContext,
  faults: Array<RowFault>
): Values<EvidenceField> | null => {
  const value = input[name]
  if (value === undefined || value === null) return null
  if (isObject(value)) return readFields(fields, {}, value, `${name}.`, context, faults)
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

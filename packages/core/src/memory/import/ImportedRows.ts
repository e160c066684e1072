/** Rows of an import in the form that memory keeps: what research finds is recorded by them. */
import { DateTime } from "effect"
import type { ContactRow } from "../../import/ContactRow.ts"
import type { FieldValue } from "../../import/FieldCheck.ts"
import type { FirmRow } from "../../import/FirmRow.ts"
import type { ImportBatch } from "../../import/ImportRow.ts"
import type { ResearchRow } from "../../import/ResearchRow.ts"
import type { Values } from "../../import/RowReading.ts"
import type { State } from "../MemoryState.ts"

/** A row that refers to what memory does not hold. */
export interface RowFault {
  readonly kind: string
  readonly index: number
  readonly field: string
  readonly reason: string
}

/** The values of a row over what is stored. The row's values were checked to be of the types of these fields. */
const over = <A extends object, F extends string>(stored: A, values: Values<F>): A => {
  const changed: Record<string, FieldValue | null> = {}
  for (const [field, value] of values) if (Object.hasOwn(stored, field)) changed[field] = value
  return { ...stored, ...changed }
}

const byKey = (state: State, key: string) => [...state.properties.values()].find((property) => property.key === key)

const noResearch = {
  beneficialOwner: null,
  beneficialOwnerType: null,
  managementCompany: null,
  aiRationale: null,
  researchedAt: "",
  tier: "Standard" as const
}

const applyResearch = (state: State, { propertyKey, values }: ResearchRow, now: number): boolean => {
  const property = byKey(state, propertyKey)
  if (property === undefined) return false
  const researchedAt = DateTime.formatIso(DateTime.makeUnsafe(now))
  const research = over(property.research ?? { ...noResearch, researchedAt }, values)
  state.properties.set(property.id, {
    ...property,
    research,
    enrichmentStatus: "complete",
    lastEnrichedAt: research.researchedAt,
    researchedAt: research.researchedAt,
    hasBeneficialOwner: research.beneficialOwner !== null,
    hasManagementCompany: research.managementCompany !== null
  })
  return true
}

/** Memory keeps no keys of people: they are known by their ids. */
const applyContact = (state: State, { key, values }: ContactRow): boolean => {
  const contact = state.contacts.get(key)
  if (contact === undefined) return false
  state.contacts.set(key, over(contact, values))
  return true
}

const firmFields = { linkedin: "linkedinUrl" } as const

const applyFirm = (state: State, { key, values }: FirmRow): boolean => {
  const renamed = new Map(
    [...values].map(([field, value]) => [field === "linkedin" ? firmFields[field] : field, value] as const)
  )
  let known = false
  for (const [propertyId, firms] of state.firms) {
    known = known || firms.some(({ id }) => id === key)
    state.firms.set(propertyId, firms.map((firm) => firm.id === key ? over(firm, renamed) : firm))
  }
  return known
}

/** Applies the rows; answers those that refer to nothing. */
export const apply = (state: State, batches: ReadonlyArray<ImportBatch>, now: number): ReadonlyArray<RowFault> =>
  batches.flatMap((batch): ReadonlyArray<RowFault> => {
    const missing = (field: string) => (fits: boolean, index: number): ReadonlyArray<RowFault> =>
      fits ? [] : [{ kind: batch.kind, index, field, reason: "names nothing that is known" }]
    switch (batch.kind) {
      case "research":
        return batch.rows.map((row) => applyResearch(state, row, now)).flatMap(missing("propertyKey"))
      case "contacts":
        return batch.rows.map((row) => applyContact(state, row)).flatMap(missing("key"))
      case "firms":
        return batch.rows.map((row) => applyFirm(state, row)).flatMap(missing("key"))
      case "properties":
      case "changes":
        return batch.rows.flatMap((_, index) => missing("key")(false, index))
    }
  })

/** Rows of properties, with their buildings. */
import { type AttributeField, type Attributes, type Building, noAttributes } from "../property/BuildingAttributes.ts"
import {
  fieldOf,
  isPropertyField,
  isSecondName,
  type PropertyField,
  propertyFields,
  type SecondName
} from "../property/PropertyField.ts"
import * as FieldCheck from "./FieldCheck.ts"
import type { FieldValue } from "./FieldCheck.ts"
import {
  booleanOf,
  type FieldTable,
  ifFaultless,
  type Json,
  type Keyed,
  numberOf,
  type Parsed,
  readFields,
  readKeyed,
  readObjects,
  readReference,
  required,
  type RowContext,
  type RowFault,
  table,
  textOf,
  type Values
} from "./RowReading.ts"

export interface PropertyRow extends Keyed {
  readonly values: Values<PropertyField>
  /** Absent: as stored. */
  readonly buildings?: ReadonlyArray<Building>
  /** The key of the record that took this one's place. Absent: as stored. */
  readonly retiredInto?: string | null
}

const text = FieldCheck.checks.text
const boolean = FieldCheck.checks.boolean

/** The plain fields. */
export const fields: FieldTable<PropertyField | SecondName> = {
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

/** The fields that are not plain values. */
export const structured: ReadonlyArray<string> = ["key", "id", "buildings", "retiredInto"]

/** The row, or every fault in it. */
export const parse = (input: Json, context: RowContext): Parsed<PropertyRow> => {
  const faults: Array<RowFault> = []
  const keyed = readKeyed("properties", input, context, faults)
  const values = byFirstName(readFields(fields, structured, input, "", context, faults), faults)
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

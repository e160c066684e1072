/** Rows of properties, with their buildings. */
import { Record } from "effect"
import { type AttributeField, type Attributes, type Building, noAttributes } from "../property/BuildingAttributes.ts"
import {
  fieldOf,
  isSecondName,
  type PropertyField,
  propertyFields,
  type SecondName,
  secondNames
} from "../property/PropertyField.ts"
import { propertyFieldMeanings } from "../property/PropertyFieldMeaning.ts"
import * as FieldCheck from "./FieldCheck.ts"
import type { FieldValue } from "./FieldCheck.ts"
import {
  booleanOf,
  type FieldTable,
  ifFaultless,
  type Json,
  type Keyed,
  keyedShape,
  mostLinks,
  numberOf,
  type Parsed,
  type PlainMember,
  readFields,
  readKeyed,
  readObjects,
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

export interface PropertyRow extends Keyed {
  readonly values: Values<PropertyField>
  /** Absent: as stored. */
  readonly buildings?: ReadonlyArray<Building>
  /** The key of the record that took this one's place. Absent: as stored. */
  readonly retiredInto?: string | null
}

const { boolean, floors, size, text, year } = FieldCheck.rules

const addressPartMeanings = {
  line1: "The street line or the post-office box.",
  city: "The city.",
  state: "The state, or what stands for it abroad.",
  zip: "The ZIP code; of ZIP+4 the first five digits are kept."
} as const satisfies Record<keyof typeof FieldCheck.addressParts, string>

const addressShape: Shape = Record.map(
  FieldCheck.addressParts,
  (rule, name) => ({ rule, meaning: addressPartMeanings[name] })
)

const plainMember = (field: PropertyField): PlainMember => ({
  meaning: propertyFieldMeanings[field],
  rule: field === "city" ? FieldCheck.city : FieldCheck.rules[propertyFields[field]],
  ...(field === "countyFips" ? { need: "always" } : {}),
  ...(propertyFields[field] === "address" ? { parts: addressShape } : {})
})

/** The plain fields. */
const fields: FieldTable<PropertyField | SecondName> = table({
  ...Record.map(propertyFields, (_, field) => plainMember(field)),
  ...Record.map(secondNames, (field) => ({ ...plainMember(field), meaning: `The same as ${field}.` }))
})

const secondNamesList = Object.keys(secondNames).filter(isSecondName)

const hasFirstNames = (given: Values<PropertyField | SecondName>): given is Values<PropertyField> =>
  !secondNamesList.some((name) => given.has(name))

/** Values by the first names of their fields; one that was given by both names has to be the same. */
const byFirstName = (
  given: Values<PropertyField | SecondName>,
  faults: Array<RowFault>
): Values<PropertyField> => {
  if (hasFirstNames(given)) return given
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
  sqft: { rule: size, meaning: "The floor area." },
  footprintSqft: { rule: size, meaning: "The area that the building covers." },
  isPrimary: { rule: boolean, meaning: "Whether it is the main building; at most one is." },
  yearBuilt: { rule: year, meaning: "The year in which it was completed." },
  effectiveYearBuilt: { rule: year, meaning: propertyFieldMeanings.effectiveYearBuilt },
  numFloors: { rule: floors, meaning: "Its floors." },
  heatingType: { rule: text, meaning: "How it is heated, in the source's words." },
  coolingType: { rule: text, meaning: "How it is cooled, in the source's words." },
  primaryConstructionType: { rule: text, meaning: propertyFieldMeanings.primaryConstructionType },
  exteriorWallMaterial: { rule: text, meaning: propertyFieldMeanings.exteriorWallMaterial },
  foundationType: { rule: text, meaning: propertyFieldMeanings.foundationType },
  roofCover: { rule: text, meaning: propertyFieldMeanings.roofCover },
  roofShape: { rule: text, meaning: propertyFieldMeanings.roofShape },
  qualityGrade: { rule: text, meaning: propertyFieldMeanings.qualityGrade },
  hasPool: { rule: boolean, meaning: propertyFieldMeanings.hasPool },
  hasSprinklers: { rule: boolean, meaning: propertyFieldMeanings.hasSprinklers }
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
const structured = {
  ...keyedShape,
  buildings: {
    meaning: "All buildings of the property; headline values and every `<name>Detail` are computed from them.",
    parts: building.shape,
    most: mostLinks
  },
  retiredInto: referenceTo(
    "The key of the record that takes this one's place; everything kept about it moves there. null lists this one again, without what moved."
  )
} as const satisfies Shape

/** All of a row. */
export const shape: RowShape = { fields: { ...structured, ...fields.shape } }

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
      const read = readFields(building, {}, entry, path, context, faults)
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

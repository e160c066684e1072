/** What the county and maps say of a property: free, and never masked but where the plan withholds it. */
import { Facts } from "../part/Facts.tsx"
import { dayOf, dollars, joined, number, word } from "../part/Wording.ts"
import type { Detail } from "./Detail.ts"

const count = (value: number | null, unit = ""): string | null => value === null ? null : `${number(value)}${unit}`

const yes = (value: boolean | null): string | null => value === null ? null : value ? "yes" : "no"

export const Record = ({ detail: { property } }: { readonly detail: Detail }) => {
  const mail = property.ownerMailingAddress
  return (
    <section aria-labelledby="record">
      <h2 id="record">Record</h2>
      <Facts
        facts={[
          ["Category", joined([property.assetCategory, property.assetSubcategory]) || null],
          ["Owner of record", property.recordOwner ?? (property.ownerWithheld === true ? "withheld" : null)],
          ["Owner's address", mail === null ? null : joined([mail.line1, mail.city, mail.state, mail.zip]) || null],
          ["Building", count(property.buildingSqft, " sqft")],
          ["Lot", count(property.lotSqft, " sqft")],
          ["Footprint", count(property.buildingFootprintSqft, " sqft")],
          ["Roof", count(property.roofAreaSqft, " sqft")],
          ["Landscapable", count(property.landscapableSqft, " sqft")],
          ["Units", count(property.totalUnits)],
          ["Zoning", property.zoning],
          ["Land use", property.landUseDescription ?? property.landUseCode],
          [
            "Last sale",
            joined([
              property.lastSaleDate === null ? null : dayOf(property.lastSaleDate),
              property.lastSalePrice === null ? null : dollars(property.lastSalePrice)
            ]) || null
          ],
          ["Value", property.propertyValue === null ? null : dollars(property.propertyValue)],
          ["Assessed", property.totalParval === null ? null : dollars(property.totalParval)],
          ["Parcel", property.apn],
          ["Updated", dayOf(property.updatedAt)]
        ]}
      />
      {property.premiumDataRedacted && <p className="quiet">Sales and values are not part of your plan.</p>}
      <Source of={property.source} />
      {property.nameLocked && <p className="quiet">Names of properties are not part of your plan.</p>}
    </section>
  )
}

/** Whose data it is, as they want it to be shown, and under which terms. */
const Source = ({ of: source }: { readonly of: Detail["property"]["source"] }) =>
  source === null ? null : (
    <p className="quiet">
      {source.attribution}. Source: {source.title}. Licence: {source.licence}.
      {source.vanishedAt !== null && ` The source has not had the record since ${dayOf(source.vanishedAt)}.`}
    </p>
  )

const bases: Readonly<Record<Detail["property"]["buildingAttributesBasis"], string>> = {
  assessor_buildings: "From the assessor's buildings.",
  assessor_parcel: "From the assessor's parcel.",
  matched_footprints: "From matched footprints.",
  mixed: "From several sources.",
  none: ""
}

export const Buildings = ({ detail: { property } }: { readonly detail: Detail }) => {
  const facts = [
    ["Built", property.yearBuilt === null ? null : String(property.yearBuilt), property.yearBuiltDetail],
    [
      "Renewed",
      property.effectiveYearBuilt === null ? null : String(property.effectiveYearBuilt),
      property.effectiveYearBuiltDetail
    ],
    ["Floors", count(property.numFloors), property.numFloorsDetail],
    ["Construction", property.primaryConstructionType, property.primaryConstructionTypeDetail],
    ["Walls", property.exteriorWallMaterial, property.exteriorWallMaterialDetail],
    ["Foundation", property.foundationType, property.foundationTypeDetail],
    ["Roof cover", property.roofCover, property.roofCoverDetail],
    ["Roof shape", property.roofShape, property.roofShapeDetail],
    ["Heating", property.heatingType, property.heatingTypeDetail],
    ["Cooling", property.coolingType, property.coolingTypeDetail],
    ["Quality", property.qualityGrade, property.qualityGradeDetail],
    ["Pool", yes(property.hasPool), property.hasPoolDetail],
    ["Sprinklers", yes(property.hasSprinklers), property.hasSprinklersDetail]
  ] as const
  if (facts.every(([, value]) => value === null)) return null
  return (
    <section aria-labelledby="buildings">
      <h2 id="buildings">Buildings</h2>
      <Facts
        facts={facts.map(([name, value, detail]) => [
          name,
          value === null ? null : word(value),
          detail === null || detail.buildings < 2
            ? undefined
            : `${word(detail.basis)} of ${number(detail.buildings)} buildings`
        ])}
      />
      <p className="quiet">{bases[property.buildingAttributesBasis]}</p>
    </section>
  )
}

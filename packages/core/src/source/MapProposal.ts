/**
 * A first map for a portal that nobody has written one for: by what its columns are called and what is in them. A proposal,
 * for a person to look at: a column whose name says too little is left out, as is one of whose cells none can be read as what
 * the name says, and nothing is made up.
 */
import { Predicate, Record, type Schema } from "effect"
import { fipsOf, stateNamed, stateOfCounty } from "../coverage/UsState.ts"
import * as CellForms from "./CellForms.ts"
import type { SourceMap } from "./SourceDocument.ts"

/** Names of columns without punctuation, in the order in which they are taken. */
const names = {
  address: [
    "address",
    "siteaddress",
    "propertyaddress",
    "situsaddress",
    "streetaddress",
    "street",
    "fulladdress",
    "address1",
    "location"
  ],
  city: ["city", "sitecity", "situscity", "propertycity"],
  state: ["state", "statecode", "sitestate", "situsstate"],
  zip: ["zip", "zipcode", "postcode", "postalcode", "sitezip", "situszip", "zip5"],
  lat: ["lat", "latitude", "y", "location.lat", "location.latitude", "thegeom.lat"],
  lon: ["lon", "lng", "long", "longitude", "x", "location.lon", "location.longitude", "thegeom.lon"],
  apn: [
    "apn",
    "parcelnumber",
    "parcelid",
    "parcelno",
    "pin",
    "taxparcelidentificationnumber",
    "bbl",
    "folio",
    "parcel"
  ],
  recordOwner: ["ownername", "owner", "owner1", "ownername1", "taxpayername", "currentowner"],
  commonName: ["propertyname", "buildingname", "assetname", "realpropertyassetname", "facilityname", "name"],
  buildingSqft: [
    "buildingsqft",
    "buildingsquarefeet",
    "bldgsqft",
    "bldgarea",
    "grossfloorarea",
    "grossfloorareabuildingssqft",
    "grosssqft",
    "grosssquarefeet",
    "buildingarea",
    "buildingrentablesquarefeet",
    "rentablesquarefeet",
    "floorarea",
    "propertygfatotal",
    "totalbuildingarea",
    "livingarea",
    "sqft",
    "squarefeet",
    "squarefootage"
  ],
  lotSqft: ["lotsqft", "lotsquarefeet", "lotarea", "landsqft", "landsquarefeet", "landarea"],
  yearBuilt: ["yearbuilt", "yrbuilt", "actualyearbuilt", "constructionyear"],
  numFloors: ["numfloors", "numberoffloors", "floors", "stories", "numberofstories", "nostories"],
  totalUnits: ["totalunits", "unitstotal", "units", "numberofunits", "noofunits"],
  totalParval: ["totalassessedvalue", "assesstot", "totalvalue", "assessedvalue", "totalav", "appraisedvalue"],
  lastSaleDate: ["saledate", "lastsaledate", "deeddate", "lastsale"],
  lastSalePrice: ["saleprice", "lastsaleprice", "saleamount", "lastsale"],
  zoning: ["zoning", "zone", "zoningdistrict", "zonedist1"],
  landUseCode: ["landusecode", "usecode", "landuse", "propertyuse"],
  landUseDescription: ["landusedescription", "usedescription", "landusedesc", "primarypropertytype"]
} as const

type Proposed = keyof typeof names

/** Columns that may hold the code of a row's county. */
const countyNames = ["countyfips", "fipscounty", "countyfipscode", "cntyfips", "fips", "fipscode"]

/** Texts that publishers write where they know nothing, and that mean nothing else. */
const placeholders = new Set(["NA", "N/A", "n/a", "#N/A", "NULL", "null", "Not Available"])

const keyNames = [...names.apn, "objectid", "id", "oid", "globalid"]

/** Areas that are published in acres. */
const acres = [
  "acres",
  "acreage",
  "lotacres",
  "landacres",
  "gisacres",
  "calcacres",
  "calculatedacres",
  "deedacres",
  "deededacres"
]

const sqftOfAcre = 43_560

/** Searches filter by `ownerName` and show `recordOwner`; most sources know one name. */
const alsoAs: { readonly [F in Proposed]?: string } = { recordOwner: "ownerName" }

const wholeNumbers: ReadonlySet<Proposed> = new Set<Proposed>([
  "buildingSqft",
  "lotSqft",
  "totalParval",
  "lastSalePrice",
  "totalUnits",
  "yearBuilt"
])

/** What a cell of a field must look like; of a field that is not here, any cell does. */
const forms: { readonly [F in Proposed]?: (cell: string) => boolean } = {
  state: (cell) => fipsOf(cell.toUpperCase()) !== undefined,
  zip: (cell) => /^\d{5}/.test(cell),
  lat: CellForms.isWithin(90),
  lon: CellForms.isWithin(180),
  buildingSqft: CellForms.isNumber,
  lotSqft: CellForms.isNumber,
  yearBuilt: CellForms.isNumber,
  numFloors: CellForms.isNumber,
  totalUnits: CellForms.isNumber,
  totalParval: CellForms.isMoney,
  lastSaleDate: CellForms.isDay,
  lastSalePrice: CellForms.isMoney
}

const plain = (column: string): string => column.toLowerCase().replace(/[^a-z0-9.:]/g, "")

/** A sample of the cells of each column, by its name. */
export type Sample = ReadonlyMap<string, ReadonlyArray<string>>

const specOf = (field: Proposed, column: string, cells: ReadonlyArray<string>): Schema.Json => {
  const unlessZero = cells.some((cell) => /^0+(\.0+)?$/.test(cell)) ? { zeroIs: null } : {}
  if (wholeNumbers.has(field)) return { ...CellForms.wholeNumber(column, cells), ...unlessZero }
  if (field === "numFloors" && "zeroIs" in unlessZero) return { column, ...unlessZero }
  if (field === "zip") return { column, match: "^(\\d{5})", otherwise: null }
  if (field === "lastSaleDate") return CellForms.day(column, cells)
  return column
}

/** Columns of which every row has another cell, of those that have one. */
const tells = (cells: ReadonlyArray<string>, rows: number): boolean =>
  cells.length === rows && rows > 0 && new Set(cells).size === rows

/**
 * A map of what can be told; `key` is the column that tells rows apart, or a template to be filled in where none does.
 * The county is the operator's to say, unless a column has one for each row.
 */
export const propose = (sample: Sample, rows: number, prefix: string, countyFips: string): SourceMap => {
  const byName = new Map([...sample.keys()].map((column) => [plain(column), column]))
  const find = (wanted: ReadonlyArray<string>): string | undefined =>
    wanted.map((each) => byName.get(each)).find((column) => column !== undefined)
  const known = (column: string) => (sample.get(column) ?? []).filter((cell) => cell !== "" && !placeholders.has(cell))
  const keyed =
    keyNames.map((each) => byName.get(each)).find((column) => column !== undefined && tells(known(column), rows))
      ?? [...sample.keys()].find((column) => !column.startsWith(":") && tells(known(column), rows))
  const fields: Readonly<Record<string, string | undefined>> = Record.map(
    names,
    (wanted: ReadonlyArray<string>, field) =>
      wanted.map((each) => byName.get(each)).find((column) =>
        column !== undefined && known(column).some(forms[field] ?? (() => true))
      )
  )
  const state = fields["state"] === undefined ? stateOfCounty(countyFips) : undefined
  const acreage = fields["lotSqft"] === undefined ? find(acres) : undefined
  const unknown = [...new Set([...sample.values()].flat())].filter((cell) => placeholders.has(cell))
  const county = find(countyNames)
  const isOfEach = county !== undefined && known(county).length === rows
    && known(county).every((cell) => /^\d{5}$/.test(cell) && stateOfCounty(cell) !== undefined)
  return {
    key: `${prefix}:{${keyed ?? "a column that tells rows apart"}}`,
    ...unknown.length === 0 ? {} : { null: unknown },
    fields: {
      countyFips: isOfEach ? county : { const: countyFips },
      // A city is searched for together with its state.
      ...state === undefined ? {} : { state: { const: state } },
      ...Object.fromEntries(
        Object.keys(names).filter(isProposed).flatMap((field) => {
          const column = fields[field]
          if (column === undefined) return []
          const spec = specOf(field, column, known(column))
          const other = alsoAs[field]
          return [[field, spec] as const, ...other === undefined ? [] : [[other, spec] as const]]
        })
      ),
      ...acreage === undefined || !known(acreage).some(CellForms.isNumber)
        ? {}
        : { lotSqft: { column: acreage, type: "integer", times: sqftOfAcre, round: true, zeroIs: null } }
    }
  }
}

/** The columns that a map takes nothing from. */
export const leftOut = (sample: Sample, { fields, key = "" }: SourceMap): ReadonlyArray<string> => {
  const taken = new Set(
    Object.values(fields).map((spec) => Predicate.isObject(spec) && "column" in spec ? spec["column"] : spec)
  )
  // Those with a colon in front are the portal's own.
  return [...sample.keys()].filter((column) =>
    !taken.has(column) && !key.includes(`{${column}}`) && !column.startsWith(":")
  )
}

/** The states that a column names besides that of the county. */
export const otherStates = (sample: Sample, countyFips: string): ReadonlyArray<string> => {
  const own = stateOfCounty(countyFips)
  const column = [...sample.keys()].find((each) => names.state.some((name) => name === plain(each)))
  const states = (sample.get(column ?? "") ?? []).flatMap((cell) => stateNamed(cell) ?? [])
  return [...new Set(states)].filter((state) => state !== own).sort()
}

const isProposed = (field: string): field is Proposed => field in names

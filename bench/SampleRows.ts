/**
 * Made-up rows of `freehold import properties`, as NDJSON and as CSV with its map. The same number gives the same rows;
 * names, people and addresses are invented.
 */
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs"
import { randomOf } from "./SeededRandom.ts"

const streets = ["Juniper", "Larkspur", "Meridian", "Harbor", "Quarry", "Foundry", "Orchard", "Summit"] as const
const kinds = ["Street", "Avenue", "Road", "Boulevard"] as const
const towns = ["Aldermoor", "Briarfield", "Cedar Point", "Dunhollow", "Eastwick", "Fairhaven"] as const
const owners = ["Alder", "Bramble", "Copper", "Dovetail", "Ember", "Falcon", "Granite", "Heron"] as const
const forms = ["Holdings LLC", "Partners LP", "Realty Trust", "Family Trust, Inc"] as const
const categories = ["Office", "Retail", "Industrial", "Multifamily", "Hospitality", "Land"] as const
const roofs = ["Metal", "Shingle", "Membrane"] as const
const counties = 60

/** The fields of a row, `key` first. */
export const fields = [
  "key",
  "address",
  "city",
  "state",
  "zip",
  "county",
  "countyFips",
  "lat",
  "lon",
  "apn",
  "lotSqft",
  "buildingSqft",
  "footprintArea",
  "yearBuilt",
  "numFloors",
  "totalUnits",
  "roofCover",
  "hasSprinklers",
  "assetCategory",
  "commonName",
  "recordOwner",
  "ownerName",
  "totalParval",
  "lastSaleDate",
  "zoning",
  "landUseCode"
] as const

type Row = Readonly<Record<(typeof fields)[number], string | number | boolean | null>>

export const keyOf = (n: number): string => `made-up:${String(n).padStart(9, "0")}`

const rowOf = (n: number): Row => {
  const random = randomOf(n)
  const county = random.below(counties)
  const street = `${1 + random.below(9999)} ${random.of(streets)} ${random.of(kinds)}`
  const owner = `${random.of(owners)} ${1 + random.below(999)} ${random.of(forms)}`
  return {
    key: keyOf(n),
    address: street,
    city: random.of(towns),
    state: "TX",
    zip: String(75_000 + county * 10 + random.below(10)),
    county: `Sample ${county}`,
    countyFips: `48${String(1 + 2 * county).padStart(3, "0")}`,
    lat: random.between(28, 34, 6),
    lon: random.between(-102, -94, 6),
    apn: `${county}-${n}`,
    lotSqft: random.sometimes(0.9, () => 2000 + random.below(400_000)),
    buildingSqft: random.sometimes(0.8, () => 800 + random.below(250_000)),
    footprintArea: random.sometimes(0.6, () => 700 + random.below(90_000)),
    yearBuilt: random.sometimes(0.85, () => 1890 + random.below(130)),
    numFloors: random.sometimes(0.7, () => 1 + random.below(30)),
    totalUnits: random.sometimes(0.4, () => 1 + random.below(400)),
    roofCover: random.sometimes(0.3, () => random.of(roofs)),
    hasSprinklers: random.sometimes(0.5, () => random.below(10) < 4),
    assetCategory: random.sometimes(0.95, () => random.of(categories)),
    commonName: random.sometimes(0.15, () => `${random.of(streets)} Plaza`),
    recordOwner: owner,
    ownerName: owner.toUpperCase(),
    totalParval: random.sometimes(0.9, () => 40_000 + 1000 * random.below(90_000)),
    lastSaleDate: random.sometimes(
      0.7,
      () => `${1990 + random.below(34)}-0${1 + random.below(9)}-1${random.below(10)}`
    ),
    zoning: random.sometimes(0.6, () => `C-${1 + random.below(6)}`),
    landUseCode: random.sometimes(0.6, () => String(100 + random.below(80)))
  }
}

/** The map that reads the CSV form: the columns are named after the fields. */
const map = {
  format: "csv",
  key: "{key}",
  fields: Object.fromEntries(fields.slice(1).map((field) => [field, field])),
  null: [""]
}

const cell = (value: Row[keyof Row]): string => {
  const text = value === null ? "" : String(value)
  return /[",\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** The numbers that rows are made of, both included. */
export interface Range {
  readonly first: number
  readonly last: number
}

/** Writes a line for each number. */
export const writeLines = (
  file: string,
  { first, last }: Range,
  lineOf: (n: number) => string,
  header = ""
): void => {
  const descriptor = openSync(file, "w")
  writeSync(descriptor, header)
  const chunk = 5000
  for (let from = first; from <= last; from += chunk) {
    const count = Math.min(chunk, last - from + 1)
    writeSync(descriptor, Array.from({ length: count }, (_, index) => lineOf(from + index)).join(""))
  }
  closeSync(descriptor)
}

/** The rows as NDJSON, with other values in some fields. */
export const writeNdjson = (file: string, range: Range, others: Partial<Row> = {}): void =>
  writeLines(file, range, (n) => `${JSON.stringify({ ...rowOf(n), ...others })}\n`)

export interface Files {
  readonly ndjson: string
  readonly csv: string
  readonly map: string
}

/** The rows from 1 to `count`, in both forms. */
export const make = (folder: string, count: number): Files => {
  const files = { ndjson: `${folder}/rows.ndjson`, csv: `${folder}/rows.csv`, map: `${folder}/map.json` }
  const range = { first: 1, last: count }
  writeNdjson(files.ndjson, range)
  writeLines(files.csv, range, (n) => {
    const row = rowOf(n)
    return `${fields.map((field) => cell(row[field])).join(",")}\n`
  }, `${fields.join(",")}\n`)
  writeFileSync(files.map, JSON.stringify(map))
  return files
}

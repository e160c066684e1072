/** A source of parcels that does not exist. */
import type { SourceDocument } from "../source/SourceDocument.ts"

export const sampleSource = (name: string, more: Partial<SourceDocument> = {}): SourceDocument => ({
  name,
  title: "Parcels",
  publisher: "Sample County (made up)",
  licence: "public domain",
  attribution: "Parcels: Sample County (made up)",
  kind: "file",
  address: "https://data.example.gov/parcels.csv",
  map: { key: "48990-{id}", fields: { countyFips: { const: "48990" }, address: "address" } },
  ...more
})

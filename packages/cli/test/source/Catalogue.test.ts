/** The maps of the catalogue, each over the page of its portal that is kept, as its portal answers it. */
import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { documentOf, entries, type Entry, folder } from "@freehold/cli/source/Catalogue"
import { checked } from "@freehold/cli/source/DocumentFile"
import * as PortalReader from "@freehold/cli/source/PortalReader"
import { trial } from "@freehold/cli/source/SourceTrial"
import { GuardedGet } from "@freehold/webhook-worker/GuardedGet"
import { Duration, Effect, Layer, Predicate, type Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type PortalServer, portalServer, type Row } from "./PortalServer.ts"

const reader = PortalReader.layer({ deadline: Duration.seconds(5), pause: Duration.millis(1) }).pipe(
  Layer.provide(GuardedGet.layer({ policy: "any", patience: Duration.seconds(5), userAgent: "Freehold/test" }))
)

const portal = Effect.acquireRelease(Effect.promise(portalServer), ({ close }) => Effect.promise(close))

/** What the first record of each page becomes. */
const expected: Readonly<Record<string, Readonly<Record<string, Schema.Json>>>> = {
  "allegheny-county-assessments": {
    key: "allegheny:0462S00049000000",
    address: "412 OLIVER DR",
    yearBuilt: 1950,
    buildingSqft: 1040
  },
  "anoka-county-parcels": {
    key: "27003-263224230068",
    address: "14544 Crane Street Northwest",
    yearBuilt: 1997,
    buildingSqft: 1159
  },
  "carver-county-parcels": {
    key: "27019-010310610",
    address: "15525 COUNTY ROAD 33",
    yearBuilt: 1890,
    countyFips: "27019"
  },
  "chatham-county-parcels": {
    key: "chatham:10011 03024",
    address: "111 SAN MARCO DR ##A",
    sourceUpdatedAt: "2025-05-06T00:00:00.000Z"
  },
  "chesterfield-county-parcels": {
    key: "chesterfield:755636085900000",
    address: "10121 REEDY BRANCH RD",
    apn: "7556360859",
    numFloors: 1
  },
  "dakota-county-parcels": { key: "27037-014717501040", address: "13880 Glendale Court", totalUnits: 2 },
  "denver-parcels": { key: "denver:0230325009000", address: "2701 N WOLFF ST", yearBuilt: 1943, buildingSqft: 2102 },
  "fulton-county-parcels": { key: "fulton:17 005200020199", address: "833 CUMBERLAND RD NE", landUseCode: "101" },
  "hennepin-county-parcels": {
    key: "27053-2202924240471",
    address: "730 4th Street North # 111",
    yearBuilt: 2007,
    buildingSqft: null
  },
  "jefferson-county-co-parcels": {
    key: "jefferson-co:49-254-10-093",
    address: "2520 S HARLAN ST",
    yearBuilt: 1974,
    countyFips: "08059"
  },
  "los-angeles-county-parcels": {
    key: "la-county:5103026007",
    address: "897 E 52ND PL",
    yearBuilt: 1904,
    countyFips: "06037"
  },
  "maryland-parcels": { key: "md:1301189425", address: "1202 ASHMEAD SQ", county: "Harford", countyFips: "24025" },
  "massachusetts-parcels": { key: "ma:35-0402423012", address: "17 DURHAM ST 1", city: "Boston", countyFips: "25025" },
  "nc-parcels": { key: "nc:37183-1713072013", address: "420 HAYWOOD ST", city: "RALEIGH", county: "Wake" },
  "nj-parcels": { key: "nj:1021_7_39", address: "98 SAND HILL ROAD", county: "Hunterdon", countyFips: "34019" },
  "nyc-pluto": { key: "nyc:3052960043", countyFips: "36047", recordOwner: "3622 THIRTEENTH LLC", numFloors: 3 },
  "ramsey-county-parcels": {
    key: "27123-082823130131",
    address: "414 Woodlawn Avenue",
    yearBuilt: 2006,
    buildingSqft: 4350
  },
  "salt-lake-county-parcels": { key: "salt-lake:15012832180000", address: "48 W 300 S # 1706N", numFloors: 27 },
  "washington-county-mn-parcels": { key: "27163-1602821420109", address: "8741 Quarry Ridge Lane # A", yearBuilt: 1998 }
}

const json = (value: unknown) => ({
  body: Buffer.from(JSON.stringify(value)),
  headers: { "content-type": "application/json" }
})

const object = (value: unknown): Row => {
  if (!Predicate.isObject(value)) throw new Error("no object")
  return value
}

const objects = (value: unknown): ReadonlyArray<Row> => {
  if (!Array.isArray(value)) throw new Error("no list")
  return value.map(object)
}

/** Lets the portal answer the page, as it answers the reader of the entry's kind; how many records it has. */
const serve = (
  { columns, files, records: datastore }: PortalServer,
  { kind, name }: Entry,
  page: unknown
): { readonly path: string; readonly records: number } => {
  switch (kind) {
    case "soda": {
      const rows = objects(page)
      const columns = Object.keys(rows[0] ?? {})
      const answer = rows.map((row, index) => ({
        ":id": `row-${index}`,
        ":updated_at": "2026-08-24T20:20:51.000Z",
        ...row
      }))
      const path = `/resource/64uk-42ks`
      files.set(`${path}.json`, {
        ...json(answer),
        headers: {
          "content-type": "application/json",
          "x-soda2-fields": JSON.stringify(columns),
          "x-soda2-types": JSON.stringify(columns.map((column) => column === "bbl" ? "number" : "text"))
        }
      })
      return { path, records: rows.length }
    }
    case "feature_server": {
      const answer = object(page)
      const fields = objects(answer["fields"]).map((field): Row => ({ type: "esriFieldTypeString", ...field }))
      const features = objects(answer["features"]).map(({ attributes }, index) => ({
        attributes: { ...object(attributes), OBJECTID: index + 1 },
        geometry: { x: -77, y: 39 }
      }))
      const path = `/rest/services/${name}/FeatureServer/0`
      const id = { name: "OBJECTID", type: "esriFieldTypeOID" }
      files.set(
        path,
        json({ objectIdField: "OBJECTID", fields: [id, ...fields.filter((field) => field["name"] !== "OBJECTID")] })
      )
      files.set(`${path}/query`, json({ features }))
      return { path, records: features.length }
    }
    case "ckan": {
      const { fields, records } = object(object(page)["result"])
      for (const { id } of objects(fields)) columns.records.add(String(id))
      const numbered = objects(records).map((record, index) => ({ _id: index + 1, ...record }))
      datastore.push(...numbered)
      return { path: "", records: numbered.length }
    }
    default:
      throw new Error(`${name}: no page of a ${kind} is kept`)
  }
}

it.live("every map reads all of a page that its portal answered", () =>
  Effect.gen(function*() {
    const server = yield* portal
    const paged = (yield* entries).filter(({ checked }) => checked.against.endsWith(".json"))
    assert.deepStrictEqual(paged.map(({ name }) => name), Object.keys(expected))
    for (const entry of paged) {
      const page: unknown = JSON.parse(readFileSync(join(folder, entry.checked.against), "utf8"))
      const { path, records } = serve(server, entry, page)
      const document = { ...documentOf(entry), address: `${server.origin}${path}`, rate: 1000 }
      yield* checked(document, entry.name)
      const { read, rejects, rows } = yield* trial({ document, token: null, most: 1 })
      assert.deepStrictEqual({ name: entry.name, read, rejects }, { name: entry.name, read: records, rejects: [] })
      assert.deepInclude(rows[0], { ...expected[entry.name] }, entry.name)
    }
  }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(reader, NodeServices.layer))))

it.effect("every part that a source can be narrowed to is one of its kind, and is told of which state it is", () =>
  Effect.gen(function*() {
    for (const entry of yield* entries) {
      assert.isNotEmpty(entry.states, entry.name)
      for (const query of Object.values(entry.areas ?? {})) {
        yield* checked({ ...documentOf(entry), query }, entry.name)
        assert.isString(query.where, entry.name)
      }
    }
  }).pipe(Effect.provide(NodeServices.layer)))

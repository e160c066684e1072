/** Loads property rows: the record itself, the headline values and details of its buildings, its county. */
import { countyCalled } from "@freehold/core/coverage/CountyNames"
import { stateOfCounty } from "@freehold/core/coverage/UsState"
import { attributesOf, type PropertyRow } from "@freehold/core/import/PropertyRow"
import {
  attributeFields,
  type Attributes,
  type Building,
  derive,
  noAttributes
} from "@freehold/core/property/BuildingAttributes"
import { type FieldKind, type PropertyField, propertyFields } from "@freehold/core/property/PropertyField"
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as FoundChanges from "../change/FoundChanges.ts"
import { type Column, encode, snakeCase, type Target, textArray, type Write, write } from "../database/BulkWrite.ts"
import * as PropertyMerge from "../property/PropertyMerge.ts"
import { place, type Placed, rounds, Tally, withFittingIds } from "./ImportBatches.ts"

const columnTypes: Readonly<Record<FieldKind, string>> = {
  text: "text",
  state: "text",
  zip: "text",
  fips: "text",
  latitude: "double precision",
  longitude: "double precision",
  size: "integer",
  land: "integer",
  count: "integer",
  year: "integer",
  floors: "double precision",
  money: "double precision",
  boolean: "boolean",
  date: "date",
  timestamp: "timestamptz",
  textArray: "text[]",
  address: "jsonb",
  assetCategory: "text",
  footprintSource: "text"
}

const columns: ReadonlyMap<string, Column> = new Map(
  Object.entries(propertyFields).map(([field, kind]) => [field, { name: snakeCase(field), type: columnTypes[kind] }])
)

const idColumn: Column = { name: "id", type: "uuid" }
const keyColumn: Column = { name: "key", type: "text" }
const retiredIntoColumn: Column = { name: "retired_into", type: "uuid" }
const basisColumn: Column = { name: "building_attributes_basis", type: "text" }
const detailsColumn: Column = { name: "details", type: "jsonb" }
const buildingsColumn: Column = { name: "buildings", type: "jsonb" }
const beyondColumn: Column = { name: "lot_sqft_beyond", type: "double precision" }
const parcelColumn: Column = { name: "parcel_attributes", type: "jsonb" }

const target: Target = { table: "property", id: "id", touched: "updated_at" }

const isAttribute: ReadonlySet<string> = new Set(attributeFields)

/** `'yearBuilt', year_built, ...` */
const attributePairs = attributeFields.map((field) => `'${field}', ${snakeCase(field)}`).join(", ")

interface StoredProperty {
  readonly key: string
  readonly id: string
  readonly version: string
  readonly source_updated_at: Date | null
  readonly county: string | null
  readonly county_fips: string | null
  readonly address: string | null
  readonly raw_address: string | null
  readonly building_sqft: number | null
  readonly footprint_area: number | null
  readonly record_owner: string | null
  readonly last_sale_date: string | null
  readonly last_sale_price: number | null
  readonly retired: boolean
  readonly buildings: ReadonlyArray<Building> | null
  /** What the parcel's own record says. */
  readonly attributes: Attributes
}

const textValue = (row: PropertyRow, field: PropertyField): string | null => {
  const value = row.values.get(field)
  return typeof value === "string" ? value : null
}

const nameOf = (fips: string | null): string | null => countyCalled(fips ?? "") ?? null

/** A source without a raw address of its own has the address in its place, and keeps it there when that changes. */
const rawAddressOf = (row: PropertyRow, stored: StoredProperty | undefined): string | null | undefined => {
  const raw = row.values.get("rawAddress")
  if (typeof raw === "string") return raw
  const address = row.values.has("address") ? textValue(row, "address") : stored?.address ?? null
  if (raw === null) return address
  const follows = stored === undefined || stored.raw_address === stored.address
  return follows && row.values.has("address") ? address : undefined
}

/** A name that was made from the code follows the code. */
const countyNameOf = (row: PropertyRow, stored: StoredProperty | undefined): string | null | undefined => {
  const fips = textValue(row, "countyFips")
  if (row.values.has("county") || fips === stored?.county_fips) return undefined
  const follows = stored === undefined || stored.county === nameOf(stored.county_fips)
  return follows ? nameOf(fips) : undefined
}

/** Areas of a property, each with that of a building. */
const areas = [["buildingSqft", "building_sqft", "sqft"], ["footprintArea", "footprint_area", "footprintSqft"]] as const

const largestArea = 2_147_483_647

/** null: that of a building is not known, or there is none. */
const sumOf = (buildings: ReadonlyArray<Building>, area: "sqft" | "footprintSqft"): number | null => {
  let sum = 0
  for (const { [area]: each } of buildings) {
    // One that is not known is not stored.
    if (typeof each !== "number") return null
    sum += each
  }
  return buildings.length === 0 || sum > largestArea ? null : sum
}

/** The areas that a source does not give are the sums of its buildings', and stay that when the buildings change. */
const summedAreas = (
  row: PropertyRow,
  stored: StoredProperty | undefined
): ReadonlyArray<readonly [PropertyField, number | null]> => {
  const before = stored?.buildings ?? []
  const buildings = row.buildings ?? before
  if (buildings.length === 0 && before.length === 0) return []
  return areas.flatMap(([field, column, area]): ReadonlyArray<readonly [PropertyField, number | null]> => {
    const given = row.values.get(field)
    if (typeof given === "number") return []
    const sum = sumOf(buildings, area)
    if (given === null) return sum === null ? [] : [[field, sum]]
    const follows = stored === undefined || stored[column] === null || stored[column] === sumOf(before, area)
    return row.buildings !== undefined && follows ? [[field, sum]] : []
  })
}

const writeOf = (
  row: PropertyRow,
  stored: StoredProperty | undefined,
  retiredInto: string | null | undefined
): Write => {
  const id = stored?.id ?? row.id
  const written: Array<Column> = [idColumn, keyColumn]
  const texts: Array<string | null> = [id, row.key]
  const put = (column: Column, text: string | null) => {
    written.push(column)
    texts.push(text)
  }
  const putField = (field: PropertyField, text: string | null) => {
    const column = columns.get(field)
    if (column !== undefined) put(column, text)
  }
  let touchesAttributes = row.buildings !== undefined
  const summed = new Map(summedAreas(row, stored))
  for (const [field, value] of row.values) {
    if (isAttribute.has(field)) touchesAttributes = true
    else if (propertyFields[field] === "land" && typeof value === "number" && value >= largestArea) {
      putField(field, encode(largestArea))
      put(beyondColumn, encode(value))
    } else if (field !== "rawAddress" && !summed.has(field)) putField(field, encode(value))
  }
  for (const [field, sum] of summed) putField(field, encode(sum))
  const countyName = countyNameOf(row, stored)
  if (countyName !== undefined) putField("county", countyName)
  const rawAddress = rawAddressOf(row, stored)
  if (rawAddress !== undefined) putField("rawAddress", rawAddress)
  if (retiredInto !== undefined) put(retiredIntoColumn, retiredInto)
  if (touchesAttributes) {
    const parcel = attributesOf(row.values, stored?.attributes ?? noAttributes)
    const buildings = row.buildings ?? stored?.buildings ?? []
    const { basis, details, values } = derive(parcel, buildings)
    for (const field of attributeFields) putField(field, encode(values[field]))
    const known = Object.fromEntries(Object.entries(details).filter(([, detail]) => detail !== null))
    put(basisColumn, basis)
    put(detailsColumn, JSON.stringify(known))
    put(buildingsColumn, buildings.length === 0 ? null : JSON.stringify(buildings))
    put(parcelColumn, buildings.length === 0 ? null : JSON.stringify(parcel))
  }
  return { columns: written, texts, stored: stored !== undefined, id, version: stored?.version }
}

/** Whether the source says that the stored values are newer than these. */
const isStale = (row: PropertyRow, stored: StoredProperty | undefined): boolean => {
  const updatedAt = textValue(row, "sourceUpdatedAt")
  const storedAt = stored?.source_updated_at ?? null
  return updatedAt !== null && storedAt !== null && updatedAt < storedAt.toISOString()
}

/** Whether the row says that its record was merged into another one. */
export const retires = (row: PropertyRow): boolean => typeof row.retiredInto === "string"

/** What the rows of changed records were, and are, as far as changes are found by it. */
const watchedOf = (
  rows: ReadonlyArray<Placed<PropertyRow>>,
  stored: ReadonlyMap<string, StoredProperty>,
  updated: ReadonlySet<string>
): ReadonlyArray<FoundChanges.Loaded> =>
  rows.flatMap(({ row }) => {
    const before = stored.get(row.key)
    if (before === undefined || !updated.has(before.id)) return []
    const price = row.values.get("lastSalePrice")
    return [{
      id: before.id,
      retired: row.retiredInto === undefined ? before.retired : retires(row),
      before: { owner: before.record_owner, saleDate: before.last_sale_date, salePrice: before.last_sale_price },
      after: {
        ...row.values.has("recordOwner") ? { owner: textValue(row, "recordOwner") } : {},
        ...row.values.has("lastSaleDate") ? { saleDate: textValue(row, "lastSaleDate") } : {},
        salePrice: typeof price === "number" ? price : null
      }
    }]
  })

/** Ends the transaction, which is tried again. */
const overtaken = (message: string) =>
  new SqlError.SqlError({ reason: new SqlError.SerializationError({ cause: undefined, message }) })

/** Fails where a record was changed by another load since it was read: what its row comes to has to be found anew. */
const refuseOvertaken = Effect.fnUntraced(function*(writes: ReadonlyArray<Write>) {
  if (writes.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const changed = yield* sql`
    SELECT FROM unnest(
      ${textArray(writes.map(({ id }) => id))}::uuid[], ${textArray(writes.map(({ version }) => version ?? null))}
    ) AS read (id, version)
    JOIN property p ON p.id = read.id AND p.xmin <> read.version::xid LIMIT 1`
  if (changed.length > 0) return yield* overtaken("another import changed the same record")
})

const loadRound = Effect.fnUntraced(function*(
  given: ReadonlyArray<Placed<PropertyRow>>,
  survivor: string | null | undefined,
  tally: Tally
) {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<StoredProperty>`
    SELECT key, id::text AS id, xmin::text AS version, source_updated_at, county, county_fips, address, raw_address,
      building_sqft, footprint_area, record_owner, last_sale_date::text AS last_sale_date, last_sale_price,
      retired_into IS NOT NULL AS retired, buildings,
      coalesce(parcel_attributes, jsonb_build_object(${sql.literal(attributePairs)})) AS attributes
    FROM property
    WHERE key = ANY(${textArray(given.map(({ row }) => row.key))})
      OR id = ANY(${textArray(given.map(({ row }) => row.id))}::uuid[])`
  const stored = new Map(found.map((property) => [property.key, property]))
  const fitting = withFittingIds(given, found, tally)
  const current = fitting.filter(({ row }) => !isStale(row, stored.get(row.key)))
  tally.count(fitting.length - current.length, 0, 0)

  // In one order, so that of two loads that insert the same records one waits for the other, and never both.
  const ordered = current.toSorted((a, b) => a.row.key < b.row.key ? -1 : 1)
  const writes = ordered.map(({ row }) =>
    writeOf(row, stored.get(row.key), row.retiredInto === undefined ? undefined : survivor ?? null)
  )
  const { inserted, updated } = yield* write(target, writes)
  const changed = new Set(updated)
  yield* refuseOvertaken(writes.filter((write) => write.stored && !changed.has(write.id)))
  tally.count(writes.length, inserted.length, updated.length)
  yield* FoundChanges.record("property", "county_record", watchedOf(current, stored, changed))
  return current.map(({ row }) => ({ row, formerCounty: stored.get(row.key)?.county_fips ?? null }))
})

/**
 * Counties are known once they have a property; a name is kept from the first row that gives one, or is the one that the county
 * is known by. Each import that brings rows refreshes them, and those that a record left: what it was matched by there is to be matched
 * again. In their order, so that two imports at once wait for each other and never both. Answers those that a
 * row calls by another name.
 */
const addCounties = Effect.fnUntraced(function*(
  loaded: ReadonlyArray<{ readonly row: PropertyRow; readonly formerCounty: string | null }>
) {
  const names = new Map<string, string | null>()
  for (const { formerCounty, row } of loaded) {
    const fips = textValue(row, "countyFips")
    if (fips !== null) names.set(fips, names.get(fips) ?? textValue(row, "county"))
    if (formerCounty !== null) names.set(formerCounty, names.get(formerCounty) ?? null)
  }
  if (names.size === 0) return []
  const sql = yield* SqlClient.SqlClient
  const fips = Array.from(names.keys())
  const misnamed = yield* sql<{ readonly fips: string }>`
    WITH given (county_fips, name, known, state) AS (
      SELECT * FROM unnest(
        ${textArray(fips)}, ${textArray(Array.from(names.values()))},
        ${textArray(fips.map((county) => countyCalled(county) ?? null))},
        ${textArray(fips.map((county) => stateOfCounty(county) ?? null))}
      )
    ), added AS (
      INSERT INTO county AS stored (county_fips, name, state, refreshed_at)
      SELECT county_fips, coalesce(name, known), state, now() FROM given ORDER BY county_fips
      ON CONFLICT (county_fips) DO UPDATE
      SET name = coalesce(stored.name, excluded.name), refreshed_at = excluded.refreshed_at
      WHERE stored.refreshed_at IS DISTINCT FROM excluded.refreshed_at
        OR (stored.name IS NULL AND excluded.name IS NOT NULL)
    )
    SELECT c.county_fips AS fips FROM county c JOIN given USING (county_fips) WHERE c.name <> given.name`
  return misnamed.map(({ fips }) => fips)
})

/** A name that no record gives its county any more, such as a slip that was mended, makes way for the one that most give. */
export const renameCounty = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, fips: string) {
  yield* sql`
    UPDATE county c
    SET name = coalesce((
      SELECT p.county FROM property p WHERE p.county_fips = c.county_fips AND p.county IS NOT NULL
      GROUP BY p.county ORDER BY count(*) DESC, p.county LIMIT 1
    ), c.name)
    WHERE c.county_fips = ${fips}
      AND NOT EXISTS (SELECT FROM property p WHERE p.county_fips = c.county_fips AND p.county = c.name)`
})

/**
 * Where a record is retired to: the last survivor, so that no reader has to follow a chain. Null: there is no such
 * record, or it would be the record itself.
 */
const survivorOf = Effect.fnUntraced(function*(row: PropertyRow, index: number, tally: Tally) {
  const sql = yield* SqlClient.SqlClient
  const [into] = yield* sql<{ readonly id: string; readonly key: string }>`
    SELECT last.id::text AS id, last.key FROM property named
    JOIN property last ON last.id = coalesce(named.retired_into, named.id)
    WHERE named.key = ${row.retiredInto ?? null}`
  if (into === undefined) {
    tally.reject(index, "retiredInto", `no property has the key ${row.retiredInto}`)
    return null
  }
  if (into.key === row.key) {
    tally.reject(index, "retiredInto", "leads back to the record itself")
    return null
  }
  return into.id
})

const loadRetired = Effect.fnUntraced(function*(placed: Placed<PropertyRow>, tally: Tally) {
  const sql = yield* SqlClient.SqlClient
  const survivor = yield* survivorOf(placed.row, placed.index, tally)
  if (survivor === null) return []
  const [retires] = yield* sql<{ readonly id: string; readonly researching: boolean }>`
    SELECT p.id::text AS id, EXISTS (SELECT FROM research_item i
      WHERE i.action = 'research_property' AND i.subject_id = p.id AND i.state IN ('queued', 'running'))
      OR EXISTS (SELECT FROM property_researching r WHERE r.property_id = p.id) AS researching
    FROM property p WHERE p.key = ${placed.row.key} AND p.retired_into IS NULL`
  if (retires?.researching === true) {
    tally.reject(placed.index, "retiredInto", "research of the record is running; retire it when that has ended")
    return []
  }
  const loaded = yield* loadRound([placed], survivor, tally)
  // A record that retires now has what is kept about it moved; one that was retired before has nothing.
  if (retires !== undefined && loaded.length > 0) {
    const moved = yield* PropertyMerge.merge(retires.id, survivor)
    if (moved === null) return yield* overtaken("research of a record that retires began meanwhile")
  }
  return loaded
})

/**
 * Loads of different records may run beside each other; those that meet at one fail, and come to the same when they are
 * tried again. `onMisnamed` hears of counties that rows call by another name than they have.
 */
export const load = Effect.fnUntraced(function*(
  rows: ReadonlyArray<PropertyRow>,
  onMisnamed: (fips: string) => void
) {
  const tally = new Tally()
  for (const round of rounds(place(rows), ({ key }) => key, retires)) {
    const [first] = round
    const loaded = first !== undefined && retires(first.row)
      ? yield* loadRetired(first, tally)
      : yield* loadRound(round, null, tally)
    for (const fips of yield* addCounties(loaded)) onMisnamed(fips)
  }
  return tally.outcome
})

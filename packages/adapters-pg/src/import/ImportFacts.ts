/** Loads research and change rows: what was found out about a property or a person. */
import type { ChangeRow, EvidenceField } from "@freehold/core/import/ChangeRow"
import type { ResearchField, ResearchRow } from "@freehold/core/import/ResearchRow"
import type { Values } from "@freehold/core/import/RowReading"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as FoundChanges from "../change/FoundChanges.ts"
import { type Column, encode, snakeCase, type Target, textArray, write } from "../database/BulkWrite.ts"
import * as CorrectedChanges from "./CorrectedChanges.ts"
import {
  place,
  placed,
  propertyIds,
  propertyPlaces,
  rounds,
  storedKeys,
  Tally,
  withFittingIds
} from "./ImportBatches.ts"

const researchTarget: Target = { table: "property_research", id: "property_id", touched: null }

const propertyIdColumn: Column = { name: "property_id", type: "uuid" }

const researchColumn = (field: ResearchField): Column => ({
  name: snakeCase(field),
  type: field === "researchedAt" ? "timestamptz" : "text"
})

const storedResearch = Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: string; readonly manager: string | null }>`
    SELECT property_id::text AS id, management_company AS manager FROM property_research
    WHERE property_id = ANY(${textArray(ids)}::uuid[])`
  return new Map(rows.map(({ id, manager }) => [id, manager]))
})

/** A property with research is complete, as of when it was researched; while a run goes on, it shows that. */
const markResearched = Effect.fnUntraced(function*(ids: ReadonlyArray<string>) {
  if (ids.length === 0) return
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    UPDATE property p
    SET last_enriched_at = r.researched_at, updated_at = now(), enrichment_status =
      CASE WHEN p.enrichment_status IN ('queued', 'processing') THEN p.enrichment_status ELSE 'complete' END
    FROM property_research r
    WHERE r.property_id = p.id AND p.id = ANY(${textArray(ids)}::uuid[])
      AND (p.enrichment_status NOT IN ('complete', 'queued', 'processing')
        OR p.last_enriched_at IS DISTINCT FROM r.researched_at)`
})

export const loadResearch = Effect.fnUntraced(function*(rows: ReadonlyArray<ResearchRow>) {
  const tally = new Tally()
  const now = DateTime.formatIso(yield* DateTime.now)
  const ids = yield* propertyIds(new Set(rows.map(({ propertyKey }) => propertyKey)))
  const known = place(rows).filter(({ index, row }) => {
    if (ids.has(row.propertyKey)) return true
    tally.reject(index, "propertyKey", `no property has the key ${row.propertyKey}`)
    return false
  })
  const idOf = (row: ResearchRow) => ids.get(row.propertyKey) ?? ""
  for (const round of rounds(known, idOf)) {
    const stored = yield* storedResearch(round.map(({ row }) => idOf(row)))
    const writes = round.map(({ row }) => {
      const id = idOf(row)
      const values = new Map(row.values)
      if (!stored.has(id) && !values.has("researchedAt")) values.set("researchedAt", now)
      return {
        columns: [propertyIdColumn, ...Array.from(values.keys(), researchColumn)],
        texts: [id, ...Array.from(values.values(), encode)],
        stored: stored.has(id),
        id
      }
    })
    const { inserted, updated } = yield* write(researchTarget, writes)
    tally.count(writes.length, inserted.length, updated.length)
    yield* markResearched([...inserted, ...updated])
    const changed = new Set(updated)
    yield* FoundChanges.record(
      "property",
      "research",
      round.flatMap(({ row }) => {
        const manager = row.values.get("managementCompany")
        return manager === undefined || !changed.has(idOf(row)) ? [] : [{
          id: idOf(row),
          before: { manager: stored.get(idOf(row)) ?? null },
          after: { manager: typeof manager === "string" ? manager : null }
        }]
      })
    )
  }
  return tally.outcome
})

const changeTarget: Target = { table: "property_change", id: "id", touched: null }

const changeColumns: ReadonlyArray<Column> = [
  { name: "id", type: "uuid" },
  { name: "key", type: "text" },
  { name: "kind", type: "text" },
  { name: "property_id", type: "uuid" },
  { name: "contact_id", type: "uuid" },
  { name: "before", type: "jsonb" },
  { name: "after", type: "jsonb" },
  { name: "detected_at", type: "timestamptz" },
  { name: "effective_date", type: "date" },
  { name: "source", type: "text" },
  { name: "withdraws", type: "uuid" },
  { name: "county_fips", type: "text" }
]

const evidence = (values: Values<EvidenceField> | null): string | null =>
  values === null ? null : JSON.stringify(Object.fromEntries(values))

const idsOf = Effect.fnUntraced(function*(table: "contact" | "property_change", keys: ReadonlyArray<string>) {
  if (keys.length === 0) return new Map<string, string>()
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly key: string; readonly id: string }>`
    SELECT key, id::text AS id FROM ${sql(table)} WHERE key = ANY(${textArray(keys)})`
  return new Map(rows.map(({ id, key }) => [key, id]))
})

export const loadChanges = Effect.fnUntraced(function*(rows: ReadonlyArray<ChangeRow>) {
  const tally = new Tally()
  const sql = yield* SqlClient.SqlClient
  const properties = yield* propertyPlaces(new Set(rows.flatMap(({ propertyKey }) => propertyKey ?? [])))
  const contacts = yield* idsOf("contact", rows.flatMap(({ contactKey }) => contactKey ?? []))
  const changes = yield* idsOf("property_change", rows.flatMap(({ withdraws }) => withdraws ?? []))
  const subjectOf = (row: ChangeRow): CorrectedChanges.Subject | undefined => {
    const property = row.propertyKey === null ? null : properties.get(row.propertyKey)?.id
    const contact = row.contactKey === null ? null : contacts.get(row.contactKey)
    return property === undefined || contact === undefined ? undefined : { property, contact }
  }
  for (const round of rounds(place(rows), ({ key }) => key)) {
    const { rows, stored, told } = yield* CorrectedChanges.setApart(
      round,
      yield* storedKeys("property_change", round),
      subjectOf
    )
    const ids = new Map(stored.map(({ id, key }) => [key, id]))
    const distinct = rows.filter(({ index, row }) => {
      if (told.get(row.key) !== row.id) return true
      tally.reject(index, "id", "is that of the change that this row corrects; expected another one, or none")
      return false
    })
    const good = withFittingIds(distinct, stored, tally).filter(({ index, row }) => {
      const faults = tally.rejected.length
      if (row.propertyKey !== null && !properties.has(row.propertyKey)) {
        tally.reject(index, "propertyKey", `no property has the key ${row.propertyKey}`)
      }
      if (row.contactKey !== null && !contacts.has(row.contactKey)) {
        tally.reject(index, "contactKey", `no contact has the key ${row.contactKey}`)
      }
      if (row.withdraws !== null && (row.withdraws === row.key || !changes.has(row.withdraws))) {
        tally.reject(index, "withdraws", `no earlier change has the key ${row.withdraws}`)
      }
      const accepted = tally.rejected.length === faults
      // What follows in the batch may withdraw it: a reference is checked when the statement ends.
      if (accepted) changes.set(row.key, ids.get(row.key) ?? row.id)
      return accepted
    })
    const writes = good.map(({ row }) => {
      const id = ids.get(row.key) ?? row.id
      const property = row.propertyKey === null ? undefined : properties.get(row.propertyKey)
      return {
        columns: changeColumns,
        texts: [
          id,
          row.key,
          row.kind,
          property?.id ?? null,
          row.contactKey === null ? null : contacts.get(row.contactKey) ?? null,
          evidence(row.before),
          evidence(row.after),
          row.detectedAt,
          row.effectiveDate,
          row.source,
          row.withdraws === null ? null : changes.get(row.withdraws) ?? null,
          property?.county ?? null
        ],
        stored: ids.has(row.key),
        id
      }
    })
    const corrected = good.flatMap(({ row }) => told.get(row.key) ?? [])
    yield* CorrectedChanges.takeBack(corrected)
    const { inserted, updated } = yield* placed(sql, write(changeTarget, writes))
    tally.count(writes.length, inserted.length - corrected.length, updated.length + corrected.length)
  }
  return tally.outcome
})

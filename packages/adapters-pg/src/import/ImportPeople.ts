/**
 * Loads firm and contact rows, and what ties them to properties.
 *
 * A row that lists its properties lists them all: ties that it does not name are removed.
 */
import { type ContactField, type ContactRow, erasedFault } from "@freehold/core/import/ContactRow"
import type { FirmField, FirmRow } from "@freehold/core/import/FirmRow"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as FoundChanges from "../change/FoundChanges.ts"
import * as ContactCounts from "../contact/ContactCounts.ts"
import { type Column, encode, snakeCase, type Target, textArray, write } from "../database/BulkWrite.ts"
import { erasedAmong } from "./ErasedPeople.ts"
import {
  type Place,
  place,
  type Placed,
  placed,
  propertyPlaces,
  rounds,
  type StoredKey,
  storedKeys,
  Tally,
  withFittingIds
} from "./ImportBatches.ts"

const idColumn: Column = { name: "id", type: "uuid" }
const keyColumn: Column = { name: "key", type: "text" }

const firmColumns: Readonly<Record<FirmField, Column>> = {
  name: { name: "name", type: "text" },
  domain: { name: "domain", type: "text" },
  websiteUrl: { name: "website_url", type: "text" },
  phone: { name: "phone", type: "text" },
  linkedin: { name: "linkedin_url", type: "text" },
  twitter: { name: "twitter_url", type: "text" },
  facebook: { name: "facebook_url", type: "text" },
  crunchbase: { name: "crunchbase_url", type: "text" }
}

const booleans: ReadonlySet<ContactField> = new Set<ContactField>([
  "phoneFallbackFromEmployer",
  "doNotContactEmail",
  "doNotContactPhone"
])

const contactColumn = (field: ContactField): Column => ({
  name: snakeCase(field),
  type: booleans.has(field) ? "boolean" : field === "lastVerifiedAt" ? "timestamptz" : "text"
})

interface Linked {
  readonly properties?: ReadonlyArray<{ readonly propertyKey: string }>
}

/** The rows all of whose properties exist; the others are rejected. */
const withKnownProperties = <R extends Linked>(
  rows: ReadonlyArray<Placed<R>>,
  known: ReadonlyMap<string, Place>,
  tally: Tally
): ReadonlyArray<Placed<R>> =>
  rows.filter(({ index, row }) => {
    const faults = tally.rejected.length
    for (const [at, { propertyKey }] of (row.properties ?? []).entries()) {
      if (!known.has(propertyKey)) {
        tally.reject(index, `properties[${at}].propertyKey`, `no property has the key ${propertyKey}`)
      }
    }
    return tally.rejected.length === faults
  })

const propertyKeys = (rows: ReadonlyArray<Placed<Linked>>): ReadonlySet<string> =>
  new Set(rows.flatMap(({ row }) => (row.properties ?? []).map(({ propertyKey }) => propertyKey)))

/** The rows that are stored already or bring the field without which there is no record. */
const withName = <R extends { readonly key: string }>(
  rows: ReadonlyArray<Placed<R>>,
  ids: ReadonlyMap<string, string>,
  field: string,
  isNamed: (row: R) => boolean,
  tally: Tally
): ReadonlyArray<Placed<R>> =>
  rows.filter(({ index, row }) => {
    if (ids.has(row.key) || isNamed(row)) return true
    tally.reject(index, field, "is required in a new record")
    return false
  })

/** Writes the records themselves; answers what became of each id. */
const store = Effect.fnUntraced(function*<R extends { readonly key: string; readonly id: string }>(
  target: Target,
  rows: ReadonlyArray<Placed<R>>,
  ids: ReadonlyMap<string, string>,
  columnsOf: (row: R) => ReadonlyArray<readonly [Column, string | null]>
) {
  const writes = rows.map(({ row }) => {
    const id = ids.get(row.key) ?? row.id
    const cells = columnsOf(row)
    return {
      columns: [idColumn, keyColumn, ...cells.map(([column]) => column)],
      texts: [id, row.key, ...cells.map(([, text]) => text)],
      stored: ids.has(row.key),
      id
    }
  })
  const { inserted, updated } = yield* write(target, writes)
  return new Map<string, "inserted" | "updated">([
    ...inserted.map((id) => [id, "inserted"] as const),
    ...updated.map((id) => [id, "updated"] as const)
  ])
})

const countRows = (ids: ReadonlyArray<string>, outcome: ReadonlyMap<string, "inserted" | "updated">, tally: Tally) => {
  const inserted = ids.filter((id) => outcome.get(id) === "inserted").length
  const updated = ids.filter((id) => outcome.get(id) === "updated").length
  tally.count(ids.length, inserted, updated)
}

const idsByKey = (stored: ReadonlyArray<{ readonly key: string; readonly id: string }>) =>
  new Map(stored.map(({ id, key }) => [key, id]))

interface Tie {
  readonly ownerId: string
  readonly property: Place
  readonly columns: ReadonlyArray<string | null>
}

/** All ties of the rows that list theirs; of two alike the later one counts. */
const tiesOf = <R, L extends { readonly propertyKey: string }>(
  rows: ReadonlyArray<Placed<R>>,
  idOf: (row: R) => string,
  linksOf: (row: R) => ReadonlyArray<L> | undefined,
  known: ReadonlyMap<string, Place>,
  identity: (link: L) => string,
  columns: (link: L) => ReadonlyArray<string | null>
) => {
  const owners: Array<string> = []
  const ties = new Map<string, Tie>()
  for (const { row } of rows) {
    const links = linksOf(row)
    if (links === undefined) continue
    const ownerId = idOf(row)
    owners.push(ownerId)
    for (const link of links) {
      const property = known.get(link.propertyKey)
      if (property === undefined) continue
      ties.set(`${ownerId} ${property.id} ${identity(link)}`, { ownerId, property, columns: columns(link) })
    }
  }
  return { owners, ties: Array.from(ties.values()) }
}

const firmTarget: Target = { table: "firm", id: "id", touched: "updated_at" }

const tieFirms = Effect.fnUntraced(function*(owners: ReadonlyArray<string>, ties: ReadonlyArray<Tie>) {
  if (owners.length === 0) return []
  const sql = yield* SqlClient.SqlClient
  return yield* placed(
    sql,
    sql<{ readonly id: string }>`
    WITH wanted AS (
      SELECT * FROM unnest(
        ${textArray(ties.map(({ ownerId }) => ownerId))}::uuid[],
        ${textArray(ties.map(({ property }) => property.id))}::uuid[],
        ${textArray(ties.map(({ property }) => property.county))},
        ${textArray(ties.map(({ columns }) => columns[0] ?? null))},
        ${textArray(ties.map(({ columns }) => columns[1] ?? null))}
      ) AS w (firm_id, property_id, county_fips, role, attribution_type)
    ),
    -- Those of an owner that is withheld are kept apart, and say nothing.
    forgotten AS (
      DELETE FROM withheld_property_firm pf
      WHERE pf.firm_id = ANY(${textArray(owners)}::uuid[]) AND NOT EXISTS (
        SELECT FROM wanted w WHERE w.firm_id = pf.firm_id AND w.property_id = pf.property_id AND w.role = pf.role
      )
    ),
    gone AS (
      DELETE FROM property_firm pf
      WHERE pf.firm_id = ANY(${textArray(owners)}::uuid[]) AND NOT EXISTS (
        SELECT FROM wanted w WHERE w.firm_id = pf.firm_id AND w.property_id = pf.property_id AND w.role = pf.role
      )
      RETURNING pf.firm_id
    ),
    -- What a match tied is the row's from now on.
    stated AS (
      DELETE FROM owner_tie t USING wanted w WHERE t.property_id = w.property_id AND t.firm_id = w.firm_id
    ),
    made AS (
      INSERT INTO property_firm AS stored (property_id, firm_id, role, attribution_type, county_fips)
      SELECT property_id, firm_id, role, attribution_type, county_fips FROM wanted
      ON CONFLICT (property_id, firm_id, role) DO UPDATE SET attribution_type = excluded.attribution_type
        WHERE stored.attribution_type <> excluded.attribution_type
      RETURNING firm_id
    )
    SELECT firm_id::text AS id FROM gone UNION SELECT firm_id::text FROM made`
  )
})

export const loadFirms = Effect.fnUntraced(function*(rows: ReadonlyArray<FirmRow>) {
  const tally = new Tally()
  for (const round of rounds(place(rows), ({ key }) => key)) {
    const stored = yield* storedKeys("firm", round)
    const known = yield* propertyPlaces(propertyKeys(round))
    const ids = idsByKey(stored)
    const good = withName(
      withKnownProperties(withFittingIds(round, stored, tally), known, tally),
      ids,
      "name",
      ({ values }) => values.has("name"),
      tally
    )
    const idOf = (row: FirmRow) => ids.get(row.key) ?? row.id
    const outcome = yield* store(
      firmTarget,
      good,
      ids,
      (row) => Array.from(row.values, ([field, value]) => [firmColumns[field], encode(value)] as const)
    )
    const { owners, ties } = tiesOf(
      good,
      idOf,
      (row) => row.properties,
      known,
      ({ role }) => role,
      ({ attributionType, role }) => [role, attributionType]
    )
    for (const { id } of yield* tieFirms(owners, ties)) outcome.set(id, outcome.get(id) ?? "updated")
    countRows(good.map(({ row }) => idOf(row)), outcome, tally)
  }
  return tally.outcome
})

/** Somebody who is stored: what they are called at work, and by whom they are employed. */
interface StoredContact extends StoredKey {
  readonly title: string | null
  readonly employer: string | null
}

/**
 * The people who have one of the rows' keys or ids. Nobody else changes them, or what they are tied to, before the
 * transaction ends.
 */
const storedContacts = Effect.fnUntraced(function*(rows: ReadonlyArray<Placed<ContactRow>>) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<StoredContact>`
    SELECT key, id::text AS id, title, employer_name AS employer FROM contact
    WHERE key = ANY(${textArray(rows.map(({ row }) => row.key))})
      OR id = ANY(${textArray(rows.map(({ row }) => row.id))}::uuid[])
    ORDER BY contact.id FOR NO KEY UPDATE`
})

const given = (row: ContactRow, field: "title" | "employerName"): string | null | undefined => {
  const value = row.values.get(field)
  return typeof value === "string" || value === null ? value : undefined
}

/** What the rows of changed people were, and are, as far as changes are found by it. */
const watchedOf = (
  rows: ReadonlyArray<Placed<ContactRow>>,
  idOf: (row: ContactRow) => string,
  work: ReadonlyMap<string, StoredContact>,
  outcome: ReadonlyMap<string, "inserted" | "updated">
): ReadonlyArray<FoundChanges.Loaded> =>
  rows.flatMap(({ row }) => {
    const id = idOf(row)
    const before = work.get(id)
    if (before === undefined || outcome.get(id) !== "updated") return []
    const [title, employer] = [given(row, "title"), given(row, "employerName")]
    return [{
      id,
      before,
      after: { ...title === undefined ? {} : { title }, ...employer === undefined ? {} : { employer } }
    }]
  })

const contactTarget: Target = { table: "contact", id: "id", touched: "updated_at" }

const firmIds = Effect.fnUntraced(function*(keys: ReadonlySet<string>) {
  if (keys.size === 0) return new Map<string, string>()
  const sql = yield* SqlClient.SqlClient
  const firms = yield* sql<{ readonly key: string; readonly id: string }>`
    SELECT key, id::text AS id FROM firm WHERE key = ANY(${textArray(Array.from(keys))})`
  return idsByKey(firms)
})

const tieContacts = Effect.fnUntraced(function*(owners: ReadonlyArray<string>, ties: ReadonlyArray<Tie>) {
  if (owners.length === 0) return []
  const sql = yield* SqlClient.SqlClient
  return yield* placed(
    sql,
    sql<{ readonly id: string; readonly property_id: string }>`
    WITH wanted AS (
      SELECT * FROM unnest(
        ${textArray(ties.map(({ ownerId }) => ownerId))}::uuid[],
        ${textArray(ties.map(({ property }) => property.id))}::uuid[],
        ${textArray(ties.map(({ property }) => property.county))},
        ${textArray(ties.map(({ columns }) => columns[0] ?? null))},
        ${textArray(ties.map(({ columns }) => columns[1] ?? null))},
        ${textArray(ties.map(({ columns }) => columns[2] ?? null))}
      ) AS w (contact_id, property_id, county_fips, role, relationship_status, attribution_type)
    ),
    -- Those of a person who is not listed are kept apart, and say nothing.
    forgotten AS (
      DELETE FROM withheld_property_contact pc
      WHERE pc.contact_id = ANY(${textArray(owners)}::uuid[]) AND NOT EXISTS (
        SELECT FROM wanted w WHERE w.contact_id = pc.contact_id AND w.property_id = pc.property_id
      )
    ),
    gone AS (
      DELETE FROM property_contact pc
      WHERE pc.contact_id = ANY(${textArray(owners)}::uuid[]) AND NOT EXISTS (
        SELECT FROM wanted w WHERE w.contact_id = pc.contact_id AND w.property_id = pc.property_id
      )
      RETURNING pc.contact_id, pc.property_id
    ),
    made AS (
      INSERT INTO property_contact AS stored (property_id, contact_id, role, relationship_status, attribution_type,
        county_fips)
      SELECT property_id, contact_id, role, relationship_status, attribution_type, county_fips FROM wanted
      ON CONFLICT (property_id, contact_id) DO UPDATE
        SET role = excluded.role, relationship_status = excluded.relationship_status,
          attribution_type = excluded.attribution_type
        WHERE (stored.role, stored.relationship_status, stored.attribution_type)
          IS DISTINCT FROM (excluded.role, excluded.relationship_status, excluded.attribution_type)
      RETURNING contact_id, property_id
    )
    SELECT contact_id::text AS id, property_id::text AS property_id FROM gone
    UNION SELECT contact_id::text, property_id::text FROM made`
  )
})

const propertiesOf = Effect.fnUntraced(function*(contactIds: ReadonlyArray<string>) {
  if (contactIds.length === 0) return []
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: string }>`
    SELECT DISTINCT property_id::text AS id FROM property_contact
    WHERE contact_id = ANY(${textArray(contactIds)}::uuid[])`
  return rows.map(({ id }) => id)
})

export const loadContacts = Effect.fnUntraced(function*(rows: ReadonlyArray<ContactRow>) {
  const tally = new Tally()
  const affected = new Set<string>()
  const all = place(rows)
  const erased = yield* erasedAmong(all)
  for (const each of all) {
    if (erased.has(each)) tally.reject(each.index, erasedFault.field, erasedFault.reason)
  }
  for (const round of rounds(all.filter((each) => !erased.has(each)), ({ key }) => key)) {
    const stored = yield* storedContacts(round)
    const known = yield* propertyPlaces(propertyKeys(round))
    const firms = yield* firmIds(new Set(round.flatMap(({ row }) => row.firmKey ?? [])))
    const ids = idsByKey(stored)
    const good = withName(
      withKnownProperties(withFittingIds(round, stored, tally), known, tally),
      ids,
      "fullName",
      ({ values }) => values.has("fullName"),
      tally
    ).filter(({ index, row }) => {
      const firmKey = row.firmKey ?? null
      if (firmKey === null || firms.has(firmKey)) return true
      tally.reject(index, "firmKey", `no firm has the key ${firmKey}`)
      return false
    })
    const idOf = (row: ContactRow) => ids.get(row.key) ?? row.id
    // In one order, so that of two loads that insert the same people one waits for the other, and never both.
    const ordered = good.toSorted((a, b) => a.row.key < b.row.key ? -1 : 1)
    const outcome = yield* store(contactTarget, ordered, ids, (row) => {
      const cells = Array.from(row.values, ([field, value]) => [contactColumn(field), encode(value)] as const)
      return row.firmKey === undefined
        ? cells
        : [...cells, [{ name: "firm_id", type: "uuid" }, firms.get(row.firmKey ?? "") ?? null] as const]
    })
    const work = new Map(stored.map((person) => [person.id, person]))
    yield* FoundChanges.record("contact", "provider", watchedOf(good, idOf, work, outcome))
    for (const id of yield* propertiesOf(Array.from(outcome.keys()))) affected.add(id)
    const { owners, ties } = tiesOf(
      good,
      idOf,
      (row) => row.properties,
      known,
      () => "",
      ({ attributionType, relationshipStatus, role }) => [role, relationshipStatus, attributionType]
    )
    for (const tie of yield* tieContacts(owners, ties)) {
      outcome.set(tie.id, outcome.get(tie.id) ?? "updated")
      affected.add(tie.property_id)
    }
    countRows(good.map(({ row }) => idOf(row)), outcome, tally)
  }
  yield* ContactCounts.refresh(Array.from(affected))
  return tally.outcome
})

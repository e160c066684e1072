/**
 * `Seeder` over PostgreSQL: one statement a table, all in one transaction.
 *
 * Rows travel as one JSON parameter each table, which is simple and fast enough for some thousands; `SyntheticProperties`
 * makes more.
 */
import { stateOfCounty } from "@freehold/core/coverage/UsState"
import { nameKey } from "@freehold/core/list/List"
import { change, freshLead, ledgerOf, Seeder } from "@freehold/core/testing/Seed"
import { Array, DateTime, Effect, Layer, Struct } from "effect"
import { SqlClient } from "effect/sql"
import * as ContactCounts from "../contact/ContactCounts.ts"
import { columnOf } from "../property/PropertyRowPg.ts"

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

const snakeCase = (row: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value]))

/** The objects that are not null, as the column `details` holds them. */
const known = (details: object) => Object.fromEntries(Object.entries(details).filter(([, detail]) => detail !== null))

/** What everything else belongs to. */
const roots = ["organization", "property", "firm", "contact", "county", "suppressed_owner", "owner", "matched_county"]

export const layer: Layer.Layer<Seeder, never, SqlClient.SqlClient> = Layer.effect(
  Seeder,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    /** Inserts the rows; columns that none of them names keep their defaults. */
    const insert = (table: string, rows: Rows) => {
      const columns = sql.csv(Struct.keys(rows[0] ?? {}).map((name) => sql`${sql(name)}`))
      return rows.length === 0 ? Effect.void : sql`
        INSERT INTO ${sql(table)} (${columns})
        SELECT ${columns} FROM jsonb_populate_recordset(NULL::${sql(table)}, ${JSON.stringify(rows)}::jsonb)`.unprepared
    }

    const ledger = Effect.fnUntraced(function*(orgId: string, accesses: Parameters<typeof ledgerOf>[0]) {
      const { accesses: recorded, entries, grant } = ledgerOf(accesses)
      yield* insert("credit_account", [{
        org_id: orgId,
        version: entries.length,
        trial: 0,
        included: 0,
        enterprise_pool: 0,
        purchased: 0
      }])
      yield* insert("credit_entry", entries.map(({ buckets, ...entry }) => ({ org_id: orgId, ...entry, ...buckets })))
      if (grant !== null) {
        const { amount, bucket, expiresAt, ref, remaining } = grant
        yield* insert("credit_grant", [{
          org_id: orgId,
          ref,
          bucket,
          amount,
          remaining,
          expires_at: expiresAt,
          entry: 1
        }])
      }
      for (const kind of ["property", "contact"] as const) {
        yield* insert(
          `${kind}_access`,
          recorded.filter((access) => access.kind === kind).map(({ chargeEntry, id, source }) => ({
            org_id: orgId,
            [`${kind}_id`]: id,
            source,
            charge_entry: chargeEntry,
            at: "2026-01-01T00:00:00Z"
          }))
        )
      }
    })

    return Seeder.of({
      // To empty every table costs a fifth of a second, and most databases of tests are new.
      clear: Effect.orDie(Effect.flatMap(
        sql.unsafe<{ readonly isFilled: boolean }>(
          `SELECT ${roots.map((table) => `EXISTS (SELECT FROM ${table})`).join(" OR ")} AS "isFilled"`
        ),
        ([found]) =>
          Effect.when(sql.unsafe(`TRUNCATE ${roots.join(", ")} CASCADE`), Effect.succeed(found?.isFilled === true))
      )),
      add: Effect.fn("Seeder.add")(
        function*(seed) {
          yield* insert(
            "organization",
            (seed.organizations ?? []).map((profile) => ({ org_id: profile.org_id, profile }))
          )
          const properties = seed.properties ?? []
          yield* insert(
            "property",
            properties.map(({ details, research, ...property }) => ({
              ...snakeCase(property),
              last_enriched_at: research?.researchedAt ?? null,
              details: known(details)
            }))
          )
          yield* insert(
            "property_research",
            properties.flatMap(({ id, research }) =>
              research === null ? [] : [{ property_id: id, ...snakeCase(research) }]
            )
          )
          const names = new Map<string, string | null>()
          for (const { county, countyFips } of properties) names.set(countyFips, names.get(countyFips) ?? county)
          const counties = Array.fromIterable(names).map(([county_fips, name]) => ({
            county_fips,
            name,
            state: stateOfCounty(county_fips) ?? null
          }))
          yield* sql`
            INSERT INTO county SELECT * FROM jsonb_populate_recordset(NULL::county, ${JSON.stringify(counties)}::jsonb)
            ON CONFLICT (county_fips) DO UPDATE SET name = coalesce(county.name, excluded.name)`
          yield* insert("firm", (seed.firms ?? []).map((firm) => ({ key: firm.id, ...snakeCase(firm) })))
          yield* insert("property_firm", (seed.propertyFirms ?? []).map(snakeCase))
          yield* insert(
            "contact",
            (seed.contacts ?? []).map(({ doNotContact, ...contact }) => ({
              key: contact.id,
              ...snakeCase(contact),
              do_not_contact_email: doNotContact.email,
              do_not_contact_phone: doNotContact.phone
            }))
          )
          yield* insert("property_contact", (seed.relationships ?? []).map(snakeCase))
          yield* ContactCounts.refresh((seed.relationships ?? []).map(({ propertyId }) => propertyId))
          for (
            const [orgId, accesses] of Object.entries(Array.groupBy(seed.accesses ?? [], (access) => access.orgId))
          ) {
            yield* ledger(orgId, accesses)
          }
          const owned = (rows: ReadonlyArray<{ readonly orgId: string }>): Rows =>
            rows.map(({ orgId, ...row }) => ({ org_id: orgId, ...snakeCase(row) }))
          yield* insert("lead", owned((seed.leads ?? []).map((lead) => ({ ...freshLead, ...lead }))))
          yield* insert("note", owned(seed.notes ?? []))
          yield* insert("task", owned(seed.tasks ?? []))
          yield* insert("customer_account", owned(seed.customers ?? []))
          yield* insert(
            "list",
            (seed.lists ?? []).map(({ id, orgId }) => ({
              org_id: orgId,
              id,
              list_name: id,
              name_key: nameKey(id),
              list_type: "properties",
              visibility: "team",
              owner_name: "Sample Member",
              shared_with: [],
              created_at: "2026-01-01T00:00:00Z"
            }))
          )
          yield* insert("member", owned(seed.members ?? []))
          yield* insert(
            "list_item",
            (seed.lists ?? []).flatMap(({ id, orgId, propertyIds }) =>
              propertyIds.map((item_id) => ({ org_id: orgId, list_id: id, item_id, added_at: "2026-01-01T00:00:00Z" }))
            )
          )
          yield* insert(
            "property_change",
            (seed.changes ?? []).map(change).map(({ detectedAt, id, ...rest }) => ({
              id,
              key: id,
              ...snakeCase(rest),
              detected_at: detectedAt === null ? null : DateTime.formatIso(DateTime.makeUnsafe(detectedAt))
            }))
          )
        },
        sql.withTransaction,
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.orDie
      )
    })
  })
)

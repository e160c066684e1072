/** `Standings` over PostgreSQL: one statement, which reads ties and accesses as sets: a person may have thousands. */
import { type ContactStandingFacts, Standings } from "@freehold/core/coverage/Standings"
import type { PropertyStanding } from "@freehold/core/property/Properties"
import { Effect, Layer } from "effect"
import * as Database from "./Database.ts"
import { unavailable } from "./internal/Availability.ts"

interface Found {
  readonly properties: ReadonlyArray<PropertyStanding>
  readonly contacts: ReadonlyArray<ContactStandingFacts>
}

export const layer: Layer.Layer<Standings, never, Database.Reads> = Layer.effect(
  Standings,
  Effect.gen(function*() {
    const sql = yield* Database.Reads
    return Standings.of({
      read: Effect.fn("Standings.read")(function*({ contacts, orgId, properties }) {
        const [found] = yield* sql<Found>`
          SELECT
            coalesce((
              SELECT json_agg(json_build_object('id', p.id, 'countyFips', p.county_fips, 'retiredInto', p.retired_into,
                'researched', EXISTS (SELECT FROM property_research WHERE property_id = p.id), 'access', a.source))
              FROM property p
              LEFT JOIN property_access a ON a.org_id = ${orgId} AND a.property_id = p.id
              WHERE p.id = ANY(${properties}::uuid[])
            ), '[]') AS properties,
            coalesce((
              SELECT json_agg(json_build_object('id', c.id, 'counties', coalesce(seen.counties, '{}'),
                'openedByProperty', opened.contact_id IS NOT NULL, 'access', a.source))
              FROM contact c
              LEFT JOIN contact_access a ON a.org_id = ${orgId} AND a.contact_id = c.id
              LEFT JOIN (
                SELECT contact_id, array_agg(county_fips ORDER BY county_fips) AS counties
                FROM (
                  SELECT DISTINCT pc.contact_id, pc.county_fips FROM property_contact pc
                  WHERE pc.contact_id = ANY(${contacts}::uuid[]) AND pc.county_fips IS NOT NULL
                ) tie
                GROUP BY contact_id
              ) seen ON seen.contact_id = c.id
              LEFT JOIN (
                SELECT DISTINCT pc.contact_id
                FROM property_contact pc
                JOIN property_access pa ON pa.org_id = ${orgId} AND pa.property_id = pc.property_id AND pa.source = 'paid'
                WHERE pc.contact_id = ANY(${contacts}::uuid[]) AND pc.county_fips IS NOT NULL
              ) opened ON opened.contact_id = c.id
              WHERE c.id = ANY(${contacts}::uuid[])
            ), '[]') AS contacts`
        return found ?? { properties: [], contacts: [] }
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)

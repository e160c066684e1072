/** `Standings` over PostgreSQL: one statement of point reads. */
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
              SELECT json_agg(json_build_object('id', c.id, 'counties', ties.counties,
                'openedByProperty', ties.opened, 'access', a.source))
              FROM contact c
              LEFT JOIN contact_access a ON a.org_id = ${orgId} AND a.contact_id = c.id
              CROSS JOIN LATERAL (
                SELECT coalesce(array_agg(DISTINCT p.county_fips ORDER BY p.county_fips), '{}') AS counties,
                  coalesce(bool_or(pa.property_id IS NOT NULL), false) AS opened
                FROM property_contact pc
                JOIN property p ON p.id = pc.property_id AND p.retired_into IS NULL
                LEFT JOIN property_access pa ON pa.org_id = ${orgId} AND pa.property_id = p.id AND pa.source = 'paid'
                WHERE pc.contact_id = c.id
              ) ties
              WHERE c.id = ANY(${contacts}::uuid[])
            ), '[]') AS contacts`
        return found ?? { properties: [], contacts: [] }
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)

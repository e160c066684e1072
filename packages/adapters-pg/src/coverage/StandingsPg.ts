/** `Standings` over PostgreSQL: one statement, which reads ties and accesses as sets: a person may have thousands. */
import {
  type NamedContact,
  type NamedProperty,
  Standings,
  type StoodContact,
  type StoodProperty
} from "@freehold/core/coverage/Standings"
import { parseId } from "@freehold/core/operation/Uuid"
import { Array as Arr, Effect, Layer, Result } from "effect"
import { doNotContact } from "../contact/ContactRowPg.ts"
import { unavailable } from "../database/Availability.ts"
import { textArray } from "../database/BulkWrite.ts"
import * as Database from "../database/Database.ts"
import { storable } from "../database/StorableText.ts"

interface Asked {
  readonly orgId: string
  readonly properties: ReadonlyArray<string>
  readonly contacts: ReadonlyArray<string>
}

interface Found<Property, Contact> {
  readonly properties: ReadonlyArray<Property>
  readonly contacts: ReadonlyArray<Contact>
}

/** What decides over what was written about a property `p`, and over what was found about a contact `c`. */
const withholding = `, 'withholdsOwner', p.owner_withheld OR EXISTS (
    SELECT FROM property_research r WHERE r.property_id = p.id AND r.withheld_beneficial_owner IS NOT NULL)`

const refusing = `, 'doNotContact', ${doNotContact}`

/** What lines tell beside the standing: of a property `p` and of a contact `c`. */
const propertyNames = `, 'city', p.city, 'state', p.state,
  'lead', EXISTS (SELECT FROM lead l WHERE l.org_id = asked.org_id AND l.property_id = p.id
    AND l.status NOT IN ('lost', 'disqualified')),
  'customer', EXISTS (SELECT FROM customer_account o WHERE o.org_id = asked.org_id AND o.property_id = p.id
    AND o.status = 'active')`

const contactNames = `, 'fullName', c.full_name, 'title', c.title, 'employerName', c.employer_name`

export const layer: Layer.Layer<Standings, never, Database.Reads> = Layer.effect(
  Standings,
  Effect.gen(function*() {
    const sql = yield* Database.Reads

    const find = <Property, Contact>({ contacts, orgId, properties }: Asked, names: readonly [string, string]) => {
      const [ids, keys] = Arr.partition(properties, (name) => Result.fromOption(parseId(name), () => storable(name)))
      return Effect.map(
        sql<Found<Property, Contact>>`
          SELECT
            coalesce((
              SELECT json_agg(json_build_object('id', p.id, 'key', p.key, 'address', p.address,
                'countyFips', p.county_fips, 'retiredInto', p.retired_into,
                'researched', EXISTS (SELECT FROM property_research WHERE property_id = p.id), 'access', a.source
                ${sql.literal(names[0])}))
              FROM property p
              LEFT JOIN property_access a ON a.org_id = asked.org_id AND a.property_id = p.id
              WHERE p.id = ANY(${textArray(ids)}::uuid[]) OR p.key = ANY(${textArray(keys)}::text[])
            ), '[]') AS properties,
            coalesce((
              SELECT json_agg(json_build_object('id', c.id, 'counties', coalesce(seen.counties, '{}'),
                'openedByProperty', opened.contact_id IS NOT NULL, 'access', a.source ${sql.literal(names[1])}))
              FROM contact c
              LEFT JOIN contact_access a ON a.org_id = asked.org_id AND a.contact_id = c.id
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
                JOIN property_access pa ON pa.org_id = asked.org_id AND pa.property_id = pc.property_id
                  AND pa.source = 'paid'
                WHERE pc.contact_id = ANY(${contacts}::uuid[]) AND pc.county_fips IS NOT NULL
              ) opened ON opened.contact_id = c.id
              WHERE c.id = ANY(${contacts}::uuid[])
            ), '[]') AS contacts
          FROM (SELECT ${orgId}::text AS org_id) asked`,
        ([found]) => found ?? { properties: [], contacts: [] }
      )
    }

    return Standings.of({
      read: Effect.fn("Standings.read")(
        (asked) => find<StoodProperty, StoodContact>(asked, [withholding, refusing]),
        Effect.catchTag("SqlError", unavailable)
      ),

      named: Effect.fn("Standings.named")(
        (asked) => find<NamedProperty, NamedContact>(asked, [propertyNames, contactNames]),
        Effect.catchTag("SqlError", unavailable)
      )
    })
  })
)

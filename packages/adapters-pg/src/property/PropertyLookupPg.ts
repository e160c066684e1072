/**
 * `PropertyLookup` over PostgreSQL, on the replica where there is one: one statement, however many lookups there are.
 *
 * Each lookup reads its part of one index and stops at its limit. Of an address that part is what has its house number (or
 * has none) in its zip, or in its city, or anywhere; the words are compared within the index.
 */
import { type LookedUp, type Lookup, PropertyLookup } from "@freehold/core/property/PropertyLookup"
import { Effect, Layer } from "effect"
import * as Visibility from "../coverage/Visibility.ts"
import { unavailable } from "../database/Availability.ts"
import * as Database from "../database/Database.ts"
import { containing, storable } from "../database/StorableText.ts"

interface Row extends LookedUp {
  readonly place: number
}

/** What one lookup asks, as the statement reads it. */
const askedOf = ({ city, parcel, probe, zip }: Lookup, place: number) => ({
  place,
  number: probe?.number ?? null,
  pattern: probe === null ? null : containing(probe.word ?? ""),
  zip,
  city: city === null ? null : storable(city),
  parcel
})

/** Which properties each lookup may mean, by the columns of an index. */
const parts = [
  `address_number(p.address) = asked.number AND left(p.zip, 5) = asked.zip AND lower(p.address) LIKE asked.pattern`,
  `address_number(p.address) = asked.number AND lower(p.city) = asked.city AND lower(p.address) LIKE asked.pattern`,
  `asked.zip IS NULL AND asked.city IS NULL AND asked.number <> ''
    AND address_number(p.address) = asked.number AND lower(p.address) LIKE asked.pattern`,
  `parcel_form(p.apn) = asked.parcel`
]

export const layer: Layer.Layer<PropertyLookup, never, Database.Replica | Database.Reads> = Layer.effect(
  PropertyLookup,
  Effect.gen(function*() {
    const replica = yield* Database.Replica
    const sql = yield* Database.Reads
    const { inArea } = Visibility.make(sql)

    return PropertyLookup.of({
      candidates: Effect.fn("PropertyLookup.candidates")(function*(lookups, visible, perLookup) {
        const area = inArea(visible)
        // A set that is limited is looked up lookup by lookup, each in the index that its columns name.
        const found = parts.map((part) =>
          sql`(SELECT p.id FROM property p WHERE p.retired_into IS NULL AND ${sql.literal(part)} AND ${area}
            LIMIT ${perLookup}::int)`
        )
        const rows = yield* replica.rows<Row>(sql`
          SELECT asked.place, p.id, p.key, p.address, p.city, p.state, p.zip, p.apn, p.county_fips AS "countyFips"
          FROM jsonb_to_recordset(${JSON.stringify(lookups.map(askedOf))}::jsonb)
            AS asked (place int, number text, pattern text, zip text, city text, parcel text)
          CROSS JOIN LATERAL (${sql.join(" UNION ", false)(found)}) AS found
          JOIN property p USING (id)
          ORDER BY asked.place, p.id`)
        const byPlace = Map.groupBy(rows, ({ place }) => place)
        return lookups.map((_, place) =>
          (byPlace.get(place) ?? []).slice(0, perLookup).map(({ place: _, ...property }) => property)
        )
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)

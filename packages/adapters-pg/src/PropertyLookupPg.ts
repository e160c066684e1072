/**
 * `PropertyLookup` over PostgreSQL, on the replica where there is one: one statement, with a part for each lookup that
 * reads from the index of free text or from the one of parcel numbers, and stops at its limit.
 */
import { type LookedUp, type Lookup, PropertyLookup } from "@freehold/core/property/PropertyLookup"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import * as Database from "./Database.ts"
import { unavailable } from "./internal/Availability.ts"
import { matching, storable } from "./internal/StorableText.ts"
import * as Visibility from "./internal/Visibility.ts"

interface Row extends LookedUp {
  readonly place: number
}

export const layer: Layer.Layer<PropertyLookup, never, Database.Replica | Database.Reads> = Layer.effect(
  PropertyLookup,
  Effect.gen(function*() {
    const replica = yield* Database.Replica
    const sql = yield* Database.Reads
    const { inArea, or, yes } = Visibility.make(sql)

    const addressed = ({ city, probe, zip }: Lookup): ReadonlyArray<Statement.Fragment> => {
      if (probe === null) return []
      // The address stands first in the text that is indexed; what else is in there must not decide.
      const pattern = `${matching(probe.number ?? "")}%${probe.word === null ? "" : `${matching(probe.word)}%`}`
      return [sql.and([
        sql`p.search_text_with_name LIKE ${pattern} AND lower(p.address) LIKE ${pattern}`,
        zip === null && city === null ? yes : or([
          ...zip === null ? [] : [sql`left(p.zip, 5) = ${zip}`],
          ...city === null ? [] : [sql`lower(p.city) = ${storable(city)}`]
        ])
      ])]
    }

    return PropertyLookup.of({
      candidates: Effect.fn("PropertyLookup.candidates")(function*(lookups, visible, perLookup) {
        const parts = lookups.flatMap((lookup, place) =>
          [
            ...addressed(lookup),
            ...lookup.parcel === null ? [] : [sql`parcel_form(p.apn) = ${lookup.parcel}`]
          ].map((condition) =>
            sql`(SELECT ${place}::int AS place, p.id, p.key, p.address, p.city, p.state, p.zip, p.apn,
              p.county_fips AS "countyFips"
            FROM property p WHERE p.retired_into IS NULL AND ${
              inArea(visible)
            } AND ${condition} LIMIT ${perLookup}::int)`
          )
        )
        const rows = parts.length === 0
          ? []
          : yield* replica.read((client) =>
            client<Row>`SELECT * FROM (${sql.join(" UNION ", false)(parts)}) AS found ORDER BY place, id`.unprepared
          )
        const byPlace = Map.groupBy(rows, ({ place }) => place)
        return lookups.map((_, place) =>
          (byPlace.get(place) ?? []).slice(0, perLookup).map(({ place: _, ...property }) => property)
        )
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)

/**
 * `CountyCensus` over PostgreSQL, on the replica where there is one: counted from an index alone. Every batch of an import says of
 * its counties when it came.
 */
import { CountyCensus, type CountyCount } from "@freehold/core/coverage/CountyCensus"
import { Effect, Layer } from "effect"
import * as Database from "../database/Database.ts"
import { unavailable } from "../database/Availability.ts"

export const layer: Layer.Layer<CountyCensus, never, Database.Replica> = Layer.effect(
  CountyCensus,
  Effect.map(Database.Replica, ({ read }) =>
    CountyCensus.of({
      read: read((sql) =>
        sql<CountyCount>`
          SELECT c.county_fips AS "countyFips", c.name, n.properties, to_iso(c.refreshed_at) AS "lastRefresh",
            ARRAY(
              SELECT json_build_object('title', said.title, 'licence', said.licence, 'attribution', said.attribution)
              FROM (
                SELECT DISTINCT s.document ->> 'title' AS title, s.document ->> 'licence' AS licence,
                  s.document ->> 'attribution' AS attribution
                FROM source_county k JOIN source s ON s.name = k.source WHERE k.county_fips = c.county_fips
              ) said
              ORDER BY said.title, said.attribution
            ) AS sources
          FROM (
            SELECT county_fips, count(*)::integer AS properties FROM property
            WHERE retired_into IS NULL GROUP BY county_fips
          ) n
          JOIN county c USING (county_fips)
          ORDER BY c.county_fips COLLATE "C"`
      ).pipe(
        Effect.catchTag("SqlError", unavailable),
        Effect.withSpan("CountyCensus.read")
      ),
      // The newest moment alone would not tell of an import that ends beside a later one.
      revision: read((sql) =>
        sql<{ readonly revision: string }>`
          SELECT count(*) || ' ' || coalesce(sum(extract(epoch FROM refreshed_at)), 0) AS revision FROM county`
      ).pipe(
        Effect.map((rows) => rows[0]?.revision ?? ""),
        Effect.catchTag("SqlError", unavailable),
        Effect.withSpan("CountyCensus.revision")
      )
    }))
)

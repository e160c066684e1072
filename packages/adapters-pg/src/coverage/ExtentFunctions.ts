/** SQL functions that keep how far the properties of each county lie apart (`county_extent`). */
import * as Comment from "../database/Comment.ts"

/** Each replaces the one of its name. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION county_extend_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM county_extend(county_fips, south, north, west, east) FROM (
      SELECT * FROM (
        SELECT county_fips, min(lat) AS south, max(lat) AS north, min(lon) AS west, max(lon) AS east FROM inserted
        WHERE lat IS NOT NULL AND lon IS NOT NULL GROUP BY county_fips
      ) AS given
      /* A call costs more than all of these look-ups. */
      WHERE NOT EXISTS (
        SELECT FROM county_extent k WHERE k.county_fips = given.county_fips
          AND k.south <= given.south AND k.north >= given.north AND k.west <= given.west AND k.east >= given.east
      )
      ORDER BY county_fips
    ) AS beyond;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "county_extend_inserted",
    "Trigger of property: keeps county_extent. Boxes that are large enough are left out at once."
  )
]

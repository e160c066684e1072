/** What searches and look-ups compare, and indexes hold. */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION great_circle_meters(lat1 float8, lon1 float8, lat2 float8, lon2 float8) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN 2 * 6371008.8 * asin(sqrt(least(1.0,
      sin(radians(lat2 - lat1) / 2) ^ 2
        + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lon2 - lon1) / 2) ^ 2)))`,
  Comment.onFunction(
    "great_circle_meters",
    `
    Metres between two places on the mean sphere, by the haversine formula.
  `
  ),

  `CREATE OR REPLACE FUNCTION parcel_form(apn text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    nullif(regexp_replace(upper(apn COLLATE "C"), '[^A-Z0-9]', '', 'g'), '')`,
  Comment.onFunction("parcel_form", "A parcel number as it is compared: core's AddressMatch.parcelForm."),

  `CREATE OR REPLACE FUNCTION address_number(address text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    CASE WHEN address IS NOT NULL THEN coalesce(
      substring(lower(address COLLATE "C") from '^[ !"$-/:-@[-\`{-~]*([0-9][0-9a-z]*)'), '') END`,
  Comment.onFunction(
    "address_number",
    `
    The house number of a written address, as core's AddressMatch.houseNumber; empty: it has none.
  `
  )
]

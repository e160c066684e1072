/** Which counties were matched, of what they had when they were last refreshed: by subject, since each kind of matching goes its own way. */
import type { StaleCounty } from "@freehold/core/coverage/StaleCounty"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { textArray } from "../database/BulkWrite.ts"

type Subject = "owners" | "places"

/** Counties that changed since they were matched, or all; of these alone where some are named. */
export const stale = (
  sql: SqlClient.SqlClient,
  subject: Subject,
  { all, only }: { readonly all: boolean; readonly only: ReadonlyArray<string> | null }
) =>
  sql<StaleCounty>`
    SELECT c.county_fips AS "countyFips", c.refreshed_at::text AS "refreshedAt"
    FROM county c LEFT JOIN matched_county m ON m.county_fips = c.county_fips AND m.subject = ${subject}
    WHERE (${all} OR m.county_fips IS NULL OR m.refreshed_at IS DISTINCT FROM c.refreshed_at)
      AND (${only === null} OR c.county_fips = ANY(${textArray(only ?? [])}))
    ORDER BY c.county_fips`

/** The county is matched as it was then. */
export const keep = (sql: SqlClient.SqlClient, subject: Subject, { countyFips, refreshedAt }: StaleCounty) =>
  Effect.asVoid(sql`
    INSERT INTO matched_county (county_fips, subject, refreshed_at)
    VALUES (${countyFips}, ${subject}, ${refreshedAt}::timestamptz)
    ON CONFLICT (county_fips, subject) DO UPDATE SET refreshed_at = excluded.refreshed_at`)

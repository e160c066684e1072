/**
 * SQL functions that count how far people and firms reach (`contact_reach`, `firm_reach`) anew, whenever their ties change: under a lock of
 * the person or the firm, so that of two who tie something to one of them at once the later counts both.
 */
import * as Comment from "../database/Comment.ts"
import type { Kind } from "./TallyFunctions.ts"

/** What is counted, besides whose it is. */
const columns: Readonly<Record<Kind, ReadonlyArray<string>>> = {
  contact: ["properties", "area", "states", "counties"],
  firm: ["properties", "area", "states", "roles", "counties"]
}

/** The ties that count: a firm's are those that everyone is told of. */
export const told: Readonly<Record<Kind, string>> = {
  contact: "county_fips IS NOT NULL",
  firm: "county_fips IS NOT NULL AND attribution_type NOT IN ('beneficial_research', 'management_research')"
}

const functionsOf = (kind: Kind): ReadonlyArray<string> => {
  const [reach, id] = [`${kind}_reach`, `${kind}_id`]
  const all = (row: string) => columns[kind].map((name) => `${row}.${name}`).join(", ")
  return [
    `CREATE OR REPLACE FUNCTION ${reach}_count(changed uuid[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF changed = '{}' THEN RETURN; END IF;
      PERFORM FROM ${kind} WHERE id = ANY(changed) ORDER BY id FOR NO KEY UPDATE;
      /* The ties themselves: of the view all would be counted. */
      DELETE FROM ${reach} r WHERE r.${id} = ANY(changed) AND NOT EXISTS (
        SELECT FROM property_${kind} t WHERE t.${id} = r.${id} AND ${told[kind]}
      );
      INSERT INTO ${reach} AS r (${id}, ${columns[kind].join(", ")})
      SELECT c.${id}, ${all("c")} FROM ${reach}_counted c WHERE c.${id} = ANY(changed)
      ON CONFLICT (${id}) DO UPDATE SET ${columns[kind].map((name) => `${name} = excluded.${name}`).join(", ")}
      WHERE (${all("r")}) IS DISTINCT FROM (${all("excluded")});
    END $$`,
    Comment.onFunction(`${reach}_count(uuid[])`, "Counts these anew")
  ]
}

export const functions: ReadonlyArray<string> = [...functionsOf("contact"), ...functionsOf("firm")]

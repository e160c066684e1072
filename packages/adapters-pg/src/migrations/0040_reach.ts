/**
 * How far people and firms reach: of each, at how many properties, and the narrowest area that holds all of them. So those
 * whom a viewer sees are counted, and paged through, from one narrow row each, and ties are read only of those who are
 * at work on both sides of a border.
 *
 * Triggers keep it with every statement that writes ties. They count anew under a lock of the person or the firm, so that
 * of two who tie something to one of them at once the later counts both.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

interface Kind {
  readonly of: "contact" | "firm"
  /** Which ties count. */
  readonly told: string
  /** Columns beside the counts, each with what it is over the ties. */
  readonly more: ReadonlyArray<readonly [name: string, type: string, made: string, comment: string]>
  readonly comment: string
}

const kinds: ReadonlyArray<Kind> = [
  {
    of: "contact",
    told: "county_fips IS NOT NULL",
    more: [],
    comment: "At how many properties a person is at work, and where; nobody without any"
  },
  {
    of: "firm",
    told: "county_fips IS NOT NULL AND attribution_type NOT IN ('beneficial_research', 'management_research')",
    more: [["roles", "text[]", "array_agg(DISTINCT role)", "Of all these ties"]],
    comment: "At how many properties a firm has a tie that everyone is told of, and where; none without any"
  }
]

const statementsOf = ({ comment, more, of, told }: Kind): ReadonlyArray<string> => {
  const [reach, tie, id] = [`${of}_reach`, `property_${of}`, `${of}_id`]
  const columns = ["properties", "area", "states", ...more.map(([name]) => name)]
  const county = "county_fips COLLATE \"C\""
  const trigger = (event: string, tables: string, changed: string) => [
    `CREATE FUNCTION ${tie}_${event}_reached() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM ${reach}_count(ARRAY(${changed}));
      RETURN NULL;
    END $$`,
    `COMMENT ON FUNCTION ${tie}_${event}_reached() IS 'Keeps ${reach}'`,
    `CREATE TRIGGER reached_${event} AFTER ${event.toUpperCase()} ON ${tie} REFERENCING ${tables}
      FOR EACH STATEMENT EXECUTE FUNCTION ${tie}_${event}_reached()`
  ]
  return [
    `CREATE TABLE ${reach} (
      ${id} uuid PRIMARY KEY REFERENCES ${of} ON DELETE CASCADE,
      properties integer NOT NULL CHECK (properties > 0),
      area text COLLATE "C" NOT NULL,
      states bigint NOT NULL${more.map(([name, type]) => `,\n      ${name} ${type} NOT NULL`).join("")}
    )`,
    `COMMENT ON TABLE ${reach} IS '${comment}'`,
    `COMMENT ON COLUMN ${reach}.area IS 'The county of all of them, or else their state, or else nothing'`,
    `COMMENT ON COLUMN ${reach}.states IS 'The states of all of them, by state_bit'`,
    ...more.map(([name, , , said]) => `COMMENT ON COLUMN ${reach}.${name} IS '${said}'`),
    `CREATE VIEW ${reach}_counted AS SELECT ${id}, count(DISTINCT property_id)::int AS properties,
      CASE WHEN min(${county}) = max(${county}) THEN min(${county})
        WHEN left(min(${county}), 2) = left(max(${county}), 2) THEN left(min(${county}), 2)
        ELSE '' END AS area,
      bit_or(state_bit(county_fips)) AS states${more.map(([name, , made]) => `, ${made} AS ${name}`).join("")}
    FROM ${tie} WHERE ${told} GROUP BY ${id}`,
    `COMMENT ON VIEW ${reach}_counted IS 'What ${reach} holds, counted anew'`,
    `INSERT INTO ${reach} TABLE ${reach}_counted`,
    `CREATE INDEX ${reach}_ordered ON ${reach} (properties DESC, ${id}) INCLUDE (area)`,
    `CREATE INDEX ${reach}_area ON ${reach} (area)`,
    // What the planner does not know of an expression, it takes to be rare.
    `CREATE STATISTICS ${reach}_states ON left(area, 2) FROM ${reach}`,
    `CREATE FUNCTION ${reach}_count(changed uuid[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF changed = '{}' THEN RETURN; END IF;
      PERFORM FROM ${of} WHERE id = ANY(changed) ORDER BY id FOR NO KEY UPDATE;
      DELETE FROM ${reach} r WHERE r.${id} = ANY(changed) AND NOT EXISTS (
        SELECT FROM ${reach}_counted c WHERE c.${id} = r.${id}
      );
      INSERT INTO ${reach} AS r SELECT * FROM ${reach}_counted c WHERE c.${id} = ANY(changed)
      ON CONFLICT (${id}) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(", ")}
      WHERE (${columns.map((name) => `r.${name}`).join(", ")})
        IS DISTINCT FROM (${columns.map((name) => `excluded.${name}`).join(", ")});
    END $$`,
    `COMMENT ON FUNCTION ${reach}_count(uuid[]) IS 'Counts these anew'`,
    ...trigger("insert", "NEW TABLE AS new_ties", `SELECT DISTINCT ${id} FROM new_ties`),
    ...trigger("delete", "OLD TABLE AS old_ties", `SELECT DISTINCT ${id} FROM old_ties`),
    ...trigger(
      "update",
      "OLD TABLE AS old_ties NEW TABLE AS new_ties",
      `SELECT ${id} FROM (TABLE old_ties EXCEPT TABLE new_ties) AS gone
        UNION SELECT ${id} FROM (TABLE new_ties EXCEPT TABLE old_ties) AS come`
    )
  ]
}

const statements: ReadonlyArray<string> = [
  // As coverage/Reach.ts; the codes above 56 are those of five territories, and of nothing.
  `CREATE FUNCTION state_bit(county_fips text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    1::bigint << CASE left(county_fips, 2)
      WHEN '60' THEN 57 WHEN '66' THEN 58 WHEN '69' THEN 59 WHEN '72' THEN 60 WHEN '78' THEN 61
      ELSE CASE WHEN left(county_fips, 2) <= '56' THEN left(county_fips, 2)::int ELSE 62 END END`,
  `COMMENT ON FUNCTION state_bit(text) IS 'A bit for the state of a county; one for all codes that no state has'`,
  ...kinds.flatMap(statementsOf),
  // The ties that are told of only where the property is opened.
  `CREATE INDEX property_firm_researched ON property_firm (county_fips) INCLUDE (firm_id, property_id)
    WHERE county_fips IS NOT NULL AND attribution_type IN ('beneficial_research', 'management_research')`,
  // The orders of browsing by a text.
  `CREATE INDEX contact_by_employer ON contact (lower(employer_name COLLATE "C"), id)`,
  `CREATE INDEX contact_by_title ON contact (lower(title COLLATE "C"), id)`,
  `CREATE INDEX firm_by_name ON firm (lower(name COLLATE "C"), id)`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

/**
 * What people and firms are counted by where many match: how many have each title, kept; and beside the reach of those who are at work in
 * several counties, in which, so that no tie of theirs is looked for.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countedOf, counts, functions } from "../contact/TitleFunctions.ts"
import * as ReachFunctions from "../coverage/ReachFunctions.ts"
import * as KeptCountTables from "../database/KeptCountTables.ts"

const county = `county_fips COLLATE "C"`

const kinds = ["contact", "firm"] as const

/** As migration 40 has them, with the counties. */
const countedReach = (kind: "contact" | "firm", roles: string): string =>
  `CREATE OR REPLACE VIEW ${kind}_reach_counted AS SELECT ${kind}_id, count(DISTINCT property_id)::int AS properties,
    CASE WHEN min(${county}) = max(${county}) THEN min(${county})
      WHEN left(min(${county}), 2) = left(max(${county}), 2) THEN left(min(${county}), 2)
      ELSE '' END AS area,
    bit_or(state_bit(county_fips)) AS states${roles},
    CASE WHEN min(${county}) = max(${county}) THEN NULL ELSE array_agg(DISTINCT county_fips) END AS counties
  FROM property_${kind} WHERE ${ReachFunctions.told[kind]} GROUP BY ${kind}_id`

const columns = `
  area text COLLATE "C" NOT NULL,
  states bigint NOT NULL,
  title text NOT NULL,
  count integer NOT NULL`

const meanings = { area: "As in contact_reach.", states: "As in contact_reach.", title: "As in contact." }

/** Where nobody writes meanwhile: the counties of those whose area is not one county. A cell receives them. */
const gathered = (kind: "contact" | "firm"): string =>
  `CREATE TEMPORARY TABLE ${kind}_counties ON COMMIT DROP AS
    SELECT ${kind}_id, array_agg(DISTINCT county_fips) AS counties FROM property_${kind}
    WHERE ${ReachFunctions.told[kind]} AND cell_name() IS NULL
      AND ${kind}_id IN (SELECT ${kind}_id FROM ${kind}_reach WHERE length(area) < 5)
    GROUP BY ${kind}_id`

/**
 * The guard of a cell refuses even a statement without rows. Were they gathered there, those of whoever the importing installation ties
 * again before it is migrated would stay as they were: without any, the ties are looked at, until it sends all.
 */
const countiesBeside = (kind: "contact" | "firm"): string =>
  `DO $$ BEGIN
    IF cell_name() IS NULL THEN
      UPDATE ${kind}_reach r SET counties = c.counties FROM ${kind}_counties c WHERE c.${kind}_id = r.${kind}_id;
    END IF;
  END $$`

const statements: ReadonlyArray<string> = [
  // In the order in which imports take them. Who writes one of these, and a reach with it, is through before; others wait for the end.
  "LOCK TABLE contact, firm, property_contact, property_firm IN SHARE ROW EXCLUSIVE MODE",
  ...kinds.map(gathered),

  ...KeptCountTables.tables(counts, {
    columns,
    meanings,
    counted: "How many people have the same reach and the same title; none without a title.",
    parts: "How many have each title and reach",
    each: countedOf("contact_reach")
  }),
  ...functions,
  `INSERT INTO title_tally SELECT * FROM title_tally_counted WHERE cell_name() IS NULL ORDER BY area, states, title`,
  `CREATE TRIGGER title_tally AFTER UPDATE OF title ON contact FOR EACH ROW
    WHEN (OLD.title IS DISTINCT FROM NEW.title) EXECUTE FUNCTION contact_retitled()`,

  // From here on who reads reaches waits as well.
  ...kinds.flatMap((kind) => [
    `ALTER TABLE ${kind}_reach ADD COLUMN counties text[]`,
    `COMMENT ON COLUMN ${kind}_reach.counties IS
      'The counties of all of them; null: it is one, or the importing installation does not tell them yet'`,
    countiesBeside(kind)
  ]),
  countedReach("contact", ""),
  countedReach("firm", ", array_agg(DISTINCT role) AS roles"),
  ...ReachFunctions.functions,
  ...KeptCountTables.triggers("title_tally", "contact_reach", "contact_title_tally")
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

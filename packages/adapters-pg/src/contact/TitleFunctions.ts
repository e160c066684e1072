/**
 * SQL functions that keep how many people have the same title and the same reach (`title_tally`), as `database/KeptCounts` does: so those
 * with a part of a title are counted without looking at each.
 *
 * A title is changed by who has the row of the person, whom reaches are written under as well (`coverage/TallyFunctions`).
 */
import * as Comment from "../database/Comment.ts"
import * as KeptCounts from "../database/KeptCounts.ts"

export const counts: KeptCounts.KeptCounts = {
  table: "title_tally",
  key: ["area", "states", "title"],
  changeKey: ["area", "states", "title"],
  added: (changes) => `SELECT area, states, title, count FROM ${changes}`,
  // As in the counts of reaches: hardly two who are at work in several states have the same one.
  after: " DELETE FROM title_tally WHERE count = 0;",
  lock: "freehold title tally"
}

/** What is counted of rows of the table of reaches. */
export const countedOf = (rows: string): string =>
  `SELECT r.area, r.states, c.title FROM ${rows} r JOIN contact c ON c.id = r.contact_id WHERE c.title IS NOT NULL`

/** What is counted of a person's reach by one title, if there are both. */
const ofTitle = (person: string): string =>
  `SELECT r.area, r.states, ${person}.title FROM contact_reach r WHERE r.contact_id = ${person}.id AND ${person}.title IS NOT NULL`

/** The functions of the triggers, by what fires each; those of statements name its rows as they do. */
const triggers: Readonly<Record<string, string>> = {
  ...KeptCounts.ofStatements(counts, "contact_title_tally", countedOf),
  contact_title_tally_truncate: "BEGIN TRUNCATE title_tally, title_tally_change; RETURN NULL; END",
  contact_retitled: KeptCounts.append(
    counts,
    KeptCounts.difference(counts, [[1, ofTitle("NEW")], [-1, ofTitle("OLD")]])
  )
}

/** What somebody is adding at this moment is left to them: nobody is waited for. */
const forget = `CREATE OR REPLACE FUNCTION title_tally_forget(of_title text) RETURNS void LANGUAGE sql AS $$
    WITH kept AS (
      SELECT area, states, count FROM title_tally WHERE title = of_title FOR UPDATE SKIP LOCKED
    ), waiting AS (
      SELECT area, states, count, change_id FROM title_tally_change WHERE title = of_title FOR UPDATE SKIP LOCKED
    ), nobody AS (
      SELECT area, states FROM (
        SELECT area, states, count FROM kept UNION ALL SELECT area, states, count FROM waiting
      ) AS parts GROUP BY area, states HAVING sum(count) = 0
    ), forgotten AS (
      DELETE FROM title_tally WHERE title = of_title
        AND (area, states) IN (SELECT area, states FROM kept JOIN nobody USING (area, states))
    )
    DELETE FROM title_tally_change
    WHERE change_id IN (SELECT change_id FROM waiting JOIN nobody USING (area, states))
  $$`

export const functions: ReadonlyArray<string> = [
  ...KeptCounts.functions(counts, {
    counts: "the counts of titles",
    triggers,
    ofTrigger: "Keeps title_tally"
  }),
  forget,
  Comment.onFunction(
    "title_tally_forget",
    "Removes a title from title_tally and what waits there, wherever nobody has it any more; what somebody adds meanwhile stays theirs."
  )
]

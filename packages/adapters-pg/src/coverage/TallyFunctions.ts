/**
 * SQL functions that keep how many people and firms have the same reach and the same roles (`reach_tally`), as
 * `database/KeptCounts` does: so a browse of all of them, or of a role, is counted without looking at each.
 *
 * Reaches are written by who has locked the person or the firm (migration 40), and a role is changed by who has the row; so the role
 * that is read with a reach is that with which it was counted.
 */
import * as KeptCounts from "../database/KeptCounts.ts"

/** Whose reaches they are. */
export type Kind = "contact" | "firm"

export const counts: KeptCounts.KeptCounts = {
  table: "reach_tally",
  key: ["kind", "area", "states", "roles"],
  changeKey: ["kind", "area", "states", "roles"],
  added: (changes) => `SELECT kind, area, states, roles, count FROM ${changes}`,
  // Of those who are at work in several states hardly two have the same reach, so that one is left with every step of theirs.
  after: " DELETE FROM reach_tally WHERE count = 0;",
  lock: "freehold reach tally"
}

/** What is counted of the reach `r` of a person whose role is the expression. */
const ofPerson = (role: string): string =>
  `'contact' AS kind, r.area, r.states, array_remove(ARRAY[${role}], NULL) AS roles`

/** What is counted of rows of the table of reaches. */
export const countedOf = (kind: Kind, rows: string): string =>
  kind === "contact"
    ? `SELECT ${ofPerson("c.role_type")} FROM ${rows} r JOIN contact c ON c.id = r.contact_id`
    : `SELECT 'firm' AS kind, r.area, r.states, r.roles FROM ${rows} r`

const triggersOf = (kind: Kind): Readonly<Record<string, string>> => ({
  ...KeptCounts.ofStatements(counts, `${kind}_reach_tally`, (rows) => countedOf(kind, rows)),
  [`${kind}_reach_tally_truncate`]:
    `BEGIN DELETE FROM reach_tally WHERE kind = '${kind}'; DELETE FROM reach_tally_change WHERE kind = '${kind}'; RETURN NULL; END`
})

/** The functions of the triggers, by what fires each; those of statements name its rows as they do. */
const triggers: Readonly<Record<string, string>> = {
  ...triggersOf("contact"),
  ...triggersOf("firm"),
  contact_role_tally: KeptCounts.append(
    counts,
    KeptCounts.difference(counts, [
      [1, `SELECT ${ofPerson("NEW.role_type")} FROM contact_reach r WHERE r.contact_id = NEW.id`],
      [-1, `SELECT ${ofPerson("OLD.role_type")} FROM contact_reach r WHERE r.contact_id = OLD.id`]
    ])
  )
}

export const functions = KeptCounts.functions(counts, {
  counts: "the counts of reaches",
  triggers,
  ofTrigger: "Keeps reach_tally"
})

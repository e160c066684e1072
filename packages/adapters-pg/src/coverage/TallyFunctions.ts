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

const counts: KeptCounts.KeptCounts = {
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

/** Rows that are gone and rows that came, each so often. */
const difference = (parts: ReadonlyArray<readonly [times: number, rows: string]>): string => `
  SELECT kind, area, states, roles, sum(times) FROM (
    ${parts.map(([times, rows]) => `SELECT ${times} AS times, part.* FROM (${rows}) AS part`).join(" UNION ALL ")}
  ) AS parts GROUP BY kind, area, states, roles HAVING sum(times) <> 0`

/** The functions of the triggers, by what fires each; those of statements name its rows as they do. */
const triggers: Readonly<Record<string, string>> = {
  ...Object.fromEntries((["contact", "firm"] as const).flatMap((kind) => {
    const [come, gone] = [[1, countedOf(kind, "come")], [-1, countedOf(kind, "gone")]] as const
    return [
      [`${kind}_reach_tally_insert`, KeptCounts.append(counts, difference([come]))],
      [`${kind}_reach_tally_delete`, KeptCounts.append(counts, difference([gone]))],
      [`${kind}_reach_tally_update`, KeptCounts.append(counts, difference([come, gone]))],
      [
        `${kind}_reach_tally_truncate`,
        `BEGIN DELETE FROM reach_tally WHERE kind = '${kind}'; DELETE FROM reach_tally_change WHERE kind = '${kind}'; RETURN NULL; END`
      ]
    ]
  })),
  contact_role_tally: KeptCounts.append(
    counts,
    difference([
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

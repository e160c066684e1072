/**
 * The rows of a page of a search, by their ids, and who reads them.
 *
 * They are found in the same way whatever the ids, so a connection plans that once, and a search plans its own part alone, which
 * depends on its values.
 *
 * *Gotchas.* Indexes alone are looked into, so that a plan made while the tables were small is as good once they are large. What
 * a row has more or less, or of another type, takes a function of another name: servers of the version before call theirs.
 */
import * as Comment from "../database/Comment.ts"
import { compactColumns, type Expressions, fullColumns, type SummaryColumns } from "./PropertyRowPg.ts"

const flags: ReadonlySet<string> = new Set(["hasManagementCompany", "hasBeneficialOwner", "unlocked"])

/** Times are written as text, as the API shows them. */
const typeOf = (name: string, expression: string): string => {
  if (/^p\.\w+$/.test(expression)) return `${expression.replace("p.", "property.")}%TYPE`
  return flags.has(name) ? "boolean" : name === "lotSqft" ? "double precision" : "text"
}

const resultOf = (expressions: Expressions): string =>
  Object.entries(expressions).map(([name, expression]) => `"${name}" ${typeOf(name, expression)}`).join(", ")

/** The function that reads rows of these columns. */
export const nameOf = (columns: SummaryColumns): string =>
  columns === fullColumns ? "property_page_full" : "property_page_compact"

const functionOf = (columns: SummaryColumns): ReadonlyArray<string> => [
  `CREATE OR REPLACE FUNCTION ${nameOf(columns)}(p_ids uuid[], p_org text)
  RETURNS TABLE (place integer, ${resultOf(columns.expressions)})
  LANGUAGE plpgsql STABLE PARALLEL SAFE ROWS 50
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off
  SET plan_cache_mode = force_generic_plan AS $$
  #variable_conflict use_column
  BEGIN
    RETURN QUERY
    SELECT asked.place::integer, ${Object.values(columns.expressions).join(", ")}
    FROM (SELECT p_org AS org_id) AS reader
    CROSS JOIN unnest(p_ids) WITH ORDINALITY AS asked (id, place)
    JOIN property p ON p.id = asked.id
    LEFT JOIN property_research r ON r.property_id = p.id;
  END $$`,
  Comment.onFunction(
    nameOf(columns),
    `
    The rows of a page of a search as the organization sees them, each with its place among the ids; an id that no property
    has is passed over. core PropertySummary.
  `
  )
]

export const functions: ReadonlyArray<string> = [compactColumns, fullColumns].flatMap(functionOf)

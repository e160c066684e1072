/**
 * The laws of research: what was charged is what was delivered, each as one statement that finds what breaks it.
 *
 * Together they say that the charges of research less their refunds are the prices of what was delivered or is still
 * being worked on.
 */
import { ResearchAction, subjectTypes } from "@freehold/core/research/ResearchRun"
import type { Law } from "./Law.ts"

const actions = ResearchAction.literals.map((action) => `('${action}', '${subjectTypes[action]}')`)
  .join(", ")

export const researchLaws: ReadonlyArray<Law> = [
  {
    law: "S1",
    title: "Each charge for research is that of one item of a run, and each item has its charge",
    statement: `
      SELECT coalesce(c.org_id, i.org_id), coalesce('entry ' || c.entry, 'item ' || i.id), CASE
          WHEN i.id IS NULL THEN 'charges for research that nobody launched'
          WHEN c.entry IS NULL THEN format('has no charge %s', i.charge_entry)
          WHEN i.items > 1 THEN format('is the charge of %s items', i.items)
          ELSE format('charges for %s of %s; its item is %s of %s', c.action, c.subject_id, i.action, i.subject_id)
        END
      FROM (
        SELECT e.* FROM credit_entry e
        WHERE e.kind = 'charge' AND e.subject_type <> 'own'
          AND e.action IN (SELECT a.action FROM (VALUES ${actions}) AS a (action, subject_type))
      ) c
      FULL JOIN (
        SELECT *, count(*) OVER (PARTITION BY org_id, charge_entry) AS items FROM research_item
      ) i ON i.org_id = c.org_id AND i.charge_entry = c.entry
      LEFT JOIN (VALUES ${actions}) AS a (action, subject_type) ON a.action = i.action
      WHERE (i.items = 1 AND c.action = i.action AND c.subject_id = i.subject_id::text AND c.subject_type = a.subject_type)
        IS NOT TRUE`
  },
  {
    // A charge may be given back by an operator whatever became of its item.
    law: "S2",
    title: "What failed is given back",
    statement: `
      SELECT i.org_id, 'item ' || i.id, format('failed (%s) and its charge %s stands', i.reason, i.charge_entry)
      FROM research_item i
      LEFT JOIN credit_entry r ON r.org_id = i.org_id AND r.refund_of = i.charge_entry AND r.kind = 'refund'
      WHERE i.state = 'failed' AND r.entry IS NULL`
  },
  {
    law: "S3",
    title: "A run ends with its last item, and a subject is researched once at a time",
    statement: `
      SELECT r.org_id, 'run ' || r.id, format('%s of its %s items are active and it is %s', i.active, i.items,
        CASE WHEN r.finished_at IS NULL THEN 'not ended' ELSE 'ended' END)
      FROM research_run r
      LEFT JOIN (
        SELECT org_id, run_id, count(*) AS items, count(*) FILTER (WHERE state IN ('queued', 'running')) AS active
        FROM research_item GROUP BY org_id, run_id
      ) i ON i.org_id = r.org_id AND i.run_id = r.id
      WHERE (i.items > 0 AND (i.active > 0) = (r.finished_at IS NULL)) IS NOT TRUE
      UNION ALL
      SELECT org_id, action || ' of ' || subject_id, format('is worked on %s times at once', count(*))
      FROM research_item WHERE state IN ('queued', 'running')
      GROUP BY org_id, action, subject_id, property_id HAVING count(*) > 1
      UNION ALL
      SELECT NULL, 'property ' || subject_id, format('is researched %s times at once', count(*))
      FROM research_item WHERE state IN ('queued', 'running') AND action = 'research_property'
      GROUP BY subject_id HAVING count(*) > 1`
  }
]

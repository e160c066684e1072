/**
 * Records what loading records found to have changed (`FoundChange` in core), and takes back what does not stand any more.
 *
 * It is part of the load's transaction: a change is recorded exactly where the record itself changed, and so once.
 */
import type { Change } from "@freehold/core/change/Changes"
import { found, type FoundKind, type Standing, takesBack, type Watched } from "@freehold/core/change/FoundChange"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { textArray } from "../database/BulkWrite.ts"

/** A record that was stored and changed. */
export interface Loaded {
  readonly id: string
  /** It was merged into another one, whose own record tells what changed; what it told itself it still takes back. */
  readonly retired?: boolean
  readonly before: Watched
  readonly after: Watched
}

interface LastRow extends Standing {
  readonly id: string
  readonly subject: string
  /** That of the last one of all. */
  readonly number: number
  readonly withdrawn: boolean
}

interface Line {
  /** Up to its number, where it has one. */
  readonly key: string
  readonly number: string | null
  readonly kind: string
  readonly subject: string | null
  readonly before: string | null
  readonly after: string | null
  readonly withdraws: string | null
}

const placeOf = (subject: string, kind: FoundKind): string => `${kind}:${subject}`

/** A change stays with the record that told of it, also where a merge moved it to the survivor: its key names the record. */
const about = { property: "c.property_id IN (s.id, s.retired_into)", contact: "c.contact_id = s.id" }

/** Of each subject and kind the last change that was found and stands, or the last one where none stands; and how many there were. */
const lastOf = Effect.fnUntraced(function*(subject: "property" | "contact", ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<LastRow>`
    SELECT DISTINCT ON (subject, kind) id, subject, kind, before, after, withdrawn,
      max(number) OVER (PARTITION BY subject, kind) AS number
    FROM (
      SELECT c.id::text AS id, s.id::text AS subject, c.kind, c.before, c.after,
        substring(c.key FROM '^found:[a-z_]+:[0-9a-f-]{36}:([0-9]{1,9})$')::integer AS number,
        EXISTS (SELECT FROM property_change w WHERE w.withdraws = c.id) AS withdrawn
      FROM ${sql(subject)} s JOIN property_change c ON ${sql.literal(about[subject])}
      WHERE s.id = ANY(${textArray(ids)}::uuid[]) AND starts_with(c.key, concat('found:', c.kind, ':', s.id, ':'))
    ) AS c
    WHERE number IS NOT NULL
    ORDER BY subject, kind, withdrawn, c.number DESC`
  return new Map(rows.map((row) => [placeOf(row.subject, row.kind), row]))
})

const linesOf = (
  { after, before, id, retired = false }: Loaded,
  last: ReadonlyMap<string, LastRow>
): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  const returned = new Set<FoundKind>()
  for (const each of found(before, after)) {
    const previous = last.get(placeOf(id, each.kind))
    if (each._tag === "Left") {
      if (previous === undefined || previous.withdrawn || !takesBack(each, previous)) continue
      returned.add(each.kind)
      lines.push({
        key: `found:withdrawn:${previous.id}`,
        number: null,
        kind: "withdrawn",
        subject: null,
        before: null,
        after: null,
        withdraws: previous.id
      })
    } else if (!retired && !returned.has(each.kind)) {
      lines.push({
        key: `found:${each.kind}:${id}:`,
        number: String((previous?.number ?? 0) + 1),
        kind: each.kind,
        subject: id,
        before: JSON.stringify(each.before),
        after: JSON.stringify(each.after),
        withdraws: null
      })
    }
  }
  return lines
}

/** Of records of one kind that a load has just changed. */
export const record = Effect.fnUntraced(function*(
  subject: "property" | "contact",
  source: Change["source"],
  loaded: ReadonlyArray<Loaded>
) {
  const moved = loaded.filter(({ after, before }) => found(before, after).length > 0)
  if (moved.length === 0) return
  const sql = yield* SqlClient.SqlClient
  const last = yield* lastOf(subject, moved.map(({ id }) => id))
  const lines = moved.flatMap((each) => linesOf(each, last))
  if (lines.length === 0) return
  yield* sql`
    INSERT INTO property_change (id, key, kind, ${
    sql.literal(`${subject}_id`)
  }, before, after, detected_at, effective_date,
      source, withdraws)
    SELECT gen_random_uuid(),
      CASE WHEN number IS NULL THEN line.key ELSE (
        /* What stays with a former survivor has its number, too. */
        SELECT line.key || n FROM generate_series(number, number + 999) AS n
        WHERE (SELECT x.id FROM property_change x WHERE x.key = line.key || n) IS NULL LIMIT 1
      ) END,
      kind, subject::uuid, before::jsonb, after::jsonb, now(), (after::jsonb ->> 'date')::date,
      ${source}, withdraws::uuid
    FROM unnest(
      ${textArray(lines.map(({ key }) => key))}, ${textArray(lines.map(({ number }) => number))}::int[],
      ${textArray(lines.map(({ kind }) => kind))},
      ${textArray(lines.map(({ subject }) => subject))}, ${textArray(lines.map(({ before }) => before))},
      ${textArray(lines.map(({ after }) => after))}, ${textArray(lines.map(({ withdraws }) => withdraws))}
    ) AS line (key, number, kind, subject, before, after, withdraws)`
})

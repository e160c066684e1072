/**
 * A schema as lines that can be compared: what a dump would say, without the order of columns, the comments, and the names
 * that PostgreSQL gave to checks and foreign keys.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const queries: ReadonlyArray<string> = [
  `SELECT 'extension ' || extname FROM pg_extension WHERE extname <> 'plpgsql'`,
  `SELECT format('table %s persistence %s options %s', c.relname, c.relpersistence, (SELECT array_agg(o ORDER BY o) FROM unnest(c.reloptions) o))
   FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`,
  `SELECT format('column %s.%s %s %s default %s generated %s identity %s collation %s storage %s statistics %s options %s', c.relname, a.attname,
     format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'not null' ELSE 'null' END,
     pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attidentity, a.attcollation::regcollation, a.attstorage, a.attstattarget, a.attoptions)
   FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND a.attnum > 0 AND NOT a.attisdropped`,
  `SELECT format('constraint on %s %s %s', o.conrelid::regclass, CASE WHEN o.contype IN ('p', 'u', 'x') THEN o.conname END, pg_get_constraintdef(o.oid))
   FROM pg_constraint o WHERE o.connamespace = 'public'::regnamespace AND o.conrelid <> 0 AND o.contype <> 'n'`,
  `SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 'public'::regnamespace`,
  `SELECT pg_get_triggerdef(t.oid) || ' enabled ' || t.tgenabled::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
   WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal`,
  `SELECT regexp_replace(pg_get_functiondef(p.oid), '\\s+', ' ', 'g') FROM pg_proc p
   WHERE p.pronamespace = 'public'::regnamespace AND p.prokind IN ('f', 'p')
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  `SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext WHERE stxnamespace = 'public'::regnamespace`,
  `SELECT format('view %s %s', viewname, definition) FROM pg_views WHERE schemaname = 'public'`,
  `SELECT format('sequence %s %s', sequencename, data_type) FROM pg_sequences WHERE schemaname = 'public'`,
  `SELECT format('type %s %s', t.typname, (SELECT string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid))
   FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype IN ('e', 'd')`,
  `SELECT 'privileges ' || relname || ' ' || relacl::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relacl IS NOT NULL`
]

export const lines = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const found = yield* Effect.forEach(queries, (query) => sql.unsafe<Record<string, string>>(query))
  return found.flat().flatMap((row) => Object.values(row)).filter((line) => !line.includes("freehold_migration")).sort()
})

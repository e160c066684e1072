/**
 * What a program relies on in a schema, and what of it another schema does not keep.
 *
 * A program that knows the schema `before` goes on working with `after` when it finds every table, view, column and function
 * as it was, and when nothing new stands in the way of the rows that it writes. What functions and triggers do inside is not
 * looked at.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Facts by their name: as long as each is the same, or is one that may come, nothing is lost. */
export interface Catalogue {
  /** Tables and views. */
  readonly relations: ReadonlySet<string>
  /** `table.column`, with type and whether a row may leave it out. */
  readonly columns: ReadonlyMap<string, { readonly type: string; readonly optional: boolean }>
  /** `table: definition` of what rows have to fulfil. */
  readonly constraints: ReadonlySet<string>
  /** Name, arguments and result. */
  readonly functions: ReadonlySet<string>
}

export const read = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const relations = yield* sql<{ readonly name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')`
  const columns = yield* sql<{ readonly name: string; readonly type: string; readonly optional: boolean }>`
    SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
      NOT a.attnotnull OR a.atthasdef OR a.attidentity <> '' AS optional
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND a.attnum > 0
      AND NOT a.attisdropped`
  const constraints = yield* sql<{ readonly fact: string }>`
    SELECT c.relname || ': ' || pg_get_constraintdef(o.oid) AS fact
    FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
    WHERE c.relnamespace = 'public'::regnamespace AND o.contype IN ('c', 'f', 'p', 'u', 'x')
    UNION ALL
    SELECT c.relname || ': ' || regexp_replace(pg_get_indexdef(i.indexrelid), ' INDEX \\S+ ', ' INDEX ')
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE c.relnamespace = 'public'::regnamespace AND i.indisunique`
  const functions = yield* sql<{ readonly fact: string }>`
    SELECT p.proname || '(' || pg_get_function_arguments(p.oid) || ') ' || pg_get_function_result(p.oid) AS fact
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prorettype <> 'trigger'::regtype
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`
  const catalogue: Catalogue = {
    relations: new Set(relations.map(({ name }) => name)),
    columns: new Map(columns.map(({ name, ...column }) => [name, column])),
    constraints: new Set(constraints.map(({ fact }) => fact)),
    functions: new Set(functions.map(({ fact }) => fact))
  }
  return catalogue
})

/** Of a key or a unique index: its table, and the columns of which there is one row each; none for other facts. */
const uniqueOf = (fact: string): { readonly table: string; readonly columns: ReadonlySet<string> } | undefined => {
  const [, table, columns] =
    /^([^:]+): (?:PRIMARY KEY|UNIQUE|CREATE UNIQUE INDEX ON .* USING btree) \(([^()]+)\)$/.exec(fact) ?? []
  return table === undefined || columns === undefined ? undefined : { table, columns: new Set(columns.split(", ")) }
}

/** Whether rows that fulfil what is demanded already fulfil the fact as well: it is unique with more columns. */
const isDemanded = (fact: string, already: ReadonlySet<string>): boolean => {
  const unique = uniqueOf(fact)
  return unique !== undefined && [...already].some((before) => {
    const stricter = uniqueOf(before)
    return stricter?.table === unique.table && [...stricter.columns].every((column) => unique.columns.has(column))
  })
}

const tableOf = (name: string): string => /^[^.:]+/.exec(name)?.[0] ?? name

/** What a program that knows `before` would miss or stumble over in `after`, in words. */
export const losses = (before: Catalogue, after: Catalogue): ReadonlyArray<string> => {
  const known = ({ name }: { readonly name: string }) => before.relations.has(tableOf(name))
  const gone = (what: string, was: ReadonlySet<string>, is: ReadonlySet<string>) =>
    [...was].filter((name) => !is.has(name)).map((name) => `${what} ${name} is gone`)
  const retyped = [...before.columns].flatMap(([name, { optional, type }]) => {
    const now = after.columns.get(name)
    if (now === undefined) return before.relations.has(tableOf(name)) ? [`column ${name} is gone`] : []
    return [
      ...now.type === type ? [] : [`column ${name} was ${type} and is ${now.type}`],
      ...optional && !now.optional ? [`column ${name} could be left out`] : []
    ]
  })
  const demanded = [...after.columns]
    .filter(([name, { optional }]) => known({ name }) && !before.columns.has(name) && !optional)
    .map(([name]) => `column ${name} is new and must be filled`)
  const bound = [...after.constraints]
    .filter((fact) => known({ name: fact }) && !before.constraints.has(fact) && !isDemanded(fact, before.constraints))
    .map((fact) => `rows have to fulfil what is new: ${fact}`)
  return [
    ...gone("table", before.relations, after.relations),
    ...retyped,
    ...demanded,
    ...bound,
    ...gone("function", before.functions, after.functions)
  ]
}

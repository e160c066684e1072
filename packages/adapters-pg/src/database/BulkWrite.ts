/**
 * Many rows into a table with one statement: new ones are inserted, stored ones changed where they differ.
 *
 * Values travel as arrays of text, one a column, and are cast by the server; so a statement's text depends on its
 * columns alone and is prepared once.
 */
import { PgTypes } from "@effect/sql-pg"
import type { FieldValue } from "@freehold/core/import/FieldCheck"
import { Effect, Result } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

export interface Column {
  readonly name: string
  /** The SQL type that the text is cast to. */
  readonly type: string
}

/** Texts, some or all null, as a parameter of type `text[]`. */
export const textArray = (texts: ReadonlyArray<string | null>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(texts, PgTypes.OID.text))

/** A text array as a literal. */
const arrayLiteral = (texts: ReadonlyArray<string>): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`

const isTexts = (value: FieldValue): value is ReadonlyArray<string> => Array.isArray(value)

export const encode = (value: FieldValue | null): string | null => {
  if (value === null || typeof value === "string") return value
  if (typeof value === "object") return isTexts(value) ? arrayLiteral(value) : JSON.stringify(value)
  return String(value)
}

/** `buildingSqft` to `building_sqft`. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export interface Target {
  readonly table: string
  /** The column that tells the rows apart. */
  readonly id: string
  /** Set to the time of the transaction when a stored row changes. */
  readonly touched: string | null
}

/** Columns that identify a row are never changed; what it refers to may be. */
const changeable = ({ id }: Target, columns: ReadonlyArray<Column>): ReadonlyArray<string> =>
  columns.map(({ name }) => name).filter((name) => name !== id && name !== "id" && name !== "key")

const given = (columns: ReadonlyArray<Column>): string => `
  SELECT ${columns.map(({ name, type }) => `${name}::${type}`).join(", ")}
  FROM unnest(${columns.map((_, index) => `$${index + 1}::text[]`).join(", ")})
    AS texts (${columns.map(({ name }) => name).join(", ")})`

const insertion = ({ table }: Target, columns: ReadonlyArray<Column>): string =>
  `INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")}) ${given(columns)}`

/** The version of a stored row, as `xmin` has it. */
const versionColumn: Column = { name: "version", type: "xid" }

/** Not an upsert: that would lock, and so write, each row that is equal already. */
const change = (target: Target, columns: ReadonlyArray<Column>, versioned: boolean): string => {
  const { id, table, touched } = target
  const names = changeable(target, columns)
  const values = (source: string) => names.map((name) => `${source}.${name}`).join(", ")
  const touch = touched === null ? "" : `, ${touched} = now()`
  return `
    UPDATE ${table} AS stored SET ${names.map((name) => `${name} = given.${name}`).join(", ")}${touch}
    FROM (${given(versioned ? [...columns, versionColumn] : columns)}) AS given
    WHERE stored.${id} = given.${id}${versioned ? " AND stored.xmin = given.version" : ""} AND ROW(${
    values("stored")
  }) IS DISTINCT FROM ROW(${values("given")})
    RETURNING stored.${id}::text AS id`
}

export interface Write {
  /** The same array, or one of the same columns, for all rows that are alike. */
  readonly columns: ReadonlyArray<Column>
  readonly texts: ReadonlyArray<string | null>
  /** The row is in the table already. */
  readonly stored: boolean
  readonly id: string
  /** `xmin` of the stored row that the write was made from: one that somebody changed since is left alone. */
  readonly version?: string | undefined
}

/** The ids of the rows that had an effect; a stored row that was equal already is not among them. */
export interface Written {
  readonly inserted: ReadonlyArray<string>
  readonly updated: ReadonlyArray<string>
}

const sameColumns = (a: Write, b: Write): boolean =>
  a.stored === b.stored && (a.version === undefined) === (b.version === undefined) &&
  a.columns.length === b.columns.length &&
  a.columns.every(({ name }, index) => name === b.columns[index]?.name)

/** Rows that one statement can write. Rows of one source mostly have the same columns as the row before. */
const alike = (writes: ReadonlyArray<Write>): ReadonlyArray<ReadonlyArray<Write>> => {
  const groups: Array<Array<Write>> = []
  let last: Array<Write> | undefined
  for (const write of writes) {
    if (last?.[0] === undefined || !sameColumns(last[0], write)) {
      last = groups.find(([first]) => first !== undefined && sameColumns(first, write))
      if (last === undefined) groups.push(last = [])
    }
    last.push(write)
  }
  return groups
}

/**
 * Writes the rows. No row stands twice among them, and the caller holds whatever keeps others from inserting the same
 * ones.
 */
export const write = Effect.fnUntraced(function*(
  target: Target,
  writes: ReadonlyArray<Write>
): Effect.fn.Return<Written, SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const inserted: Array<string> = []
  const updated: Array<string> = []
  for (const group of alike(writes)) {
    const [first] = group
    if (first === undefined) continue
    const { columns } = first
    const texts = columns.map((_, index) => textArray(group.map((row) => row.texts[index] ?? null)))
    const versioned = first.version !== undefined
    if (versioned) texts.push(textArray(group.map(({ version }) => version ?? null)))
    if (!first.stored) {
      yield* sql.unsafe(insertion(target, columns), texts)
      for (const { id } of group) inserted.push(id)
    } else if (changeable(target, columns).length > 0) {
      for (const { id } of yield* sql.unsafe<{ readonly id: string }>(change(target, columns, versioned), texts)) {
        updated.push(id)
      }
    }
  }
  return { inserted, updated }
})

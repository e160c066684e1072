/** What a table, a column or a function means, said in the database itself. `docs/schema.md` is made of it. */

const literal = (text: string): string => `'${text.trim().replaceAll(/\s+/g, " ").replaceAll("'", "''")}'`

/** What the table holds, and what those of its columns mean that do not say so by their names. */
export const onTable = (
  table: string,
  meaning: string,
  columns: Readonly<Record<string, string>> = {}
): ReadonlyArray<string> => [
  `COMMENT ON TABLE ${table} IS ${literal(meaning)}`,
  ...Object.entries(columns).map(([column, told]) => `COMMENT ON COLUMN ${table}.${column} IS ${literal(told)}`)
]

/** What the function promises to who calls it. */
export const onFunction = (name: string, contract: string): string =>
  `COMMENT ON FUNCTION ${name} IS ${literal(contract)}`

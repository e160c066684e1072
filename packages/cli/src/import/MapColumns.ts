/** The columns that a map names, against those that a file or a portal has. */

/**
 * Why rows of these columns cannot be read, as what follows the name of the file; undefined: they can. `has`: whether they have a
 * column; `hintOf`: what follows where the first one is missing.
 */
export const columnFault = (
  named: ReadonlySet<string>,
  columns: ReadonlyArray<string>,
  has: (column: string) => boolean,
  hintOf: (column: string) => string
): string | undefined => {
  const missing = [...named].filter((column) => !has(column))
  if (missing[0] !== undefined) {
    const names = missing.map((column) => JSON.stringify(column)).join(", ")
    return `has no column ${names}, which the map names${hintOf(missing[0])}`
  }
  const ambiguous = [...named].find((column) => columns.indexOf(column) !== columns.lastIndexOf(column))
  return ambiguous === undefined ? undefined : `has two columns ${JSON.stringify(ambiguous)}, which the map names`
}

/** What the cells of a column look like, and how a map reads them. */
import type { Schema } from "effect"

const number = /^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/
const amount = /^\$ ?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/
const isoDay = /^\d{4}-\d{2}-\d{2}/
const slashed = /^(\d{1,2})\/(\d{1,2})\/\d{4}(?=$|\s)/

/** A whole or a decimal number, with or without thousands separators. */
export const isNumber = (cell: string): boolean => number.test(cell)

/** A number from `-most` to `most`. */
export const isWithin = (most: number) => (cell: string): boolean => isNumber(cell) && Math.abs(Number(cell)) <= most

/** A number, or US dollars such as `$4,200,000`. */
export const isMoney = (cell: string): boolean => isNumber(cell) || amount.test(cell)

/** A day that a map can read: `2019-03-14` or `3/14/2019`, with or without a time behind it. */
export const isDay = (cell: string): boolean => isoDay.test(cell) || slashed.test(cell)

/** How whole numbers are read from a column of them; of amounts in dollars the number alone is. */
export const wholeNumber = (column: string, cells: ReadonlyArray<string>): { readonly [key: string]: Schema.Json } => ({
  column,
  ...cells.some((cell) => amount.test(cell)) ? { match: "^\\$? ?(.*)$" } : {},
  type: "integer",
  ...cells.some((cell) => cell.includes(".")) ? { round: true } : {}
})

/** The order of a slashed day: US sources write the month first, and one above 12 is none. */
const orderOf = (cells: ReadonlyArray<string>): string =>
  cells.some((cell) => Number(slashed.exec(cell)?.[1] ?? 0) > 12) ? "DD/MM/YYYY" : "MM/DD/YYYY"

/** How days are read from a column of them. */
export const day = (column: string, cells: ReadonlyArray<string>): Schema.Json => {
  if (cells.some((cell) => isoDay.test(cell))) return { column, match: "^(\\d{4}-\\d{2}-\\d{2})" }
  const withTime = cells.some((cell) => /\s/.test(cell))
  return {
    column,
    ...withTime ? { match: "^(\\d{1,2}/\\d{1,2}/\\d{4})" } : {},
    dateFormat: orderOf(cells)
  }
}

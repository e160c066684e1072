/**
 * Rows of counties whose code is a former one: how many came of each, and what is said of them. They keep their code
 * (docs/decisions/0062-codes-of-former-counties.md).
 */
import { Number, Record } from "effect"
import { codesNow } from "./FormerCounties.ts"

/** So many are named, of most rows first. */
const toldCounties = 5

/** How many rows there are of each former county. */
export type FormerCountyRows = Readonly<Record<string, number>>

export const none: FormerCountyRows = {}

/** Those of former counties among the codes of rows; a row without a code is of none. */
export const count = (codes: Iterable<unknown>): FormerCountyRows => {
  const rows = new Map<string, number>()
  for (const fips of codes) {
    if (typeof fips === "string" && codesNow(fips).length > 0) rows.set(fips, (rows.get(fips) ?? 0) + 1)
  }
  return Object.fromEntries(rows)
}

export const sum = (left: FormerCountyRows, right: FormerCountyRows): FormerCountyRows =>
  Record.union(left, right, Number.sum)

/** Areas and licences go by code, so whoever has the present one alone does not see these rows. null: there are none. */
export const told = (rows: FormerCountyRows): string | null => {
  const named = Object.entries(rows).sort(([, left], [, right]) => right - left).map(([fips, rows]) => {
    const now = codesNow(fips)
    const codes = now.length > 2 ? `divided among ${now.length} others` : now.join(" and ")
    return `${fips} (${rows} ${rows === 1 ? "row" : "rows"}; now ${codes})`
  })
  if (named.length === 0) return null
  const more = named.length - toldCounties
  return `of former counties: ${named.slice(0, toldCounties).join("; ")}${more > 0 ? `; and ${more} more` : ""}. `
    + "Rows keep the code that they come with: areas and licences that are to have them name it as well"
}

/** The same as a sentence. */
export const noted = (rows: FormerCountyRows): string | null => {
  const which = told(rows)
  return which === null ? null : `Rows ${which}.`
}

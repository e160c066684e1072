/**
 * How the rows of a search are ordered: the rules that every adapter of `PropertySearch` follows.
 *
 * Text is ordered by code point with A to Z taken as a to z, independently of any locale, so that a page ends at the same
 * row on every machine. Numbers and dates without a value come last in both directions; text without a value counts as
 * the highest. Ties are broken by id, ascending, in both directions.
 */
import { compareText } from "../operation/TextOrder.ts"
import type { RangeField, Sort, SortColumn } from "./PropertySearch.ts"

/** `date` is a day, `time` an instant. */
export type OrderKind = "text" | "number" | "date" | "time"

export const sortKinds: Readonly<Record<SortColumn, OrderKind>> = {
  commonName: "text",
  lotSqft: "number",
  buildingSqft: "number",
  totalUnits: "number",
  contactCount: "number",
  landscapableSqft: "number",
  roofAreaSqft: "number",
  footprintArea: "number",
  yearBuilt: "number",
  numFloors: "number",
  ownerName: "text",
  totalParval: "number",
  updatedAt: "time",
  lastEnrichedAt: "time",
  lastSaleDate: "date",
  rawAddress: "text",
  city: "text",
  recordOwner: "text"
}

/** Bounds of times are instants of whole milliseconds, as times are shown. */
export const rangeKinds: Readonly<Record<RangeField, Exclude<OrderKind, "text">>> = {
  buildingSqft: "number",
  lotSqft: "number",
  roofAreaSqft: "number",
  landscapableSqft: "number",
  footprintArea: "number",
  yearBuilt: "number",
  effectiveYearBuilt: "number",
  numFloors: "number",
  totalUnits: "number",
  contactCount: "number",
  totalParval: "number",
  lastSaleDate: "date",
  updatedAt: "time",
  lastEnrichedAt: "time"
}

/** Whether rows without a value come before the others. */
export const nullsFirst = (sort: Sort): boolean => sortKinds[sort.column] === "text" && sort.direction === "desc"

/** The order of the counts of categories: the most frequent first, then by name, without one last. */
export const compareCategories = (
  left: { readonly category: string | null; readonly count: number },
  right: { readonly category: string | null; readonly count: number }
): number =>
  right.count - left.count || Number(left.category === null) - Number(right.category === null) ||
  compareText(left.category ?? "", right.category ?? "")

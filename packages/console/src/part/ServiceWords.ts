/** The service's own names inside of sentences, in the words of the page. */
import { filterWords } from "../search/FilterTable.ts"
import { word } from "./Wording.ts"

const labels = new Map(Object.entries(filterWords).map(([name, { label }]) => [name, label] as const))

/** `filters.maxYearBuilt` as the filter is called, `deal_value` as `Deal value`. */
export const fieldName = (field: string): string => {
  const last = field.split(".").findLast((part) => !/^\d+$/.test(part)) ?? field
  return labels.get(last) ??
    word(last.replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`))
}

const names = /\b[a-z]+(?:[A-Z][a-z]+)+\b|\b[a-z]+(?:_[a-z]+)+\b/g

export const inPageWords = (sentence: string): string => sentence.replace(names, (name) => `“${fieldName(name)}”`)

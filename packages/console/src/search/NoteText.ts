/**
 * Why a search finds nothing and what would find something: the note of the answer, which is written for programs too, as it
 * is said to people.
 */
import { fieldName, inPageWords } from "../part/ServiceWords.ts"
import { joined } from "../part/Wording.ts"
import { chipText, filterNames } from "./FilterTable.ts"
import { filtersOf } from "./SearchUrl.ts"

/** Values are said as they are. */
const noLabels: ReadonlyMap<string, string> = new Map()

/** What only a program can do. */
const forPrograms = /\bservice_|\bcount_only\b/

/** null: they are no filters, such as words that somebody searched for. */
const filtersSaid = (json: string): string | null => {
  try {
    const filters = filtersOf(JSON.parse(json))
    const named = filterNames.filter((name) => filters[name] !== undefined)
    return joined(named.map((name) => `“${chipText(name, filters, noLabels)}”`), " and ") || null
  } catch {
    return null
  }
}

/** What is said instead of a part that names filters. */
const withFilters = (before: string, behind = "") => (whole: string, json: string): string => {
  const said = filtersSaid(json)
  return said === null ? whole : `${before}${said}${behind}`
}

export const noteText = (note: string): string =>
  note
    .replace(
      / filters with a location and (\{.*?\}) instead of query/g,
      withFilters(" a place and the filter ", " instead")
    )
    .replace(/ filters (\{.*?\})/g, withFilters(" the filter "))
    .replaceAll(" instead of query", " instead")
    .replaceAll(": between keys all must hold", " at once")
    .replace(/\b(send )?query "(.*?)"/g, (_, send: string | undefined, words: string) =>
      `${send === undefined ? "" : "look for "}“${words}”`)
    .replace(/\bsend it as (\w+)/g, (_, name: string) =>
      `use the filter “${fieldName(name)}”`)
    .split(/(?<=[.?!]) /)
    .filter((sentence) => !forPrograms.test(sentence))
    .map(inPageWords)
    .join(" ")

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

const filtersSaid = (json: string): string => {
  const filters = filtersOf(JSON.parse(json))
  const named = filterNames.filter((name) => filters[name] !== undefined)
  return joined(named.map((name) => `“${chipText(name, filters, noLabels)}”`), " and ")
}

export const noteText = (note: string): string =>
  note
    .replace(/ filters with a location and (\{.*?\}) instead of query/g, (_, json: string) =>
      ` a place and the filter ${filtersSaid(json)} instead`)
    .replace(/ filters (\{.*?\})/g, (_, json: string) =>
      ` the filter ${filtersSaid(json)}`)
    .replaceAll(" instead of query", " instead")
    .replaceAll(": between keys all must hold", " at once")
    .replace(/\b(send )?query "(.*?)"/g, (_, send: string | undefined, words: string) =>
      `${send === undefined ? "" : "look for "}“${words}”`)
    .replace(/\bsend it as (\w+)/g, (_, name: string) =>
      `use the filter “${fieldName(name)}”`)
    .split(/(?<=[.?!]) /)
    .filter((sentence) =>
      !forPrograms.test(sentence)
    )
    .map(inPageWords)
    .join(" ")

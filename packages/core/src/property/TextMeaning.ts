/** What a free text seems to ask for: `offices in Springfield, IL` a category and a place. */
import { type CategoryFilter, categoryIn } from "./CategoryWords.ts"
import { withoutSigns } from "./SearchWords.ts"

/** What lies between the words of a search and is no part of a name. */
const fillers: ReadonlySet<string> = new Set([
  "in",
  "at",
  "near",
  "around",
  "of",
  "the",
  "a",
  "all",
  "and",
  "from",
  "with"
])
const things: ReadonlySet<string> = new Set([
  "building",
  "buildings",
  "property",
  "properties",
  "space",
  "spaces",
  "complex",
  "complexes"
])

/** A place follows them. */
const placeWords: ReadonlySet<string> = new Set(["in", "near", "around"])

/** What a free text seems to ask for. */
export interface TextMeaning {
  readonly category: CategoryFilter | undefined
  /** What may be a place, in lower case; empty: nothing. */
  readonly place: string
  /** What stands before the place and is no category, in lower case; empty: nothing. */
  readonly other: string
}

const withoutFillers = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const first = words.findIndex((word) => !fillers.has(withoutSigns(word)))
  return first < 0 ? [] : words.slice(first)
}

/** Reads a category and a place from the text. */
export const meaningOf = (query: string): TextMeaning => {
  const telling = query.trim().toLowerCase().split(/\s+/).filter((word) => !things.has(withoutSigns(word)))
  const found = categoryIn(telling)
  const rest = found?.rest ?? telling
  const before = rest.findLastIndex((word) => placeWords.has(word)) + 1
  const place = withoutSigns(withoutFillers(rest.slice(before)).join(" "))
  return {
    category: found?.filter,
    // Behind a place its zip code says nothing more.
    place: place.replace(/,? \d{5}(-\d{4})?$/, ""),
    other: withoutSigns(withoutFillers(rest.slice(0, Math.max(0, before - 1))).join(" "))
  }
}

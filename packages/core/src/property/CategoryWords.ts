/** Which category a person means by a word of everyday speech: offices, warehouses, apartments. */
import { hint } from "../operation/Nearest.ts"
import { AssetCategory } from "./AssetCategory.ts"
import { knownSubcategories } from "./AssetSubcategory.ts"
import { withoutSigns } from "./SearchWords.ts"

/** What a category or subcategory is as a filter. */
export interface CategoryFilter {
  readonly key: "categories" | "subcategories"
  readonly value: string
}

const everyday: Readonly<Record<string, AssetCategory>> = {
  apartment: "Multifamily",
  "multi family": "Multifamily",
  shop: "Retail",
  store: "Retail",
  factory: "Industrial",
  hospital: "Healthcare",
  clinic: "Healthcare",
  school: "Education",
  church: "Religious",
  storage: "Self Storage",
  "vacant land": "Land"
}

/** In too many names of owners and streets to mean a category there. */
const tooCommon: ReadonlySet<string> = new Set(["land", "other", "garden", "flex", "senior", "student"])

const known: ReadonlyMap<string, CategoryFilter> = new Map<string, CategoryFilter>([
  ...Object.values(knownSubcategories).flat().map((value) =>
    [value.toLowerCase(), { key: "subcategories", value }] as const
  ),
  ...Object.entries(everyday).map(([word, value]) => [word, { key: "categories", value }] as const),
  ...AssetCategory.literals.map((value) => [value.toLowerCase(), { key: "categories", value }] as const)
])

/** The word and what it may be the plural of. */
const singulars = (word: string): ReadonlyArray<string> => [
  word,
  word.replace(/ies$/, "y"),
  word.replace(/(ch|sh|x|s)es$/, "$1"),
  word.replace(/s$/, "")
]

const named = (words: string): CategoryFilter | undefined =>
  singulars(words.toLowerCase()).flatMap((each) => known.get(each) ?? [])[0]

/** The first category that the words speak of, whatever signs stand around them, and the words that say something else. */
export const categoryIn = (
  words: ReadonlyArray<string>
): { readonly filter: CategoryFilter; readonly rest: ReadonlyArray<string> } | undefined => {
  for (const length of [2, 1]) {
    for (let at = 0; at + length <= words.length; at++) {
      const said = words.slice(at, at + length).map(withoutSigns).join(" ")
      const filter = tooCommon.has(said) ? undefined : named(said)
      if (filter !== undefined) {
        const others = [...words.slice(0, at), ...words.slice(at + length)]
        // `retail stores` says it twice.
        return { filter, rest: others.filter((word) => named(withoutSigns(word))?.value !== filter.value) }
      }
    }
  }
  return undefined
}

/** The usual subcategory of this name, also in the plural; undefined: it is none, or a category. */
export const subcategoryOf = (name: string): string | undefined => {
  const meant = named(name)
  return meant?.key === "subcategories" ? meant.value : undefined
}

/** What is said of an unknown category. */
export const notCategory = (name: string): string => {
  const meant = named(name)
  return meant?.key === "subcategories"
    ? `Expected a category; ${meant.value} is a subcategory, for subcategories`
    : `Expected a category such as Office or Retail${
      meant === undefined ? hint(name, AssetCategory.literals) : `; did you mean ${meant.value}?`
    }`
}

/** The category that such a message says was meant, or the subcategory; undefined of another message. */
export const categoryMeant = (message: string): CategoryFilter | undefined => {
  const [, category, subcategory] =
    /^Expected a category(?: such as .*; did you mean (.+)\?|; (.+) is a subcategory, for subcategories)$/.exec(
      message
    ) ?? []
  return category !== undefined
    ? { key: "categories", value: category }
    : subcategory === undefined
    ? undefined
    : { key: "subcategories", value: subcategory }
}

const usualSubcategories = Array.from(new Set(Object.values(knownSubcategories).flat()))

/** Whether it is one of the usual subcategories, in any case. */
export const isUsualSubcategory = (name: string): boolean =>
  usualSubcategories.some((usual) => usual.toLowerCase() === name.toLowerCase())

/** The usual subcategory that is most like this one; the vocabulary is open. */
export const likeSubcategories = (name: string): string => hint(name, usualSubcategories)

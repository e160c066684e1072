/**
 * How people name counties and cities: `Travis County`, `Travis, TX`, `travis county, Texas` and `Travis TX` are one place;
 * `Saint Elm` and `St. Elm` are one name.
 */
import { stateNamed } from "../coverage/UsState.ts"

export interface Named {
  /** In lower case. */
  readonly name: string
  /** Postal abbreviation; null: it was not said. */
  readonly state: string | null
}

const spaced = (text: string): string => text.trim().replaceAll(/\s+/g, " ")

/** The name and its state. What follows a comma and is no state is part of the name. */
export const parseNamed = (text: string): Named => {
  const whole = spaced(text)
  const split = /^(.+?) ?, ?([^,]+)$/.exec(whole) ?? /^(.+) ([A-Za-z]{2})$/.exec(whole)
  const state = stateNamed(split?.[2] ?? "")
  return split?.[1] === undefined || state === undefined
    ? { name: whole.toLowerCase(), state: null }
    : { name: split[1].toLowerCase(), state }
}

/** Without a remark in brackets behind it, which sources add: `Quillgate (demo)`. */
export const withoutRemark = (name: string): string => name.replace(/ \([^()]*\)$/, "")

/** Words that are written in two ways at the beginning of a name. */
const prefixes: ReadonlyArray<ReadonlyArray<string>> = [
  ["saint", "st.", "st"],
  ["fort", "ft.", "ft"],
  ["mount", "mt.", "mt"]
]

/** Every way in which the city may be written, in lower case: the given one first. */
export const citySpellings = (name: string): ReadonlyArray<string> => {
  const plain = name.replace(/^(city|town|village) of /, "")
  const [first = "", ...rest] = plain.split(" ")
  const same = rest.length === 0 ? undefined : prefixes.find((words) => words.includes(first))
  return same === undefined
    ? [plain]
    : [plain, ...same.filter((word) => word !== first).map((word) => [word, ...rest].join(" "))]
}

/** Those of the cities that have the name, all in lower case; remarks of sources do not count where none is without. */
export const citiesOfName = (name: string, cities: Iterable<string>): ReadonlyArray<string> => {
  const spellings = citySpellings(name)
  const all = Array.from(cities)
  const exact = all.filter((city) => spellings.includes(city))
  return exact.length > 0 ? exact : all.filter((city) => spellings.includes(withoutRemark(city)))
}

const countyKinds = / (city and borough|census area|planning region|county|parish|borough|municipality|municipio|city)$/

/** Letters and digits alone, without accents, so that `De Kalb` is `DeKalb` and `Doña Ana` is `Dona Ana`. */
const letters = (name: string): string =>
  name.normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/[^\p{L}\p{N}]/gu, "")

interface Spelled {
  /** As it was said. */
  readonly whole: string
  /** Without the word for what kind of county it is. */
  readonly plain: string
}

const spelledCounty = (name: string): Spelled => {
  const said = withoutRemark(spaced(name)).toLowerCase().replace(/^county of (.+)$/, "$1 county").replace(
    /^saint(e?) /,
    "st$1 "
  )
  return { whole: letters(said), plain: letters(said.replace(countyKinds, "")) }
}

/** So many names of counties are remembered as they are spelled: all that there are, and some. */
const mostRemembered = 10_000

const remembered = new Map<string, Spelled>()

/** The same for a name that is on record. */
const spelledKnown = (name: string): Spelled => {
  const known = remembered.get(name)
  if (known !== undefined) return known
  const spelled = spelledCounty(name)
  if (remembered.size < mostRemembered) remembered.set(name, spelled)
  return spelled
}

interface County {
  readonly name: string | null
  readonly state: string | null
}

/** A county by its place among the others. */
interface Entry {
  readonly place: number
  readonly spelled: Spelled
}

interface Directory {
  readonly byWhole: ReadonlyMap<string, ReadonlyArray<Entry>>
  readonly byPlain: ReadonlyMap<string, ReadonlyArray<Entry>>
}

const directories = new WeakMap<ReadonlyArray<County>, Directory>()

/** A request may name fifty counties, and there are thousands: each name is looked up, and not compared with all. */
const directoryOf = (counties: ReadonlyArray<County>): Directory => {
  const made = directories.get(counties)
  if (made !== undefined) return made
  const entries = counties.flatMap(({ name }, place): ReadonlyArray<Entry> =>
    name === null ? [] : [{ place, spelled: spelledKnown(name) }]
  )
  const directory = {
    byWhole: Map.groupBy(entries, ({ spelled }) => spelled.whole),
    byPlain: Map.groupBy(entries, ({ spelled }) => spelled.plain)
  }
  directories.set(counties, directory)
  return directory
}

/** The letters of a county's name without the word for what kind of county it is, and without remarks of sources. */
export const plainCounty = (name: string): string => spelledCounty(name).plain

/** The same for a name that is on record. */
export const plainKnownCounty = (name: string): string => spelledKnown(name).plain

/** Those of the counties that have the name; a county of exactly this name hides those of a similar one in its state. */
export const countiesNamed = <C extends County>(name: string, counties: ReadonlyArray<C>): ReadonlyArray<C> => {
  const asked = spelledCounty(name)
  const { byPlain, byWhole } = directoryOf(counties)
  const found = new Map(
    [byWhole.get(asked.whole), byWhole.get(asked.plain), byPlain.get(asked.plain), byPlain.get(asked.whole)]
      .flatMap((entries) => entries ?? [])
      .map(({ place, spelled }) => [place, spelled.whole === asked.whole] as const)
  )
  const alike = Array.from(found).sort(([one], [other]) => one - other).flatMap(([place, exact]) => {
    const county = counties[place]
    return county === undefined ? [] : [{ county, exact }]
  })
  return alike.flatMap(({ county, exact }) =>
    exact || !alike.some((other) => other.exact && other.county.state === county.state) ? [county] : []
  )
}

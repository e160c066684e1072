/**
 * How well a stored property fits what a caller wrote down of it: an address or a parcel number.
 *
 * Addresses are compared word by word in their shortest form (`North Main Street` and `N MAIN ST` are the same), a unit
 * within the building left out. The house number must be the same. A parcel number is compared without its punctuation.
 */
import { fipsOf } from "../coverage/UsState.ts"

/** Directions by their long names, in their short form. */
export const directions: ReadonlyMap<string, string> = new Map([
  ["north", "n"],
  ["south", "s"],
  ["east", "e"],
  ["west", "w"],
  ["northeast", "ne"],
  ["northwest", "nw"],
  ["southeast", "se"],
  ["southwest", "sw"]
])

/** Both spellings of what addresses abbreviate. */
const shortForms: ReadonlyMap<string, string> = new Map([
  ...directions,
  ["street", "st"],
  ["avenue", "ave"],
  ["av", "ave"],
  ["boulevard", "blvd"],
  ["road", "rd"],
  ["drive", "dr"],
  ["lane", "ln"],
  ["court", "ct"],
  ["place", "pl"],
  ["parkway", "pkwy"],
  ["highway", "hwy"],
  ["freeway", "fwy"],
  ["expressway", "expy"],
  ["circle", "cir"],
  ["terrace", "ter"],
  ["trail", "trl"],
  ["square", "sq"],
  ["plaza", "plz"],
  ["way", "way"],
  ["route", "rte"],
  ["saint", "st"]
])

const shortened: ReadonlySet<string> = new Set([...shortForms.keys(), ...shortForms.values()])

/** Whether it is one of the words that sources write in full or shortened: `street`, `st`, `north`. In lower case. */
const isShortened = (word: string): boolean => shortened.has(word)

/** A shorter beginning is one of too many words. */
const shortestBeginning = 3

/** The word that sources write in full or shortened which begins so; the text itself where none does. */
export const begunWith = (text: string): string =>
  text.length < shortestBeginning ? text : Array.from(shortForms.keys()).find((word) => word.startsWith(text)) ?? text

/** Every spelling of what the word means; empty: there is one alone. */
export const spellingsOf = (word: string): ReadonlyArray<string> => {
  if (!isShortened(word)) return []
  const short = shortForms.get(word) ?? word
  return [short, ...Array.from(shortForms).flatMap(([long, each]) => each === short && long !== short ? [long] : [])]
}

/** What begins a unit within a building. */
const units: ReadonlySet<string> = new Set(["suite", "ste", "unit", "apt", "apartment", "floor", "fl", "room", "rm"])

/** The words of a street line in their shortest form, up to a unit. */
export const wordsOf = (address: string): ReadonlyArray<string> => {
  const words = address.toLowerCase().replace(/#.*$/, "").split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "")
  const unit = words.findIndex((word, index) => index > 1 && units.has(word))
  return (unit < 0 ? words : words.slice(0, unit)).map((word) => shortForms.get(word) ?? word)
}

const numberOf = (words: ReadonlyArray<string>): string | null =>
  words[0] !== undefined && /^\d/.test(words[0]) ? words[0] : null

/**
 * The house number that an address begins with, as far as its plain letters and digits go; empty: it has none. Where these
 * differ, `match` finds that addresses differ.
 */
export const houseNumber = (address: string): string =>
  /^[ !"$-/:-@[-`{-~]*([0-9][0-9a-z]*)/.exec(address.toLowerCase())?.[1] ?? ""

/** What an index is asked for before anything is compared: addresses of this house number that hold the word. */
export interface AddressProbe {
  /** As `houseNumber`. */
  readonly number: string
  /** The longest word that nobody abbreviates; null: there is none. */
  readonly word: string | null
}

/** null: nothing in it can be looked for. */
export const probeOf = (address: string): AddressProbe | null => {
  const words = wordsOf(address)
  const number = numberOf(words)
  const spoken = words.slice(number === null ? 0 : 1).filter((word) => !isShortened(word))
    .toSorted((left, right) => right.length - left.length)
  const word = spoken[0] ?? null
  return number === null && (word === null || word.length < 3) ? null : { number: houseNumber(address), word }
}

/** Letters and digits alone, in upper case; null: none. */
export const parcelForm = (apn: string): string | null => {
  const form = apn.toUpperCase().replace(/[^A-Z0-9]/g, "")
  return form === "" ? null : form
}

export interface Written {
  readonly address?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly zip?: string | undefined
  readonly apn?: string | undefined
  readonly county_fips?: string | undefined
}

export interface Located {
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zip: string | null
  readonly apn: string | null
  readonly countyFips: string
}

export interface Match {
  /** 0 to 1. */
  readonly score: number
  readonly matched_by: "apn" | "address"
}

/** Shares of the score: the line of the address, and where it lies. */
const lineShare = 0.7

/** Nothing that is written down as lying in another state, and no parcel of another place, has more: it is not certain. */
const elsewhereScore = 0.7

const rounded = (score: number): number => Math.round(score * 100) / 100

const sameText = (left: string, right: string | null): boolean =>
  right !== null && wordsOf(left).join(" ") === wordsOf(right).join(" ")

/** How alike the lines are, 0 to 1; 0 when the house numbers differ. */
const lineScore = (asked: string, stored: string): number => {
  const [left, right] = [wordsOf(asked), wordsOf(stored)]
  if (left.length === 0 || numberOf(left) !== numberOf(right)) return 0
  const rest = new Set(right)
  const common = new Set(left.filter((word) => rest.has(word))).size
  return 2 * common / (new Set(left).size + rest.size)
}

/** How much of the given place is right, 0 to 1; a half when none is given. */
const placeScore = (written: Written, located: Located): number => {
  const said = [
    ...written.zip === undefined ? [] : [located.zip?.slice(0, 5) === written.zip.slice(0, 5)],
    ...written.city === undefined ? [] : [sameText(written.city, located.city)],
    ...written.state === undefined ? [] : [located.state === written.state],
    ...written.county_fips === undefined ? [] : [located.countyFips === written.county_fips]
  ]
  return said.length === 0 ? 0.5 : said.filter((right) => right).length / said.length
}

/** The given state is another one: neither the address has it nor the county lies in it. */
const inAnotherState = ({ state }: Written, located: Located): boolean =>
  state !== undefined && state !== located.state && fipsOf(state) !== located.countyFips.slice(0, 2)

/** What is given of the place contradicts what is recorded; nothing does where nothing is recorded. */
const isElsewhere = (written: Written, located: Located): boolean =>
  inAnotherState(written, located) ||
  written.zip !== undefined && located.zip !== null && written.zip.slice(0, 5) !== located.zip.slice(0, 5) ||
  written.city !== undefined && located.city !== null && !sameText(written.city, located.city)

const matchOfParcel = (written: Written, located: Located): Match | null => {
  const asked = written.apn === undefined ? null : parcelForm(written.apn)
  const inAnotherCounty = written.county_fips !== undefined && written.county_fips !== located.countyFips
  if (asked === null || located.apn === null || parcelForm(located.apn) !== asked || inAnotherCounty) return null
  // A number is unique in its county alone: others elsewhere have it.
  const certainty = written.county_fips === undefined ? 0.9 : 1
  return { score: isElsewhere(written, located) ? elsewhereScore : certainty, matched_by: "apn" }
}

const matchOfAddress = (written: Written, located: Located): Match | null => {
  if (written.address === undefined || located.address === null) return null
  const line = lineScore(written.address, located.address)
  const fits = rounded(lineShare * line + (1 - lineShare) * placeScore(written, located))
  const score = inAnotherState(written, located) ? Math.min(fits, elsewhereScore) : fits
  return line < 0.5 || score < 0.5 ? null : { score, matched_by: "address" }
}

/** By the parcel number, or by the address where that fits better; null: it does not fit. */
export const match = (written: Written, located: Located): Match | null => {
  const [parcel, address] = [matchOfParcel(written, located), matchOfAddress(written, located)]
  return parcel === null || address !== null && address.score > parcel.score ? address : parcel
}

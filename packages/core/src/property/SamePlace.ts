/**
 * Whether two records, each of a source of its own, are of one place: with what confidence, and why. Pure; nothing is looked up.
 *
 * A parcel number or a street line says what may be; how far apart the two lie, and whether size, year, floors and units are the
 * same, raises or lowers that. A campus has many buildings at one address, and a parcel may have many: that is what the sizes are
 * for.
 *
 * docs/matching.md has the rules in words, and what they were measured at.
 */
import { parcelForm, wordsOf } from "./AddressMatch.ts"

/** From here on a proposal is one that may be accepted with all others of its kind. */
export const upperThreshold = 0.95

/** From here on it is proposed; below nothing is said. */
export const lowerThreshold = 0.75

/** What is compared of a record; null: not known. */
export interface Place {
  readonly name: string | null
  readonly address: string | null
  readonly zip: string | null
  /** All parcel numbers, as the source writes them. */
  readonly parcels: ReadonlyArray<string>
  readonly countyFips: string
  readonly lat: number | null
  readonly lon: number | null
  readonly buildingSqft: number | null
  readonly yearBuilt: number | null
  readonly numFloors: number | null
  readonly totalUnits: number | null
}

/** Why two records may be of one place, or may not, in the order in which it is told. */
export const PlaceEvidence = [
  "same_parcel",
  "same_address",
  "address_less_complete",
  "numbers_overlap",
  "one_slip",
  "same_name",
  "near",
  "same_size",
  "same_year",
  "same_floors",
  "same_units",
  "far",
  "other_zip",
  "other_size",
  "other_year"
] as const
export type PlaceEvidence = typeof PlaceEvidence[number]

export interface PlaceMatch {
  /** 0 to 1, to two places. */
  readonly confidence: number
  readonly evidence: ReadonlyArray<PlaceEvidence>
}

const ordinals = `first second third fourth fifth sixth seventh eighth ninth tenth`.split(" ").map((word, index) =>
  [
    word,
    `${index + 1}${["st", "nd", "rd"][index] ?? "th"}`
  ] as const
)

const numerals = `one two three four five six seven eight nine ten`.split(" ").map((word, index) =>
  [word, String(index + 1)] as const
)

const spoken: ReadonlyMap<string, string> = new Map([...ordinals, ...numerals])

const directions: ReadonlySet<string> = new Set(["n", "s", "e", "w", "ne", "nw", "se", "sw"])

const types: ReadonlySet<string> = new Set(
  "st ave blvd rd dr ln ct pl pkwy hwy fwy expy cir ter trl sq plz way rte slip".split(" ")
)

/** A street line taken apart. */
interface Line {
  /** The least and greatest of its house numbers. */
  readonly from: number
  readonly to: number
  /** Of the street's name, in one. */
  readonly street: string
  readonly direction: string | null
  readonly type: string | null
}

/** `2410-16` is `2410-2416`. */
const upTo = (from: string, to: string): number =>
  Number(to.length < from.length ? from.slice(0, from.length - to.length) + to : to)

const lineOf = (address: string): Line | null => {
  const words = wordsOf(address.replace(/^\s*([\d]+)([NSEW])(?=\s)/i, "$1 $2")).map((word) => spoken.get(word) ?? word)
  const [first = "", second = ""] = words
  if (!/^\d+$/.test(first)) return null
  const isRange = /^\s*\d+\s*[-/–]\s*\d+(?:\s|$)/.test(address) && /^\d+$/.test(second)
  const rest = words.slice(isRange ? 2 : 1)
  const at = rest.findIndex((word, index) => index > 0 && types.has(word) && !directions.has(rest[index - 1] ?? ""))
  // What follows the kind of street is the city, or another line; but a direction there belongs to it.
  const own = at < 0 ? rest : rest.slice(0, directions.has(rest[at + 1] ?? "") ? at + 2 : at + 1)
  const named = own.filter((word, index) => !(directions.has(word) && (index === 0 || index === own.length - 1)))
  const type = named.length > 1 && types.has(named.at(-1) ?? "") ? named.at(-1) ?? null : null
  const street = (type === null ? named : named.slice(0, -1)).join("")
  return street === "" ? null : {
    from: Number(first),
    to: isRange ? Math.max(Number(first), upTo(first, second)) : Number(first),
    street,
    direction: own.find((word, index) => directions.has(word) && (index === 0 || index === own.length - 1)) ?? null,
    type
  }
}

/** Whether one letter too many, too few or exchanged makes one street of the other. */
const isSlip = (left: string, right: string): boolean => {
  if (Math.min(left.length, right.length) < 6 || /\d/.test(left + right)) return false
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  const [rest, other] = [left.slice(at), right.slice(at)]
  return rest.slice(1) === other || rest === other.slice(1) || rest.slice(1) === other.slice(1)
}

const conflicts = (left: string | null, right: string | null): boolean =>
  left !== null && right !== null && left !== right

interface Ground {
  readonly doubt: number
  readonly because: PlaceEvidence
}

/** What the street lines say; null: they are of two places. */
const byLine = (left: Place, right: Place): Ground | null => {
  if (left.address === null || right.address === null) return null
  const [one, other] = [lineOf(left.address), lineOf(right.address)]
  if (one === null || other === null || one.from > other.to || other.from > one.to) return null
  if (conflicts(one.direction, other.direction) || conflicts(one.type, other.type)) return null
  if (one.street !== other.street) return isSlip(one.street, other.street) ? { doubt: 0.12, because: "one_slip" } : null
  if (one.from !== other.from || one.to !== other.to) return { doubt: 0.1, because: "numbers_overlap" }
  return one.direction === other.direction && one.type === other.type
    ? { doubt: 0.06, because: "same_address" }
    : { doubt: 0.07, because: "address_less_complete" }
}

const parcelsOf = ({ parcels }: Place): ReadonlyArray<string> => parcels.flatMap((parcel) => parcelForm(parcel) ?? [])

const hasSameParcel = (left: Place, right: Place): boolean => {
  const known = new Set(parcelsOf(left))
  return left.countyFips === right.countyFips && parcelsOf(right).some((parcel) => known.has(parcel))
}

/** Metres between the two, as on a plane, which is enough for neighbours; null: not known. */
const distance = (left: Place, right: Place): number | null => {
  if (left.lat === null || left.lon === null || right.lat === null || right.lon === null) return null
  const meters = Math.PI / 180 * 6_371_009
  const narrowing = Math.cos(left.lat * Math.PI / 180)
  return Math.hypot(left.lat - right.lat, (left.lon - right.lon) * narrowing) * meters
}

const bothKnown = (left: number | null, right: number | null): readonly [number, number] | null =>
  left === null || right === null || left <= 0 || right <= 0 ? null : [left, right]

const bare = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** By what the doubt is multiplied where this is found. */
const weight = {
  same_name: 0.5,
  near: 0.5,
  same_size: 0.3,
  same_year: 0.5,
  same_floors: 0.8,
  same_units: 0.6,
  far: 5,
  other_zip: 3,
  other_size: 3,
  other_year: 1.6
} as const
type Weighed = keyof typeof weight

const found = (left: Place, right: Place): ReadonlyArray<Weighed> => {
  const meters = distance(left, right)
  const size = bothKnown(left.buildingSqft, right.buildingSqft)
  const years = bothKnown(left.yearBuilt, right.yearBuilt)
  const floors = bothKnown(left.numFloors, right.numFloors)
  const units = bothKnown(left.totalUnits, right.totalUnits)
  const ratio = size === null ? null : Math.max(...size) / Math.min(...size)
  const apart = years === null ? null : Math.abs(years[0] - years[1])
  const isNamed = left.name !== null && right.name !== null && bare(left.name) !== "" &&
    bare(left.name) === bare(right.name)
  const said: ReadonlyArray<readonly [Weighed, boolean]> = [
    ["same_name", isNamed],
    ["near", meters !== null && meters < 100],
    ["same_size", ratio !== null && ratio < 1.03],
    ["same_year", apart === 0],
    ["same_floors", floors !== null && floors[0] === floors[1]],
    ["same_units", units !== null && units[0] === units[1]],
    ["far", meters !== null && meters > 300],
    ["other_zip", conflicts(left.zip?.slice(0, 5) ?? null, right.zip?.slice(0, 5) ?? null)],
    ["other_size", ratio !== null && ratio > 1.5],
    ["other_year", apart !== null && apart > 10]
  ]
  return said.flatMap(([kind, holds]) => holds ? [kind] : [])
}

/** Null: nothing speaks for it. The order of the two does not matter. */
export const match = (left: Place, right: Place): PlaceMatch | null => {
  const line = byLine(left, right)
  const parcel: Ground | null = hasSameParcel(left, right) ? { doubt: 0.15, because: "same_parcel" } : null
  if (line === null && parcel === null) return null
  const besides = found(left, right)
  const ground = (line?.doubt ?? 1) * (parcel?.doubt ?? 1)
  // What one agreement leaves of the doubt, the next one shrinks again; but nothing makes a guess a certainty.
  const doubt = Math.max(0.01, besides.reduce((left, kind) => left * weight[kind], ground))
  const confidence = Math.round((1 - Math.min(1, doubt)) * 100) / 100
  if (confidence < lowerThreshold) return null
  return {
    confidence,
    evidence: [...parcel === null ? [] : [parcel.because], ...line === null ? [] : [line.because], ...besides]
  }
}

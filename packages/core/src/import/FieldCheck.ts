/**
 * What a value of an imported field must be. Written by hand and not as schemas, since a load checks some twenty
 * fields of every row at 100,000 rows a second.
 *
 * A check answers the value in its stored form, null for an empty text, or an `Invalid` with the reason; it never
 * guesses. Text is trimmed and plain (`operation/PlainText`), coordinates are rounded to 6 decimals, timestamps become
 * UTC.
 */
import { fipsOf, stateOfCounty } from "../coverage/UsState.ts"
import * as IsoMoment from "../operation/IsoMoment.ts"
import { inOneLine, isOneLine, isPlain } from "../operation/PlainText.ts"
import { assetCategoryNamed } from "../property/AssetCategory.ts"
import type { FieldKind, MailingAddress } from "../property/PropertyField.ts"

/** Why a value is refused. */
export class Invalid {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

export type FieldValue = string | number | boolean | ReadonlyArray<string> | MailingAddress

/** What a check needs to know of the time of the import. */
export interface Bounds {
  /** The latest year that a building may be of: the one after the current one. */
  readonly latestYear: number
}

/** A check of a value that is present and not null. */
export type Check = (value: NonNullable<unknown>, bounds: Bounds) => FieldValue | null | Invalid

const notText = new Invalid("must be text")
const notDecoded = new Invalid("holds a character that is no text (the source may not be UTF-8)")
const notPlain = new Invalid("must not hold control characters")

const printable = /^[ -~]*$/

/** The trimmed text of at most `max` characters in any number of lines, null when nothing is left. */
const linesOf = (value: unknown, max: number): string | null | Invalid => {
  if (typeof value !== "string") return notText
  const trimmed = value.trim()
  if (trimmed.length > max) return new Invalid(`must be at most ${max} characters`)
  if (trimmed === "") return null
  // Most texts are of these characters alone.
  if (printable.test(trimmed)) return trimmed
  // PostgreSQL stores no NUL; U+FFFD stands where bytes could not be decoded.
  if (/[\0\uFFFD]/.test(trimmed) || !trimmed.isWellFormed()) return notDecoded
  return isPlain(trimmed) ? trimmed : notPlain
}

/** The same in one line. */
const textOf = (value: unknown, max: number): string | null | Invalid => {
  const read = linesOf(value, max)
  return typeof read === "string" ? inOneLine(read) : read
}

/** In UTF-8. */
const bytesOf = (value: string): number => encodeURIComponent(value).replace(/%../g, "-").length

const textWithin = (characters: number, bytes: number): Check => (value) => {
  const read = textOf(value, characters)
  return typeof read === "string" && bytesOf(read) > bytes
    ? new Invalid(`must be at most ${bytes} bytes in UTF-8`)
    : read
}

/**
 * Texts are indexed, and an index entry has to fit a third of a page: four of these and a city together, with what else
 * searches compare.
 */
const longestText = 500

export const text: Check = textWithin(longestText, longestText)
export const city: Check = textWithin(200, 200)

/** Text that is read and not searched. */
export const longText: Check = (value) => linesOf(value, 10_000)

/** A key: not empty, without control characters. */
export const key = (value: unknown): string | Invalid => {
  const read = linesOf(value, 200)
  if (read === null || value === undefined) return new Invalid("is required")
  if (read instanceof Invalid) return read
  return isOneLine(read) ? read : notPlain
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A UUID in lower case. */
export const uuid = (value: unknown): string | Invalid => {
  const lower = typeof value === "string" ? value.trim().toLowerCase() : ""
  return uuidForm.test(lower) ? lower : new Invalid("must be a UUID")
}

const patterned = (form: RegExp, reason: string, store: (text: string) => string | null = (read) => read): Check => {
  const invalid = new Invalid(reason)
  return (value) => {
    const read = textOf(value, longestText)
    if (read === null || read instanceof Invalid) return read
    return form.test(read) ? store(read) ?? invalid : invalid
  }
}

const wholeNumber = (min: number, max: number): Check => {
  const invalid = new Invalid(`must be a whole number from ${min} to ${max}`)
  return (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max ? value : invalid
}

const number = (min: number, max: number, store: (value: number) => number = (value) => value): Check => {
  const invalid = new Invalid(`must be a number from ${min} to ${max}`)
  return (value) => typeof value === "number" && value >= min && value <= max ? store(value) : invalid
}

const round6 = (value: number): number => Math.round(value * 1e6) / 1e6

const notBoolean = new Invalid("must be true or false")

export const boolean: Check = (value) => typeof value === "boolean" ? value : notBoolean

/** One of the given words, in exactly this spelling. */
export const oneOf = (words: ReadonlyArray<string>): Check => {
  const allowed = new Set(words)
  const invalid = new Invalid(`must be one of ${words.join(", ")}`)
  return (value) => {
    const read = textOf(value, longestText)
    if (read === null || read instanceof Invalid) return read
    return allowed.has(read) ? read : invalid
  }
}

export const date: Check = patterned(
  /^\d{4}-\d{2}-\d{2}$/,
  "must be a date of the form YYYY-MM-DD, not before 1600",
  (text) => IsoMoment.isDay(text) ? text : null
)

/** ISO-8601 with a zone, or a day, which begins at midnight UTC. */
export const timestamp: Check = patterned(
  /^\d{4}-/,
  "must be an ISO-8601 time with its zone, such as 2026-01-31T00:00:00Z, not before 1600",
  IsoMoment.read
)

export const zip: Check = patterned(
  /^\d{5}(-\d{4})?$/,
  "must be a ZIP code of 5 digits or ZIP+4",
  (read) => read.slice(0, 5)
)

export const email: Check = patterned(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, "must be an email address")

/** A host name, in lower case. */
export const domain: Check = patterned(
  /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i,
  "must be a domain such as example.com",
  (read) => read.toLowerCase()
)

/** The address of a page. One that names another scheme than the web's is refused, as it may be shown as a link. */
export const webAddress: Check = patterned(
  /^((https?:\/\/)?[^\s:/]+(:\d+)?(\/\S*)?)$/i,
  "must be the address of a web page"
)

const stateCode: Check = patterned(/^[a-z]{2}$/i, "must be the two letters of a state", (read) => {
  const abbr = read.toUpperCase()
  return fipsOf(abbr) === undefined ? null : abbr
})

const countyFips: Check = patterned(
  /^\d{5}$/,
  "must be the 5-digit FIPS code of a county",
  (read) => stateOfCounty(read) === undefined ? null : read
)

const assetCategory: Check = patterned(/./, "must be an asset category", (read) => assetCategoryNamed(read) ?? null)

const mostTexts = 1000
const notTexts = new Invalid(`must be an array of at most ${mostTexts} texts`)

const textArray: Check = (value) => {
  if (!Array.isArray(value) || value.length > mostTexts) return notTexts
  const texts: Array<string> = []
  for (const entry of value) {
    const read = textOf(entry, longestText)
    if (read instanceof Invalid) return read
    if (read !== null) texts.push(read)
  }
  return texts
}

const addressParts = ["line1", "city", "state", "zip"] as const

const address: Check = (value, bounds) => {
  if (typeof value !== "object" || Array.isArray(value)) {
    return new Invalid("must be an object of line1, city, state, zip")
  }
  const parts = new Map<string, string>()
  for (const [name, part] of Object.entries(value)) {
    if (!addressParts.some((known) => known === name)) return new Invalid(`has the unknown part ${name}`)
    if (part === null) continue
    const read = name === "zip" ? zip(part, bounds) : textOf(part, longestText)
    if (read instanceof Invalid) return new Invalid(`${name}: ${read.reason}`)
    if (typeof read === "string") parts.set(name, read)
  }
  if (parts.size === 0) return null
  return {
    line1: parts.get("line1") ?? null,
    city: parts.get("city") ?? null,
    state: parts.get("state") ?? null,
    zip: parts.get("zip") ?? null
  }
}

const year: Check = (value, { latestYear }) =>
  typeof value === "number" && Number.isInteger(value) && value >= 1600 && value <= latestYear
    ? value
    : new Invalid(`must be a year from 1600 to ${latestYear}`)

const largestInteger = 2_147_483_647

/** The check of each kind of property field. */
export const checks: { readonly [K in FieldKind]: Check } = {
  text,
  state: stateCode,
  zip,
  fips: countyFips,
  latitude: number(-90, 90, round6),
  longitude: number(-180, 180, round6),
  size: wholeNumber(0, largestInteger),
  count: wholeNumber(0, largestInteger),
  year,
  floors: number(0, 300),
  money: wholeNumber(0, 1e15),
  boolean,
  date,
  timestamp,
  textArray,
  address,
  assetCategory,
  footprintSource: oneOf(["measured", "assessor", "estimated"])
}

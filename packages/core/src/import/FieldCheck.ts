/**
 * What a value of an imported field must be. The checks are written by hand and not as schemas, since a load checks some
 * twenty fields of every row at 100,000 rows a second; a rule has beside its check how JSON Schema and people say it.
 *
 * A check answers the value in its stored form, null for an empty text, or an `Invalid` with the reason; it never
 * guesses. Text is trimmed and plain (`operation/PlainText`), coordinates are rounded to 6 decimals, timestamps become
 * UTC.
 */
import type { Schema } from "effect"
import { fipsOf, stateAbbrs, stateFips, stateOfCounty } from "../coverage/UsState.ts"
import * as IsoMoment from "../operation/IsoMoment.ts"
import { inOneLine, isOneLine, isPlain } from "../operation/PlainText.ts"
import { AssetCategory, assetCategoryNamed } from "../property/AssetCategory.ts"
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
  /** The latest year that a building or a date may be of: the one after the current one. */
  readonly latestYear: number
}

/** A check of a value that is present and not null. */
export type Check = (value: NonNullable<unknown>, bounds: Bounds) => FieldValue | null | Invalid

/** Keywords of JSON Schema. */
export type JsonSchema = { readonly [keyword: string]: Schema.Json }

/** A check, and how it is told. The schema is as strict as the check, but for what it cannot say: bytes and blanks. */
export interface Rule {
  readonly check: Check
  /** For people: `text`, `whole number`. */
  readonly type: string
  readonly unit?: string
  readonly schema: JsonSchema
}

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
  return typeof read === "string" && !printable.test(read) ? inOneLine(read) : read
}

/** Of UTF-8, a character of JavaScript at most. */
const mostBytes = 3

/** Whether the text has more bytes in UTF-8. */
const exceeds = (value: string, most: number): boolean =>
  value.length * mostBytes > most && encodeURIComponent(value).replace(/%../g, "-").length > most

const textWithin = (most: number): Rule => ({
  type: `text of at most ${most} bytes`,
  schema: { type: "string", maxLength: most },
  check: (value) => {
    const read = textOf(value, most)
    return typeof read === "string" && exceeds(read, most)
      ? new Invalid(`must be at most ${most} bytes in UTF-8`)
      : read
  }
})

/**
 * Texts are indexed, and an index entry has to fit a third of a page: four of these and a city together, with what else
 * searches compare.
 */
const longestText = 500

export const text: Rule = textWithin(longestText)
export const city: Rule = textWithin(200)

const longestLongText = 10_000

/** Text that is read and not searched. */
export const longText: Rule = {
  type: `text of at most ${longestLongText} characters, in any number of lines`,
  schema: { type: "string", maxLength: longestLongText },
  check: (value) => linesOf(value, longestLongText)
}

const longestKey = 200

/** A key: not empty, without control characters. */
export const key = (value: unknown): string | Invalid => {
  const read = linesOf(value, longestKey)
  if (read === null || value === undefined) return new Invalid("is required")
  if (read instanceof Invalid) return read
  return isOneLine(read) ? read : notPlain
}

/** A key as a rule. */
export const keyRule: Rule = {
  type: `text of 1 to ${longestKey} characters`,
  schema: { type: "string", minLength: 1, maxLength: longestKey },
  check: key
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A UUID in lower case. */
export const uuid = (value: unknown): string | Invalid => {
  const lower = typeof value === "string" ? value.trim().toLowerCase() : ""
  return uuidForm.test(lower) ? lower : new Invalid("must be a UUID")
}

/** A UUID as a rule. */
export const uuidRule: Rule = { type: "UUID", schema: { type: "string", format: "uuid" }, check: uuid }

/** What is known is of no later year than the one after the current one: what says so is a slip, or stands for unknown. */
const notLater = (rule: Rule): Rule => ({
  ...rule,
  check: (value, bounds) => {
    const read = rule.check(value, bounds)
    return typeof read === "string" && Number(read.slice(0, 4)) > bounds.latestYear
      ? new Invalid(`must not be after ${bounds.latestYear}`)
      : read
  }
})

interface Form {
  readonly type: string
  /** What it must match. */
  readonly form: RegExp
  /** Completes "must be". */
  readonly expected: string
  /** What JSON Schema adds to that it is a text. */
  readonly schema: JsonSchema
  /** The stored text, null for one that only looks right. */
  readonly store?: (text: string) => string | null
}

const patterned = ({ expected, form, schema, store = (read) => read, type }: Form): Rule => {
  const invalid = new Invalid(`must be ${expected}`)
  return {
    type,
    schema: { type: "string", ...schema },
    check: (value) => {
      const read = textOf(value, longestText)
      if (read === null || read instanceof Invalid) return read
      return form.test(read) ? store(read) ?? invalid : invalid
    }
  }
}

const wholeNumber = (min: number, max: number, unit?: string): Rule => {
  const invalid = new Invalid(`must be a whole number from ${min} to ${max}`)
  return {
    type: "whole number",
    ...(unit === undefined ? {} : { unit }),
    schema: { type: "integer", minimum: min, maximum: max },
    check: (value) =>
      typeof value === "number" && Number.isInteger(value) && value >= min && value <= max ? value : invalid
  }
}

const number = (min: number, max: number, unit?: string, store: (value: number) => number = (value) => value): Rule => {
  const invalid = new Invalid(`must be a number from ${min} to ${max}`)
  return {
    type: "number",
    ...(unit === undefined ? {} : { unit }),
    schema: { type: "number", minimum: min, maximum: max },
    check: (value) => typeof value === "number" && value >= min && value <= max ? store(value) : invalid
  }
}

const round6 = (value: number): number => Math.round(value * 1e6) / 1e6

const notBoolean = new Invalid("must be true or false")

export const boolean: Rule = {
  type: "true or false",
  schema: { type: "boolean" },
  check: (value) => typeof value === "boolean" ? value : notBoolean
}

/** One of the given words, in exactly this spelling. */
export const oneOf = (words: ReadonlyArray<string>): Rule => {
  const allowed = new Set(words)
  const invalid = new Invalid(`must be one of ${words.join(", ")}`)
  return {
    type: "word",
    schema: { enum: words },
    check: (value) => {
      const read = textOf(value, longestText)
      if (read === null || read instanceof Invalid) return read
      return allowed.has(read) ? read : invalid
    }
  }
}

export const date: Rule = notLater(patterned({
  type: "date, YYYY-MM-DD",
  form: /^\d{4}-\d{2}-\d{2}$/,
  expected: "a date of the form YYYY-MM-DD, not before 1600",
  schema: { format: "date" },
  store: (text) => IsoMoment.isDay(text) ? text : null
}))

/** ISO-8601 with a zone, or a day, which begins at midnight UTC. */
export const timestamp: Rule = notLater(patterned({
  type: "time, ISO-8601 with its zone, or a day",
  form: /^\d{4}-/,
  expected: "an ISO-8601 time with its zone, such as 2026-01-31T00:00:00Z, not before 1600",
  schema: { anyOf: [{ format: "date-time" }, { format: "date" }] },
  store: IsoMoment.read
}))

/** Many sources write ZIP+4 without its hyphen. */
export const zip: Rule = patterned({
  type: "ZIP code or ZIP+4",
  form: /^\d{5}([- ]?\d{4})?$/,
  expected: "a ZIP code of 5 digits or ZIP+4",
  schema: { pattern: "^\\d{5}([- ]?\\d{4})?$" },
  store: (read) => read.slice(0, 5)
})

const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export const email: Rule = patterned({
  type: "email address",
  form: emailForm,
  expected: "an email address",
  schema: { pattern: emailForm.source, maxLength: longestText }
})

/** A host name, in lower case. */
export const domain: Rule = patterned({
  type: "domain, such as example.com",
  form: /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i,
  expected: "a domain such as example.com",
  schema: {
    pattern: "^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]*[A-Za-z0-9]$",
    maxLength: longestText
  },
  store: (read) => read.toLowerCase()
})

/** The address of a page. One that names another scheme than the web's is refused, as it may be shown as a link. */
export const webAddress: Rule = patterned({
  type: "address of a web page",
  form: /^((https?:\/\/)?[^\s:/]+(:\d+)?(\/\S*)?)$/i,
  expected: "the address of a web page",
  schema: { pattern: "^(([Hh][Tt][Tt][Pp][Ss]?://)?[^\\s:/]+(:\\d+)?(/\\S*)?)$", maxLength: longestText }
})

const stateCode: Rule = patterned({
  type: "two letters of a state",
  form: /^[a-z]{2}$/i,
  expected: "the two letters of a state",
  schema: { enum: stateAbbrs },
  store: (read) => {
    const abbr = read.toUpperCase()
    return fipsOf(abbr) === undefined ? null : abbr
  }
})

const countyFips: Rule = patterned({
  type: "FIPS code of a county, 5 digits",
  form: /^\d{5}$/,
  expected: "the 5-digit FIPS code of a county",
  schema: { pattern: `^(${stateFips.join("|")})\\d{3}$` },
  store: (read) => stateOfCounty(read) === undefined ? null : read
})

const assetCategory: Rule = patterned({
  type: "word",
  form: /./,
  expected: `one of ${AssetCategory.literals.join(", ")}`,
  schema: { enum: AssetCategory.literals },
  store: (read) => assetCategoryNamed(read) ?? null
})

const mostTexts = 1000
const notTexts = new Invalid(`must be an array of at most ${mostTexts} texts`)

const textArray: Rule = {
  type: `array of at most ${mostTexts} texts`,
  schema: { type: "array", items: { type: "string", maxLength: longestText }, maxItems: mostTexts },
  check: (value) => {
    if (!Array.isArray(value) || value.length > mostTexts) return notTexts
    const texts: Array<string> = []
    for (const entry of value) {
      const read = textOf(entry, longestText)
      if (read instanceof Invalid) return read
      if (read !== null) texts.push(read)
    }
    return texts
  }
}

const addressText: Rule = {
  type: `text of at most ${longestText} characters`,
  schema: { type: "string", maxLength: longestText },
  check: (value) => textOf(value, longestText)
}

/** The parts of a mailing address, which may be abroad: its state is any text. */
export const addressParts = { line1: addressText, city: addressText, state: addressText, zip } as const

const isAddressPart = (name: string): name is keyof typeof addressParts => Object.hasOwn(addressParts, name)

const checkAddress: Check = (value, bounds) => {
  if (typeof value !== "object" || Array.isArray(value)) {
    return new Invalid("must be an object of line1, city, state, zip")
  }
  const parts = new Map<string, string>()
  for (const [name, part] of Object.entries(value)) {
    if (!isAddressPart(name)) return new Invalid(`has the unknown part ${name}`)
    if (part === null) continue
    const read = addressParts[name].check(part, bounds)
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

const address: Rule = { type: "object", schema: { type: "object" }, check: checkAddress }

const earliestYear = 1600

const year: Rule = {
  type: "year",
  // The latest one depends on the day.
  schema: { type: "integer", minimum: earliestYear, maximum: 9999 },
  check: (value, { latestYear }) =>
    typeof value === "number" && Number.isInteger(value) && value >= earliestYear && value <= latestYear
      ? value
      : new Invalid(`must be a year from ${earliestYear} to ${latestYear}`)
}

const largestInteger = 2_147_483_647

/** The rule of each kind of property field. */
export const rules: { readonly [K in FieldKind]: Rule } = {
  text,
  state: stateCode,
  zip,
  fips: countyFips,
  latitude: number(-90, 90, "degrees (WGS84)", round6),
  longitude: number(-180, 180, "degrees (WGS84)", round6),
  size: wholeNumber(0, largestInteger, "square feet"),
  land: wholeNumber(0, 1e13, "square feet"),
  count: wholeNumber(0, largestInteger),
  year,
  floors: number(0, 300),
  money: wholeNumber(0, 1e15, "US dollars"),
  boolean,
  date,
  timestamp,
  textArray,
  address,
  assetCategory,
  footprintSource: oneOf(["measured", "assessor", "estimated"])
}

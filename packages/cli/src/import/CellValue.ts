/**
 * From the text of a cell to a value of a type. What is not a value of the type is told, never guessed.
 *
 * Thousands separators are read where they stand in groups of three. `1916.0` is a whole number; `1916.5` is one only
 * when the map asks for rounding.
 */
import { isDay } from "@freehold/core/operation/IsoMoment"
import { DateTime, Result, Schema } from "effect"

export const CellType = Schema.Literals(["text", "integer", "number", "date", "boolean", "texts"])
export type CellType = typeof CellType.Type

/** How a date is written: an order of YYYY, MM and DD with anything between them, or `excel` for a day number. */
export const DateFormat = Schema.String.check(
  Schema.makeFilter((text) =>
    text === "excel" || ["YYYY", "MM", "DD"].every((part) => text.split(part).length === 2) ||
    "expected \"excel\" or one each of YYYY, MM and DD, such as MM/DD/YYYY, which reads 1/31/2026 too"
  )
)

export interface CellOptions {
  readonly type: CellType
  /** A number is multiplied by it. */
  readonly times: number
  /** A fraction is rounded to the nearest whole number, half up. */
  readonly round: boolean
  readonly dateFormat: string
  /** What stands between several texts in one cell. */
  readonly separator: string
}

export type CellResult = Result.Result<string | number | boolean | ReadonlyArray<string>, string>

const numberForm = /^[+-]?(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?(e[+-]?\d+)?$/i

/** As a reason shows it: quoted and not long. */
export const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)

const numberOf = (text: string): number | undefined => {
  if (!numberForm.test(text) || !/\d/.test(text)) return undefined
  const value = Number(text.replaceAll(",", ""))
  return Number.isFinite(value) ? value : undefined
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["y", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["n", false],
  ["0", false]
])

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

const patterns = new Map<string, RegExp>()

/** The pattern of a date format, of which a map has few. */
const patternOf = (format: string): RegExp => {
  const known = patterns.get(format)
  if (known !== undefined) return known
  const pattern = makePattern(format)
  patterns.set(format, pattern)
  return pattern
}

/** `MM` and `DD` match one digit too where something stands between the parts. */
const makePattern = (format: string): RegExp => {
  const digits = /[^YMD]/.test(format) ? "{1,2}" : "{2}"
  const pattern = literal(format)
    .replace("YYYY", "(?<year>\\d{4})")
    .replace("MM", `(?<month>\\d${digits})`)
    .replace("DD", `(?<day>\\d${digits})`)
  return new RegExp(`^${pattern}$`)
}

/** Days before 1 March 1900 differ between spreadsheet programs and are not read. */
const firstSafeSerial = 61
const dayMillis = 86_400_000
const serialOrigin = Date.UTC(1899, 11, 30)

const isMonth = (month: string): boolean => Number(month) >= 1 && Number(month) <= 12

/** Such days need no calendar, which costs more than the rest of reading a date. */
const isInEveryMonth = (day: string): boolean => Number(day) >= 1 && Number(day) <= 28

const dateOf = (text: string, format: string): string | undefined => {
  if (format === "excel") {
    const serial = numberOf(text)
    return serial === undefined || serial < firstSafeSerial || serial > 2_958_465
      ? undefined
      : isoDay(serialOrigin + Math.floor(serial) * dayMillis)
  }
  const parts = patternOf(format).exec(text)?.groups
  if (parts === undefined) return undefined
  const { day = "", month = "", year = "" } = parts
  const read = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  return isInEveryMonth(day) && isMonth(month) && year >= "1600" || isDay(read) ? read : undefined
}

const isoDay = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis)).slice(0, 10)

/** Reads a trimmed cell that is not empty. Whether a day is too late is checked where the row is. */
export const read = (text: string, options: CellOptions): CellResult => {
  switch (options.type) {
    case "text":
      return Result.succeed(text)
    case "texts":
      return Result.succeed(text.split(options.separator).map((part) => part.trim()).filter((part) => part !== ""))
    case "boolean": {
      const value = booleans.get(text.toLowerCase())
      return value === undefined ? Result.fail(`${shown(text)} is neither true nor false`) : Result.succeed(value)
    }
    case "date": {
      const value = dateOf(text, options.dateFormat)
      return value === undefined
        ? Result.fail(
          `${shown(text)} is not a date of the form ${options.dateFormat}${
            options.dateFormat === "excel" ? "" : ", not before 1600"
          }`
        )
        : Result.succeed(value)
    }
    case "number":
    case "integer": {
      const { round, times, type } = options
      const number = numberOf(text)
      if (number === undefined) return Result.fail(`${shown(text)} is not a number`)
      const value = number * times
      if (type === "number" || Number.isInteger(value)) return Result.succeed(value)
      return round
        ? Result.succeed(Math.round(value))
        : Result.fail(`${shown(text)}${times === 1 ? "" : ` times ${times}`} is not a whole number`)
    }
  }
}

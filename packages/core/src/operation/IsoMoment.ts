/**
 * Days and instants as people and files write them: ISO-8601, on the calendar, not before 1600.
 *
 * *Gotcha*: parsing alone turns 30 February into 1 or 2 March.
 */
import { DateTime, Option, Schema } from "effect"
import { nextMidnight } from "./UtcTime.ts"

const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** The instant in ISO-8601 UTC with milliseconds, null for none. */
const utc = (text: string): string | null =>
  Option.match(DateTime.make(text), { onNone: () => null, onSome: DateTime.formatIso })

/** Whether the calendar has the day `YYYY-MM-DD`. */
export const isDay = (text: string): boolean => text >= "1600" && utc(`${text}T00:00:00Z`)?.startsWith(text) === true

/** The instant of a day (its start, UTC) or of a time with its zone, in UTC with milliseconds; null for anything else. */
export const read = (text: string): string | null => {
  const instant = form.test(text) && isDay(text.slice(0, 10)) ? utc(text) : null
  return instant === null || instant < "1600" ? null : instant
}

/** What a time with an offset east of Greenwich becomes in a query, where `+` is a space. */
const plusLost = (text: string): boolean => read(text.replace(" ", "+")) !== null

const isRead = Schema.makeFilter(
  (text: string) =>
    read(text) !== null || (plusLost(text)
      ? "Expected the + of the time's zone as %2B, since it stands for a space in a query"
      : "Expected an ISO-8601 day, or a time with its zone, such as 2026-01-31 or 2026-01-31T00:00:00Z"),
  { title: "ISO day or time" }
)

/** A day or an instant, kept as it was written. */
export const IsoMoment = Schema.String.check(isRead)

/** The same with what it means. Said of `IsoMoment`, it would be said of a check that documents leave out. */
export const isoMoment = (description: string) => Schema.String.annotate({ description }).check(isRead)

/** Where a span begins that is written as beginning then, in milliseconds. */
export const startOf = (moment: string): number => Date.parse(moment)

/** Where a span ends that is written as ending then, in milliseconds: with the end of a day, or before an instant. */
export const endOf = (moment: string): number => isDay(moment) ? nextMidnight(startOf(moment)) : startOf(moment)

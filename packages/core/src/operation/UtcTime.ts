/** Moments of the UTC calendar, in milliseconds since the epoch. */
import { DateTime } from "effect"

/** The next midnight UTC after `now`. */
export const nextMidnight = (now: number): number => (Math.floor(now / 86_400_000) + 1) * 86_400_000

/** The first millisecond of the UTC month. */
export const monthStart = (now: number): number =>
  DateTime.toEpochMillis(DateTime.startOf(DateTime.makeUnsafe(now), "month"))

/** The first millisecond of the UTC month after that of `now`. */
export const nextMonth = (now: number): number =>
  DateTime.toEpochMillis(DateTime.add(DateTime.startOf(DateTime.makeUnsafe(now), "month"), { months: 1 }))

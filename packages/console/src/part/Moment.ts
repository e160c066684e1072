/** When something was, or is due: days from now in words, and moments in UTC. */
import { dayOf } from "./Wording.ts"

const dayMillis = 86_400_000

const startOfDay = (millis: number): number => Math.floor(millis / dayMillis)

/** Whole days that have passed since. */
export const daysSince = (iso: string, now = Date.now()): number =>
  Math.max(0, Math.floor((now - Date.parse(iso)) / dayMillis))

/** `today`, `1 day`, `12 days`. */
export const ageOf = (iso: string, now = Date.now()): string => {
  const days = daysSince(iso, now)
  return days === 0 ? "today" : days === 1 ? "1 day" : `${days} days`
}

/** Whether its UTC day has come. */
export const isDue = (iso: string, now = Date.now()): boolean => startOfDay(Date.parse(iso)) <= startOfDay(now)

/** `overdue since Dec 1, 2026`, `due today`, `due Dec 1, 2026`. */
export const dueIn = (iso: string, now = Date.now()): string => {
  const days = startOfDay(Date.parse(iso)) - startOfDay(now)
  return days === 0 ? "due today" : days < 0 ? `overdue since ${dayOf(iso)}` : `due ${dayOf(iso)}`
}

const minute = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" })

/** A moment to the minute, in UTC and said so. */
export const momentOf = (iso: string): string => `${minute.format(new Date(iso))} UTC`

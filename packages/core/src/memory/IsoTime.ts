/** Times as ports show them. */
import { DateTime } from "effect"

/** ISO-8601 with milliseconds. */
export const isoOf = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(Math.floor(millis)))

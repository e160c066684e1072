/**
 * The announcement that an endpoint goes: on every answer of it `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and
 * `Link; rel="deprecation"`. decisions, section 17.
 */
import { DateTime } from "effect"

export interface Deprecation {
  /** The day of the notice, as `2026-10-01`. */
  readonly since: string
  /** The day from which the endpoint may be gone: at least twelve months later. */
  readonly ends: string
  /** Where it is told what to call instead. */
  readonly notice: string
}

const dayOf = (text: string): DateTime.Utc => DateTime.makeUnsafe(`${text}T00:00:00.000Z`)

/** `link`: what the answer links without it. */
export const headersOf = (
  { ends, notice, since }: Deprecation,
  link: string | undefined
): Readonly<Record<string, string>> => ({
  deprecation: `@${DateTime.toEpochMillis(dayOf(since)) / 1000}`,
  sunset: DateTime.toDateUtc(dayOf(ends)).toUTCString(),
  link: [...link === undefined ? [] : [link], `<${notice}>; rel="deprecation"`].join(", ")
})

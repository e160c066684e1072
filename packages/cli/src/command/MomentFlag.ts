/** Moments and spans of time as flags of commands. */
import * as IsoMoment from "@freehold/core/operation/IsoMoment"
import { Duration, Option } from "effect"
import { Flag } from "effect/cli"
import { duration } from "../setting/SettingForm.ts"

/** What a moment looks like, for whoever wrote another text. */
export const momentForm = "an ISO-8601 time with its zone, such as 2027-01-01T00:00:00Z"

/** In milliseconds. */
export const momentOf = (text: string): Option.Option<number> =>
  Option.map(Option.fromNullishOr(IsoMoment.read(text)), Date.parse)

/** `--expires T`. */
export const expiresFlag = (meaning: string) =>
  Flag.String("expires").pipe(
    Flag.withMetavar("T"),
    Flag.withDescription(`${meaning}; as in 2027-01-01T00:00:00Z`),
    Flag.filterMap(momentOf, (text) => `Expected ${momentForm}, got "${text}"`),
    Flag.optional
  )

/** `24h`, or a duration as in the settings. */
const durationOf = (text: string): Option.Option<Duration.Duration> =>
  duration.parse(text.replace(/^(\d{1,6})h$/, "$1 hours"))

/** `--overlap DURATION`: a day by default. */
export const overlapFlag = (meaning: string) =>
  Flag.String("overlap").pipe(
    Flag.withMetavar("DURATION"),
    Flag.withDescription(meaning),
    Flag.filterMap(durationOf, (text) => `Expected ${duration.expected}, or 24h, got ${text}`),
    Flag.withDefault(Duration.hours(24))
  )

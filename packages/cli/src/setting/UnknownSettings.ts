/**
 * Variables of the environment that look like settings and are none: nobody sets one on purpose, and what it was to
 * decide is silently as it was.
 */
import { nearest } from "@freehold/core/operation/Nearest"
import { Effect } from "effect"
import { otherVariables, settings } from "./SettingList.ts"

const prefix = "FREEHOLD_"

const names: ReadonlyArray<string> = Object.values(settings).map(({ name }) => name)

const known: ReadonlySet<string> = new Set([...names, ...otherVariables.map(({ name }) => name)])

const withoutPrefix = (name: string): string => name.startsWith(prefix) ? name.slice(prefix.length) : name

const byShortName: ReadonlyMap<string, string> = new Map(names.map((name) => [withoutPrefix(name), name]))

/** A sentence for each variable of those that is no setting, with the one that may have been meant. */
export const unknownOf = (variables: ReadonlyArray<string>): ReadonlyArray<string> =>
  variables.filter((name) => name.startsWith(prefix) && !known.has(name)).sort().map((name) => {
    const meant = byShortName.get(nearest(withoutPrefix(name), byShortName.keys()) ?? "")
    return `${name} is no setting${meant === undefined ? "; see: freehold settings" : `; did you mean ${meant}?`}`
  })

/** Those of this process. */
export const unknown: Effect.Effect<ReadonlyArray<string>> = Effect.sync(() => unknownOf(Object.keys(process.env)))

/** Logs a warning for each. */
export const warn = Effect.flatMap(
  unknown,
  Effect.forEach((sentence) => Effect.logWarning(sentence), { discard: true })
)

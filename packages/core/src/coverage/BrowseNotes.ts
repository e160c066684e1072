/** Why a browse of people or firms answers nothing, or nothing of some of the counties that it asks for. */
import { outsideOf } from "./OutsideArea.ts"
import type { Perspective } from "./Territory.ts"

/** Arguments that choose no rows. */
const ways: ReadonlySet<string> = new Set(["limit", "offset", "cursor", "sort", "marketCountyFips"])

interface Browsed {
  /** How many are on the page. */
  readonly shown: number
  readonly total: number
}

/** `nobody`: who is seen and does not fit. */
export const browseNotes = (
  perspective: Perspective,
  asked: { readonly countyFips?: ReadonlyArray<string>; readonly cursor?: unknown; readonly offset?: number },
  { shown, total }: Browsed,
  nobody: string
): ReadonlyArray<string> => {
  if (total > 0 && (asked.cursor !== undefined || (asked.offset ?? 0) > 0)) {
    return shown === 0 && asked.cursor === undefined
      ? [`Only ${total} match: offset begins behind the last of them.`]
      : []
  }
  const counties = Array.from(new Set(asked.countyFips))
  const outside = outsideOf(
    perspective,
    counties.map((countyFips) => ({ countyFips, name: null, state: null }))
  )
  if (total > 0 || outside.length > 0) return outside
  const chosen = Object.keys(asked).filter((key) => !ways.has(key))
  return chosen.length === 0
    ? [`${nobody} is recorded yet.`]
    : chosen.length === 1
    ? [`${nobody} fits ${chosen[0]}.`]
    : [`${nobody} fits all of ${chosen.join(", ")}: leave one out.`]
}

/**
 * How many property pages a person opens before it no longer looks like reading. service-api "Fair use in the app",
 * decisions, section 10.
 *
 * Distinct properties of one person count, in windows that end now; opening one again counts no second time. Search, lists,
 * the map, the pipeline and everything that a key or an assistant does are not looked at.
 */

/** At most so many distinct properties within so many milliseconds. */
export interface ViewingWindow {
  readonly millis: number
  readonly most: number
}

const minute = 60_000

export const viewingWindows: ReadonlyArray<ViewingWindow> = [
  { millis: 10 * minute, most: 60 },
  { millis: 60 * minute, most: 200 },
  { millis: 24 * 60 * minute, most: 800 }
]

/** How long pages stay closed then, in milliseconds; nobody has to lift it. */
export const pauseMillis = 30 * minute

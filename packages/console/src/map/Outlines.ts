/**
 * The outlines of states and counties, from files that the service itself serves: boundaries of the Census Bureau, as
 * `us-atlas` has them.
 *
 * *Gotcha*: it is the edition of 2017; counties that came later have none.
 */
import countiesUrl from "us-atlas/counties-10m.json?url"
import statesUrl from "us-atlas/states-10m.json?url"
import { Refused } from "../service/Call.ts"
import { type Outline, outlinesOf } from "./Topology.ts"

/** One for all of them, so that they are read again together. */
const unread = new Refused("OFFLINE", "The server cannot be reached.")

const load = async (url: string, name: string): Promise<ReadonlyArray<Outline>> => {
  try {
    const response = await fetch(url)
    return outlinesOf(await response.json(), name)
  } catch {
    throw unread
  }
}

/** What failed is read again when it is asked for again. */
const once = <A>(read: () => Promise<A>) => {
  let kept: Promise<A> | undefined
  return () => {
    kept ??= read().catch((cause: unknown) => {
      kept = undefined
      throw cause
    })
    return kept
  }
}

export const states = once(() => load(statesUrl, "states"))

/** Each has the five digits of its county as its id. */
export const counties = once(() => load(countiesUrl, "counties"))

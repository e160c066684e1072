/**
 * The outlines of states and counties, from files that the service itself serves: boundaries of the Census Bureau, as
 * `us-atlas` has them.
 *
 * *Gotcha*: it is the edition of 2017; counties that came later have none.
 */
import countiesUrl from "us-atlas/counties-10m.json?url"
import statesUrl from "us-atlas/states-10m.json?url"
import { type Outline, outlinesOf } from "./Topology.ts"

const load = async (url: string, name: string): Promise<ReadonlyArray<Outline>> => {
  const response = await fetch(url)
  return outlinesOf(await response.json(), name)
}

const once = <A>(read: () => Promise<A>) => {
  let kept: Promise<A> | undefined
  return () => {
    kept ??= read()
    return kept
  }
}

export const states = once(() => load(statesUrl, "states"))

/** Each has the five digits of its county as its id. */
export const counties = once(() => load(countiesUrl, "counties"))

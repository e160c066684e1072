/**
 * How many deliveries of an endpoint one place takes in turn, and which endpoints are known to answer.
 *
 * A place that is given one delivery at a time stands idle while its outcome is recorded and the next one is claimed, and
 * to a quick endpoint that is most of the time. So it is given as many as the endpoint answers in a moment; a slow one, one
 * that fails, and one that is not known, one at a time.
 */
import { remember } from "@freehold/core/operation/Remember"

/** So long a place is busy with what it was given, by what the endpoint took so far: shorter than anything waits there. */
const moment = 300
const most = 20

/** Endpoints that are known to answer; the one that was not heard of longest is forgotten first. */
const known = 256

/** How much the last answer counts. */
const weight = 0.2

/** From the average milliseconds of an answer. */
export const within = (millis: number): number => Math.max(1, Math.min(most, Math.floor(moment / Math.max(millis, 1))))

export const make = () => {
  /** By endpoint; who answered last stands at the end. */
  const averages = new Map<string, number>()
  return {
    /** Of those whose last attempt arrived. */
    all: (): ReadonlyMap<string, number> => {
      const turns = new Map<string, number>()
      for (const [endpoint, millis] of averages) turns.set(endpoint, within(millis))
      return turns
    },
    /** An attempt that arrived, or one that did not. */
    note: (endpoint: string, arrived: boolean, millis: number): void => {
      const before = averages.get(endpoint) ?? millis
      if (arrived) remember(averages, endpoint, before + weight * (millis - before), known)
      else averages.delete(endpoint)
    }
  }
}

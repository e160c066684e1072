/**
 * Which places of deliveries the caller sees. A delivery of any other is listed without the place, and without what a receiver
 * or a CRM said of it, so that nobody within a territory learns of what lies beyond it.
 */
import { Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import { Standings } from "../coverage/Standings.ts"
import * as Territory from "../coverage/Territory.ts"

export const make = Effect.gen(function*() {
  const standings = yield* Standings

  /** Whether what is about a place, one of these, may be told; about none: only to who has no territory. */
  return Effect.fn("OpenPlaces.of")(function*(places: ReadonlyArray<string | null>) {
    const caller = yield* Caller
    // Whoever sees all of the organization's area may follow each of its deliveries.
    if (caller.territory === null) return () => true
    const { properties } = yield* standings.read({
      orgId: caller.organization.org_id,
      properties: [...new Set(places.flatMap((place) => place ?? []))],
      contacts: []
    })
    const open = new Set(
      // What is told of a retired record is its survivor's.
      properties.flatMap(({ countyFips, id, retiredInto }) =>
        retiredInto === null && Territory.sees(caller, countyFips) ? [id] : []
      )
    )
    return (place: string | null): boolean => place !== null && open.has(place)
  })
})

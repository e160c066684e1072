/** Lists the counties of an organization: all of them, since whoever chooses one has to find it. */
import { Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import type { ListCounties } from "./CountyOperations.ts"
import * as KnownCounties from "./KnownCounties.ts"

export const make = Effect.map(KnownCounties.make, (known) => {
  const list: HandlerOf<typeof ListCounties> = Effect.fn("CountyLister.list")(function*() {
    const caller = yield* Caller
    const switchedOn = Territory.switchedOn(caller.organization)
    const licensed = Territory.licensed(caller.organization)
    const isLicensed = (countyFips: string) => Number(Territory.contains(licensed, countyFips))
    const counties = (yield* known).filter(({ countyFips }) => Territory.contains(switchedOn, countyFips))
    return {
      counties: counties
        .toSorted((left, right) => isLicensed(right.countyFips) - isLicensed(left.countyFips))
        .map((county) => ({
          fips: county.countyFips,
          name: county.name,
          label: KnownCounties.labelOf(county),
          properties: county.properties,
          seen: Territory.sees(caller, county.countyFips)
        }))
    }
  })

  return { list }
})

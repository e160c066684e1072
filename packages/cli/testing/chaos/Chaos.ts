/** One fault in the middle of many deliveries: what was lost, repeated and billed. */
import type { Fault } from "./Faults.ts"
import { type Counts, make, type Place } from "./World.ts"

export interface Row extends Counts {
  readonly fault: string
  readonly deliveries: number
  /** Claimed when the fault came: so many may arrive twice. */
  readonly inFlight: number
  readonly seconds: number
  readonly note: string
}

export const play = async (place: Place, fault: Fault, deliveries: number): Promise<Row> => {
  const world = await make(place, deliveries, fault.options)
  try {
    const begun = performance.now()
    await world.half
    const held = await world.inFlight()
    const { inFlight = held, note = "" } = await fault.strike(world)
    await world.settled()
    const seconds = (performance.now() - begun) / 1000
    return { fault: fault.name, deliveries, inFlight, seconds, note, ...await world.count() }
  } finally {
    await world.close()
  }
}

/** What must not be, of a row; empty when all is well. */
export const faultsOf = ({ billed, deliveries, inFlight, lost, repeated, skewed }: Row): ReadonlyArray<string> => [
  ...lost === 0 ? [] : [`${lost} lost`],
  ...repeated <= inFlight ? [] : [`${repeated} repeated, of ${inFlight} in flight`],
  ...billed === deliveries ? [] : [`${billed} billed of ${deliveries}`],
  ...skewed === 0 ? [] : [`${skewed} signed with a wrong time`]
]

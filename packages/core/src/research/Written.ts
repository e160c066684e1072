/**
 * What of a strategy or a draft that was written before is told, where an owner of its property has asked since not to be listed:
 * nothing that would not be written today, since what it rests on may name the owner.
 *
 * Where nobody asked, all is told as it was written. Who is named by the very name is left out by `ResearchRuns` itself.
 */
import type { Contact } from "../contact/Contact.ts"
import { type Property, withholdsOwner } from "../property/Property.ts"
import type { Result, Strategy } from "./ResearchRun.ts"
import { strategyOf } from "./StrategyFacts.ts"

/** The person and the property that it is about; null: it is not known which, or it cannot be read any more. */
export interface About {
  readonly contact: Contact
  readonly property: Property | null
}

/** The points that may be told; null: all. */
const sayable = ({ contact, property }: About): ReadonlyArray<string> | null =>
  property === null || withholdsOwner(property) ? strategyOf(contact, property)?.points ?? [] : null

/** The strategy without the points that would not be written today. */
export const strategyTold = (strategy: Strategy, about: About): Strategy => {
  const points = sayable(about)
  return points === null ? strategy : { ...strategy, points: strategy.points.filter((point) => points.includes(point)) }
}

/** What is told of it; null: nothing. */
export const told = (result: Result, about: About): Result | null => {
  switch (result._tag) {
    case "Strategy":
      return { ...result, strategy: strategyTold(result.strategy, about) }
    case "Draft": {
      const points = sayable(about)
      return points === null || result.points?.every((point) => points.includes(point)) === true ? result : null
    }
    case "Claims":
      return result
  }
}

/** A person's tie to the property that deep research or a draft is about. */
import { Option } from "effect"
import type { Relationship } from "../contact/Contact.ts"
import * as Territory from "../coverage/Territory.ts"
import type { Organization } from "../organization/Organization.ts"

type Ties = ReadonlyArray<Relationship>

export const tieTo = (ties: Ties, propertyId: string | null): Option.Option<Relationship> =>
  Option.fromUndefinedOr(ties.find((tie) => tie.propertyId === propertyId))

/** Whether the organization may read what research found out about the property. */
export const isOpen = ({ countyFips, unlocked }: Relationship, organization: Organization): boolean =>
  unlocked || Territory.covers(organization, countyFips)

/** The properties of the person that may be talked about: those that are seen, the open ones first. */
export const seenTies = (ties: Ties, perspective: Territory.Perspective): Ties => {
  const seen = ties.filter(({ countyFips }) => Territory.sees(perspective, countyFips))
  const open = (tie: Relationship) => isOpen(tie, perspective.organization)
  return [...seen.filter(open), ...seen.filter((tie) => !open(tie))]
}

/** How many more of their properties could have been chosen, where none was asked for. */
export const othersThan = (
  chosen: string | null,
  { asked, perspective, ties }: {
    readonly asked: string | undefined
    readonly perspective: Territory.Perspective
    readonly ties: Ties
  }
) => {
  if (asked !== undefined || chosen === null) return {}
  const others = new Set(seenTies(ties, perspective).map(({ propertyId }) => propertyId))
  others.delete(chosen)
  return others.size === 0 ? {} : { other_properties: others.size }
}

/** How one organization reads a contact of the state in memory: with the properties that are not retired. */
import type { Contact } from "../../contact/Contact.ts"
import type { ContactStanding } from "../../contact/Contacts.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { listedTies } from "../Listed.ts"
import type { State } from "../MemoryState.ts"
import { readingOf } from "../property/PropertyReading.ts"
import { withRefusals } from "./RefusedAddresses.ts"

/** One organization's reading of the state as it is now. */
export const contactReadingOf = (state: State, orgId: string) => {
  const { unlocked } = readingOf(state, orgId)
  const ties = Map.groupBy(listedTies(state), ({ contactId }) => contactId)
  const accesses = state.accounts.get(orgId)?.contacts
  const refusing = withRefusals(state)

  const standing = (contact: Contact): ContactStanding => {
    const source = accesses?.get(contact.id)?.source
    return {
      contact: refusing(contact),
      relationships: (ties.get(contact.id) ?? []).flatMap((tie) => {
        const property = state.properties.get(tie.propertyId)
        if (property === undefined || property.retiredInto !== null) return []
        const { address, city, countyFips, state: abbr } = property
        const { attributionType, propertyId, relationshipStatus, role } = tie
        return [{
          propertyId,
          countyFips,
          address,
          city,
          state: abbr,
          role,
          relationshipStatus,
          attributionType,
          researched: property.research !== null,
          unlocked: unlocked(propertyId)
        }]
      }).sort((left, right) => compareText(left.propertyId, right.propertyId)),
      access: source === "paid" || source === "free" ? source : null
    }
  }

  return { standing }
}

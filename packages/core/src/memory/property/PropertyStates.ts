/** What a property is to an organization beside its access: a lead that goes on, a customer. */
import type { State } from "../MemoryState.ts"

const ended: ReadonlySet<string> = new Set(["lost", "disqualified"])

export const standingOf = (state: State, orgId: string, propertyId: string) => {
  const kept = `${orgId} ${propertyId}`
  const lead = state.leads.get(kept)
  return {
    lead: lead !== undefined && !ended.has(lead.status),
    customer: state.customerAccounts.get(kept) === "active"
  }
}

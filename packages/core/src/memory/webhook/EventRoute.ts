/** To which endpoints an event goes, in memory. */
import { contains, switchedOn } from "../../coverage/Territory.ts"
import { isBeforeSubscription, isWithdrawn, placesOf, survivor } from "../change/ChangeFacts.ts"
import type { State, StoredChange, StoredEndpoint, StoredEvent } from "../MemoryState.ts"

/** Why an event about a change is told to nobody; null while it may be told. */
const untold = (state: State, event: StoredEvent, change: StoredChange): string | null =>
  isWithdrawn(state, change.id, event.orgId)
    ? "retracted_before_send"
    : change.contactId !== null && state.suppressedContacts.has(change.contactId)
    ? "owner_suppressed"
    : state.organizations.get(event.orgId)?.features.signals === true
    ? null
    : "signals_not_enabled"

const sees = (state: State, orgId: string, countyFips: string): boolean => {
  const organization = state.organizations.get(orgId)
  return organization !== undefined && contains(switchedOn(organization), countyFips)
}

/**
 * The active endpoints that an event is for. That a change was taken back is told to those who were, or are being, sent
 * the change, at an endpoint that theirs replaced as well; no change to an organization that subscribed to changes only later.
 */
const receiversOf = (
  state: State,
  event: StoredEvent,
  active: ReadonlyArray<StoredEndpoint>
): ReadonlyArray<StoredEndpoint> => {
  const subscribed = active.filter((endpoint) => endpoint.subscribedEvents.includes(event.type))
  if (event.type === "signal.withdrawn") {
    return subscribed.filter(({ orgId, targetKey }) =>
      [...state.deliveries.values()].some((sent) =>
        sent.eventId === event.withdrawsEventId && sent.orgId === orgId &&
        state.endpoints.get(sent.endpointId)?.targetKey === targetKey &&
        (sent.attempts + sent.resends > 0 || sent.data !== null || sent.claimedUntil !== null)
      )
    )
  }
  const { changeId = null } = event
  return changeId !== null && isBeforeSubscription(state, changeId, event.orgId) ? [] : subscribed
}

/** To whom an event goes and about what, or why to nobody. */
export const routeOf = (state: State, event: StoredEvent) => {
  const skip = (reason: string) => ({ skip: reason, propertyId: null, endpointIds: [] })
  if (event.type === "lead.changed") return skip("record_only")
  const property = event.propertyId === null ? undefined : survivor(state, event.propertyId)
  if (event.propertyId !== null && property === undefined) return skip("property_retired")
  const change = state.changes.find(({ id }) => id === event.changeId)
  if (event.type !== "signal.withdrawn") {
    const reason = change === undefined ? null : untold(state, event, change)
    if (reason !== null) return skip(reason)
    const places = change === undefined ? [property?.countyFips ?? []].flat() : placesOf(state, change)
    if (!places.some((countyFips) => sees(state, event.orgId, countyFips))) return skip("out_of_territory")
  }
  const active = [...state.endpoints.values()].filter((endpoint) => endpoint.orgId === event.orgId && endpoint.active)
  if (active.length === 0) return skip("no_active_endpoint")
  const subscribed = receiversOf(state, event, active)
  if (subscribed.length === 0) return skip("no_subscriber")
  const pushes = state.organizations.get(event.orgId)?.features.full_crm_export === true
  const receivers = subscribed.filter(({ crm }) => crm === null || pushes)
  if (receivers.length === 0) return skip("plan_not_eligible")
  return { skip: null, propertyId: property?.id ?? null, endpointIds: receivers.map(({ id }) => id) }
}

/** Changes in memory: what each organization is told of them, and how they stand. */
import { Effect } from "effect"
import type { SecureRandom } from "effect/crypto"
import type { Change, WithdrawalReason } from "../../change/Changes.ts"
import { SignalKind } from "../../change/SignalKind.ts"
import * as Territory from "../../coverage/Territory.ts"
import type { Organization } from "../../organization/Organization.ts"
import { ownerNameKey } from "../../suppression/OwnerName.ts"
import { recordEvent } from "../event/EventRecord.ts"
import { isoOf } from "../IsoTime.ts"
import type { State, StoredChange, StoredEvent, StoredProperty } from "../MemoryState.ts"

/** The last survivor of a property that was merged away. */
export const survivor = (state: State, propertyId: string): StoredProperty | undefined => {
  const seen = new Set<string>()
  let property = state.properties.get(propertyId)
  while (property !== undefined && property.retiredInto !== null && !seen.has(property.id)) {
    seen.add(property.id)
    property = state.properties.get(property.retiredInto)
  }
  return property?.retiredInto === null ? property : undefined
}

/** The counties of the subject; of a person who asked not to be listed too. */
export const placesOf = (state: State, { contactId, propertyId }: StoredChange): ReadonlyArray<string> =>
  propertyId !== null
    ? [survivor(state, propertyId)?.countyFips ?? []].flat()
    : state.propertyContacts.flatMap((tie) => {
      const property = tie.contactId === contactId ? state.properties.get(tie.propertyId) : undefined
      return property === undefined || property.retiredInto !== null ? [] : [property.countyFips]
    })

const seesAny = (organization: Organization, counties: ReadonlyArray<string>): boolean =>
  counties.some((county) => Territory.sees(Territory.wholeArea(organization), county))

/** Records an event for each organization that has changes switched on and sees the subject. */
export const relay = Effect.fnUntraced(function*(
  state: State,
  random: SecureRandom.SecureRandom["Service"],
  now: number
) {
  for (const change of state.changes.filter(({ id }) => !state.relayedChanges.has(id))) {
    state.relayedChanges.add(change.id)
    const told = change.kind === "withdrawn"
      ? [...state.events.values()].filter((event) =>
        event.changeId === change.withdraws && event.type !== "signal.withdrawn"
      )
      : [...state.organizations.values()].filter((organization) =>
        organization.features.signals && organization.status !== "closed" &&
        seesAny(organization, placesOf(state, change))
      )
    const ids = yield* Effect.orDie(Effect.replicateEffect(random.uuidV4(), told.length))
    told.forEach((each, index) => {
      const id = ids[index]
      if (id === undefined) return
      if ("org_id" in each) recordEvent(state, eventOf(change, id, each.org_id), now)
      else recordEvent(state, withdrawalOf(each, id, "source_correction", now), now)
    })
  }
})

const eventOf = (change: StoredChange, id: string, orgId: string) => ({
  id,
  orgId,
  type: `signal.${change.kind}`,
  propertyId: change.propertyId,
  subjectType: change.propertyId === null ? "contact" : "property",
  subjectId: change.propertyId ?? change.contactId,
  changeId: change.id,
  partial: false,
  test: false,
  byAgent: false,
  occurredAt: change.detectedAt ?? 0
})

/** The event that takes another one back. */
export const withdrawalOf = (event: StoredEvent, id: string, reason: WithdrawalReason, now: number) => ({
  id,
  orgId: event.orgId,
  type: "signal.withdrawn",
  propertyId: event.propertyId,
  subjectType: event.subjectType,
  subjectId: event.subjectId,
  withdrawsEventId: event.id,
  changeId: event.changeId ?? null,
  withdrawalReason: reason,
  partial: false,
  test: false,
  byAgent: false,
  occurredAt: now
})

/** Notes how much was recorded by then when an organization first subscribes to changes. */
export const noteSubscription = (state: State, orgId: string, events: ReadonlyArray<string>): void => {
  if (state.changeSubscriptions.has(orgId) || !events.some((type) => type.startsWith("signal."))) return
  state.changeSubscriptions.set(orgId, state.changes.length)
}

/** Whether a change was recorded before the organization first subscribed to changes, as all are while it has not. */
export const isBeforeSubscription = (state: State, changeId: string, orgId: string): boolean =>
  state.changes.findIndex(({ id }) => id === changeId) < (state.changeSubscriptions.get(orgId) ?? Infinity)

/** Taken back, for everyone or for the organization. */
export const isWithdrawn = (state: State, changeId: string, orgId: string): boolean =>
  state.changes.some(({ withdraws }) => withdraws === changeId) ||
  [...state.events.values()].some((event) =>
    event.orgId === orgId && event.changeId === changeId && event.type === "signal.withdrawn"
  )

const isKind = (kind: string): kind is SignalKind => SignalKind.literals.some((known) => known === kind)

/** None when it is no change but the withdrawal of one, or when its subject is gone. */
export const changeOf = (state: State, stored: StoredChange, orgId: string): Change | undefined => {
  const property = stored.propertyId === null ? undefined : survivor(state, stored.propertyId)
  const { kind } = stored
  if (!isKind(kind) || stored.propertyId !== null && property === undefined) return undefined
  const suppressed = (side: StoredChange["before"]): boolean =>
    kind === "ownership_transfer" && (
      property !== undefined && state.suppressedProperties.has(property.id) ||
      state.suppressedOwners.has(ownerNameKey(String(side?.["value"] ?? "")))
    )
  return {
    signalId: stored.id,
    kind,
    subject: property === undefined
      ? { type: "contact", id: stored.contactId ?? "" }
      : { type: "property", id: property.id },
    detectedAt: isoOf(stored.detectedAt ?? 0),
    effectiveDate: stored.effectiveDate,
    source: stored.source,
    before: stored.before,
    after: stored.after,
    suppressed: { before: suppressed(stored.before), after: suppressed(stored.after) },
    countyFips: property?.countyFips ?? null,
    unlocked: property !== undefined &&
      state.accounts.get(orgId)?.properties.get(property.id)?.source === "paid",
    withdrawn: isWithdrawn(state, stored.id, orgId)
  }
}

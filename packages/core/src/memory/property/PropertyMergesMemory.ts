/** `PropertyMerges` in memory: one synchronous change of the state. */
import { Clock, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  type MergeCounts,
  type Merged,
  MergeRefused,
  nothingMoved,
  PropertyMerges
} from "../../property/PropertyMerges.ts"
import { MemoryState, type State, type StoredProperty } from "../MemoryState.ts"
import { tellToRemove } from "../suppression/SuppressionsMemory.ts"

/** Counts what a step moves. */
type Tally = typeof nothingMoved

const isOf = (key: string, propertyId: string): boolean => key.endsWith(` ${propertyId}`)

const underHeir = (key: string, gone: string, heir: string): string => `${key.slice(0, -gone.length)}${heir}`

/** Moves what stands under `<org id> <property id>`, and answers how much. */
const moveKept = <V>(
  kept: Map<string, V>,
  gone: string,
  heir: string,
  both: (ofGone: V, ofHeir: V) => V
): number => {
  let moved = 0
  for (const [key, value] of Array.from(kept)) {
    if (!isOf(key, gone)) continue
    const place = underHeir(key, gone, heir)
    const present = kept.get(place)
    kept.set(place, present === undefined ? value : both(value, present))
    kept.delete(key)
    moved += 1
  }
  return moved
}

const together = <A>(left: ReadonlyArray<A>, right: ReadonlyArray<A>): ReadonlyArray<A> => [...left, ...right]

const mergeAccess = (state: State, gone: string, heir: string, tally: Tally): void => {
  for (const [orgId, account] of state.accounts) {
    const usage = new Map(account.usage)
    for (const [name, count] of account.usage) {
      const moved = name.startsWith("taken ") && isOf(name, gone) ? underHeir(name, gone, heir) : name
      if (moved === name || usage.has(moved)) continue
      usage.delete(name)
      usage.set(moved, count)
      tally.records_taken += 1
    }
    const mergedCharges = new Map(
      [...account.mergedCharges].map(([charge, propertyId]) => [charge, propertyId === gone ? heir : propertyId])
    )
    state.accounts.set(orgId, { ...account, usage, mergedCharges })
    const ended = account.properties.get(gone)
    if (ended === undefined) continue
    const properties = new Map(account.properties)
    const held = properties.get(heir)
    properties.delete(gone)
    if (held === undefined || held.source === "covered" && ended.source === "paid") properties.set(heir, ended)
    else if (ended.source === "paid") {
      tally.paid_twice += 1
      if (ended.chargeEntry !== null) mergedCharges.set(ended.chargeEntry, heir)
    }
    state.accounts.set(orgId, { ...account, usage, mergedCharges, properties })
    tally.accesses += 1
  }
}

const mergeLeads = (state: State, gone: string, heir: string, tally: Tally): void => {
  for (const [key, lead] of Array.from(state.leads)) {
    if (!isOf(key, gone)) continue
    const place = underHeir(key, gone, heir)
    const present = state.leads.get(place)
    const history = state.leadHistory.get(key)
    state.leads.delete(key)
    state.leadHistory.delete(key)
    if (present !== undefined) tally.leads_resting += 1
    if (present !== undefined && lead.statusChangedAt <= present.statusChangedAt) continue
    state.leads.set(place, { ...lead, propertyId: heir })
    if (history !== undefined) state.leadHistory.set(place, history)
    tally.leads += 1
  }
}

/** A match takes back from the heir what it tied; but nothing that was said besides of either. */
const mergeOwnerTies = (state: State, gone: string, heir: string): void => {
  const said = new Set(
    [gone, heir].flatMap((property) =>
      (state.firms.get(property) ?? []).flatMap(({ id, role }) =>
        role === "owner" && !state.ownerTies.has(`${property} ${id}`) ? [id] : []
      )
    )
  )
  for (const [key, tie] of Array.from(state.ownerTies)) {
    const { firmId, propertyId } = tie
    const place = `${heir} ${firmId}`
    if (propertyId === gone || propertyId === heir && said.has(firmId)) state.ownerTies.delete(key)
    if (propertyId === gone && !said.has(firmId) && !state.ownerTies.has(place)) {
      state.ownerTies.set(place, { ...tie, propertyId: heir })
    }
  }
}

const mergeInto = (state: State, gone: StoredProperty, heir: StoredProperty): MergeCounts => {
  const tally: Tally = { ...nothingMoved }
  const attached = new Set(
    state.propertyContacts.filter(({ propertyId }) => propertyId === heir.id).map(({ contactId }) => contactId)
  )
  const ties = state.propertyContacts.splice(0)
  for (const tie of ties) {
    if (tie.propertyId !== gone.id) state.propertyContacts.push(tie)
    else if (!attached.has(tie.contactId)) {
      state.propertyContacts.push({ ...tie, propertyId: heir.id })
      tally.contacts += 1
    }
  }
  mergeOwnerTies(state, gone.id, heir.id)
  const firms = state.firms.get(heir.id) ?? []
  const more = (state.firms.get(gone.id) ?? []).filter((firm) =>
    !firms.some(({ id, role }) => id === firm.id && role === firm.role)
  )
  state.firms.set(heir.id, [...firms, ...more])
  state.firms.delete(gone.id)
  tally.firms = more.length

  mergeAccess(state, gone.id, heir.id, tally)
  mergeLeads(state, gone.id, heir.id, tally)
  tally.notes = [...state.notes].flatMap(([key, notes]) => isOf(key, gone.id) ? notes : []).length
  moveKept(state.notes, gone.id, heir.id, together)
  tally.tasks = [...state.tasks].flatMap(([key, tasks]) => isOf(key, gone.id) ? tasks : []).length
  moveKept(state.tasks, gone.id, heir.id, together)
  tally.customer_accounts = moveKept(
    state.customerAccounts,
    gone.id,
    heir.id,
    (ofGone, ofHeir) => ofGone === "active" ? ofGone : ofHeir
  )
  for (const [key, list] of state.lists) {
    const addedAt = list.items.get(gone.id)
    if (addedAt === undefined) continue
    const items = new Map(list.items)
    items.delete(gone.id)
    if (!items.has(heir.id)) {
      items.set(heir.id, addedAt)
      tally.list_items += 1
    }
    state.lists.set(key, { ...list, items })
  }
  state.changes.forEach((change, index) => {
    if (change.propertyId !== gone.id) return
    state.changes[index] = { ...change, propertyId: heir.id }
    tally.changes += 1
  })
  for (const event of state.events.values()) {
    if (event.propertyId !== gone.id) continue
    const subjectId = event.subjectType === "property" ? heir.id : event.subjectId
    state.events.set(event.id, { ...event, propertyId: heir.id, subjectId })
    tally.events += 1
  }
  const suppressedAt = state.suppressedProperties.get(gone.id)
  if (suppressedAt !== undefined && !state.suppressedProperties.has(heir.id)) {
    state.suppressedProperties.set(heir.id, suppressedAt)
  }

  state.mergedAway.add(gone.id)
  const moves = heir.research === null && gone.research !== null
  const { enrichmentStatus, hasBeneficialOwner, hasManagementCompany, lastEnrichedAt, research, researchedAt } = gone
  tally.research = moves ? 1 : 0
  state.properties.set(heir.id, {
    ...heir,
    ...moves
      ? { enrichmentStatus, hasBeneficialOwner, hasManagementCompany, lastEnrichedAt, research, researchedAt }
      : {}
  })
  for (const property of state.properties.values()) {
    if (property.id === gone.id || property.retiredInto === gone.id) {
      state.properties.set(property.id, { ...property, retiredInto: heir.id })
    }
  }
  return tally
}

const run = (state: State, from: string, into: string, dryRun: boolean): Effect.Effect<Merged, MergeRefused> => {
  const find = (named: string) =>
    state.properties.get(named) ?? [...state.properties.values()].find(({ key }) => key === named)
  const gone = find(from)
  if (gone === undefined) return Effect.fail(new MergeRefused({ reason: "unknown_from", named: from }))
  const named = find(into)
  const heir = named === undefined || named.retiredInto === null ? named : find(named.retiredInto)
  if (heir === undefined) return Effect.fail(new MergeRefused({ reason: "unknown_into", named: into }))
  if (gone.id === heir.id) return Effect.fail(new MergeRefused({ reason: "same", named: into }))
  const between = { from: { id: gone.id, key: gone.key }, into: { id: heir.id, key: heir.key } }
  if (gone.retiredInto === heir.id) return Effect.succeed({ outcome: "unchanged", ...between, moved: nothingMoved })
  if (gone.retiredInto !== null) return Effect.fail(new MergeRefused({ reason: "merged_elsewhere", named: from }))
  return Effect.succeed({
    outcome: "merged",
    ...between,
    moved: mergeInto(dryRun ? copyOf(state) : state, gone, heir)
  })
}

/** A state of its own; its values are never changed, only replaced. */
const copyOf = (state: State): State => ({
  ...state,
  properties: new Map(state.properties),
  mergedAway: new Set(state.mergedAway),
  propertyContacts: [...state.propertyContacts],
  firms: new Map(state.firms),
  ownerTies: new Map(state.ownerTies),
  accounts: new Map(state.accounts),
  leads: new Map(state.leads),
  leadHistory: new Map(state.leadHistory),
  notes: new Map(state.notes),
  tasks: new Map(state.tasks),
  customerAccounts: new Map(state.customerAccounts),
  lists: new Map(state.lists),
  changes: [...state.changes],
  events: new Map(state.events),
  suppressedProperties: new Map(state.suppressedProperties)
})

/** Who was sent a change of the owner of either property removes it where the survivor is suppressed. */
const settleChanges = Effect.fnUntraced(function*(
  state: State,
  random: SecureRandom.SecureRandom["Service"],
  { into, outcome }: Merged
) {
  if (outcome !== "merged" || !state.suppressedProperties.has(into.id)) return
  const now = yield* Clock.currentTimeMillis
  const ids = yield* Effect.orDie(Effect.replicateEffect(random.uuidV4(), state.events.size))
  tellToRemove(state, { kind: "property", id: into.id }, ids, now)
})

/** `PropertyMerges` in memory. */
export const layer: Layer.Layer<PropertyMerges, never, MemoryState | SecureRandom.SecureRandom> = Layer.effect(
  PropertyMerges,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const random = yield* SecureRandom.SecureRandom
    return PropertyMerges.of({
      merge: Effect.fn("PropertyMerges.merge")(({ dryRun, from, into }) =>
        Effect.suspend(() => run(state, from, into, dryRun)).pipe(
          Effect.tap((merged) => dryRun ? Effect.void : settleChanges(state, random, merged))
        )
      )
    })
  })
)

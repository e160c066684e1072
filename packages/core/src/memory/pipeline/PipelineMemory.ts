/** `Pipeline` in memory. */
import { Clock, Effect, Layer, Option, Result } from "effect"
import * as Territory from "../../coverage/Territory.ts"
import type { TemporarilyUnavailable } from "../../operation/TemporarilyUnavailable.ts"
import { compareText } from "../../operation/TextOrder.ts"
import {
  type Counting,
  type Lead,
  type LeadChange,
  type LeadRow,
  mostMoves,
  Pipeline,
  type StageChange
} from "../../pipeline/Pipeline.ts"
import { counting as countingIn, emptyAccount, usageOf } from "../credit/LedgerMemory.ts"
import { recordEvent, recordLeadChange } from "../event/EventRecord.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState, type State } from "../MemoryState.ts"
import { compareBy, readingOf } from "../property/PropertyReading.ts"
import { unlessRetired } from "../property/Retired.ts"

const keyOf = ({ orgId, propertyId }: Pick<LeadChange, "orgId" | "propertyId">): string => `${orgId} ${propertyId}`

/** The lead after the change; none when it is not at the version that was read. */
const after = (
  found: Lead | undefined,
  { actor, expected, move, now, owner, propertyId }: LeadChange
): Lead | undefined => {
  if ((found?.version ?? 0) !== expected) return undefined
  if (move === null) return found
  const moved = { ...move.to, statusChangedAt: isoOf(now), version: expected + 1 }
  if (found !== undefined) return { ...found, ...moved }
  return {
    propertyId,
    qualifiedAt: isoOf(now),
    qualifiedBy: actor,
    ownerId: owner?.id ?? null,
    ownerName: owner?.name ?? null,
    ...moved
  }
}

const stageChange = ({ actor, move, now }: LeadChange, lead: Lead): ReadonlyArray<StageChange> =>
  move === null ? [] : [{
    version: lead.version,
    from: move.from,
    to: lead.status,
    at: isoOf(now),
    actor,
    byAgent: actor.kind === "agent",
    dealValue: lead.dealValue,
    reasonCode: lead.lossReasonCode ?? lead.disqualifiedReason,
    note: move.note
  }]

const record = (state: State, change: LeadChange, flagChanged: boolean, recordedAt: number): void => {
  const event = {
    id: change.eventId,
    orgId: change.orgId,
    propertyId: change.propertyId,
    byAgent: change.actor.kind === "agent",
    occurredAt: change.now
  }
  if (change.expected === 0) {
    recordEvent(state, { ...event, type: "lead.qualified", partial: change.partial, test: false }, recordedAt)
  } else if (change.move !== null || flagChanged) {
    recordLeadChange(state, event, recordedAt)
  }
}

const write = (state: State, change: LeadChange, recordedAt: number): Option.Option<Lead> => {
  const key = keyOf(change)
  const lead = after(state.leads.get(key), change)
  if (lead === undefined) return Option.none()
  const wasCustomer = state.customerAccounts.get(key) === "active"
  const { customerStatus } = change
  state.leads.set(key, lead)
  state.leadHistory.set(key, [...state.leadHistory.get(key) ?? [], ...stageChange(change, lead)].slice(-mostMoves))
  if (customerStatus !== null) state.customerAccounts.set(key, customerStatus)
  record(state, change, customerStatus !== null && wasCustomer !== (customerStatus === "active"), recordedAt)
  return Option.some(lead)
}

/** The leads of an organization, each with its property. */
const ofOrganization = (state: State, orgId: string) =>
  [...state.leads].flatMap(([key, lead]) => {
    const property = state.properties.get(lead.propertyId)
    if (key !== keyOf({ orgId, propertyId: lead.propertyId }) || property === undefined) return []
    const { address, city, key: propertyKey, state: stateAbbr } = property
    const row: LeadRow = { ...lead, propertyKey, address, city, state: stateAbbr }
    return [{ property, row }]
  })

/** `Pipeline` in memory. */
export const layer: Layer.Layer<Pipeline, never, MemoryState> = Layer.effect(
  Pipeline,
  Effect.gen(function*() {
    const state = yield* MemoryState

    return Pipeline.of({
      standing: Effect.fn("Pipeline.standing")((ref, orgId) =>
        Effect.sync(() => {
          const reading = readingOf(state, orgId)
          return Option.map(Option.fromUndefinedOr(reading.find(ref)), (stored) => {
            const key = keyOf({ orgId, propertyId: stored.id })
            return {
              property: reading.standing(stored),
              lead: state.leads.get(key) ?? null,
              customerStatus: state.customerAccounts.get(key) ?? null
            }
          })
        })
      ),

      change: Effect.fn("Pipeline.change")(<E = never>(
        change: LeadChange,
        counting?: Counting<E>
      ): Effect.Effect<Option.Option<Lead>, E | TemporarilyUnavailable> =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (recordedAt) =>
            unlessRetired<Option.Option<Lead>, E>(state, [change.propertyId], () => {
              if (counting === undefined) return Effect.succeed(write(state, change, recordedAt))
              const { decide, usage } = counting
              const counted = decide(usageOf(state, change.orgId, usage))
              if (Result.isFailure(counted)) return Effect.fail(counted.failure)
              const lead = write(state, change, recordedAt)
              const account = state.accounts.get(change.orgId) ?? emptyAccount
              if (Option.isSome(lead)) {
                state.accounts.set(change.orgId, {
                  ...account,
                  usage: countingIn(account.usage, usage, counted.success)
                })
              }
              return Effect.succeed(lead)
            })
        )
      ),

      assign: Effect.fn("Pipeline.assign")(({ actor, eventId, now, orgId, owner, propertyId }) =>
        Effect.map(Clock.currentTimeMillis, (recordedAt) => {
          const key = keyOf({ orgId, propertyId })
          const found = state.leads.get(key)
          if (found === undefined) return Option.none()
          const lead = { ...found, ownerId: owner?.id ?? null, ownerName: owner?.name ?? null }
          state.leads.set(key, lead)
          if (lead.ownerId !== found.ownerId || lead.ownerName !== found.ownerName) {
            recordLeadChange(
              state,
              { id: eventId, orgId, propertyId, byAgent: actor.kind === "agent", occurredAt: now },
              recordedAt
            )
          }
          return Option.some(lead)
        })
      ),

      history: Effect.fn("Pipeline.history")((orgId, propertyId) =>
        Effect.sync(() => state.leadHistory.get(keyOf({ orgId, propertyId })) ?? [])
      ),

      list: Effect.fn("Pipeline.list")((orgId, { limit, offset, status, visible }) =>
        Effect.sync(() => {
          const leads = ofOrganization(state, orgId).flatMap(({ property: { countyFips, retiredInto }, row }) =>
            retiredInto !== null || !Territory.contains(visible, countyFips) || status !== null && row.status !== status
              ? []
              : [row]
          ).sort(compareBy(
            (left, right) => compareText(right.statusChangedAt, left.statusChangedAt),
            (left, right) => compareText(left.propertyId, right.propertyId)
          ))
          return { leads: leads.slice(offset, offset + limit), total: leads.length }
        })
      ),

      all: Effect.fn("Pipeline.all")((orgId, { after, limit }) =>
        Effect.sync(() =>
          ofOrganization(state, orgId).map(({ row }) => row)
            .filter(({ propertyId }) => after === null || propertyId > after)
            .toSorted((left, right) => compareText(left.propertyId, right.propertyId))
            .slice(0, limit)
        )
      )
    })
  })
)

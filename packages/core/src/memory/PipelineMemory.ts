/** `Pipeline` in memory. */
import { Clock, Effect, Layer } from "effect"
import { type Lead, type LeadRow, Pipeline } from "../pipeline/Pipeline.ts"
import { recordEvent } from "./EventRecord.ts"
import { isoOf } from "./IsoTime.ts"
import { MemoryState } from "./MemoryState.ts"

export const layer: Layer.Layer<Pipeline, never, MemoryState> = Layer.effect(
  Pipeline,
  Effect.gen(function*() {
    const state = yield* MemoryState

    return Pipeline.of({
      qualify: Effect.fn("Pipeline.qualify")(({ actor, dealValue, eventId, now, orgId, partial, propertyId }) =>
        Effect.map(Clock.currentTimeMillis, (recordedAt) => {
          const key = `${orgId} ${propertyId}`
          const found = state.leads.get(key)
          if (found !== undefined) return { lead: found, eventId: null, firstTime: false }
          const lead: Lead = {
            propertyId,
            status: "qualified",
            dealValue,
            qualifiedAt: isoOf(now),
            qualifiedBy: actor,
            statusChangedAt: isoOf(now),
            version: 1
          }
          state.leads.set(key, lead)
          recordEvent(state, {
            id: eventId,
            orgId,
            type: "lead.qualified",
            propertyId,
            partial,
            test: false,
            byAgent: actor.kind === "agent",
            occurredAt: now
          }, recordedAt)
          return { lead, eventId, firstTime: true }
        })
      ),

      list: Effect.fn("Pipeline.list")((orgId, { limit, offset }) =>
        Effect.sync(() => {
          const leads = [...state.leads].flatMap(([key, lead]): ReadonlyArray<LeadRow> => {
            const property = state.properties.get(lead.propertyId)
            if (key !== `${orgId} ${lead.propertyId}` || property === undefined) return []
            const { address, city, key: propertyKey, state: stateAbbr } = property
            return [{ ...lead, propertyKey, address, city, state: stateAbbr }]
          }).sort((left, right) =>
            left.statusChangedAt !== right.statusChangedAt
              ? left.statusChangedAt < right.statusChangedAt ? 1 : -1
              : left.propertyId < right.propertyId
              ? -1
              : 1
          )
          return { leads: leads.slice(offset, offset + limit), total: leads.length }
        })
      )
    })
  })
)

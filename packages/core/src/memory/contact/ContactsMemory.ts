/** `Contacts` in memory. */
import { Effect, Layer, Option } from "effect"
import { Contacts, type Written } from "../../contact/Contacts.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { isoOf } from "../IsoTime.ts"
import { MemoryState, type StoredRun } from "../MemoryState.ts"
import { contactReadingOf } from "./ContactReading.ts"

/** `Contacts` in memory. */
export const layer: Layer.Layer<Contacts, never, MemoryState> = Layer.effect(
  Contacts,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return Contacts.of({
      read: Effect.fn("Contacts.read")((contactId, orgId) =>
        Effect.sync(() =>
          Option.map(
            Option.fromUndefinedOr(state.contacts.get(contactId)),
            contactReadingOf(state, orgId).standing
          )
        )
      ),

      lastWritten: Effect.fn("Contacts.lastWritten")((orgId, { contactIds, propertyIds }) =>
        Effect.sync(() => {
          const last = (action: StoredRun["action"]): Written | null =>
            [...state.researchRuns.values()]
              .filter((run) => run.orgId === orgId && run.action === action)
              .flatMap(({ finishedAt, items, runId }) => items.map((item) => ({ ...item, at: finishedAt, runId })))
              .flatMap(({ at, propertyId, result, runId, subjectId }) => {
                const about = state.properties.get(propertyId ?? "")?.retiredInto ?? propertyId
                return at !== null && result !== null && about !== null && contactIds.includes(subjectId) &&
                    propertyIds.includes(about)
                  ? [{ runId, contactId: subjectId, propertyId: about, at: isoOf(at) }]
                  : []
              })
              .sort((left, right) => compareText(right.at, left.at) || compareText(right.runId, left.runId))[0] ?? null
          return { strategy: last("deep_research_contact"), draft: last("draft_email") }
        })
      )
    })
  })
)

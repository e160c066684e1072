/** `Board` in memory. */
import { Effect, Layer } from "effect"
import * as Territory from "../../coverage/Territory.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { Board, type BoardPage, type Card, type NextTask } from "../../pipeline/Board.ts"
import { MemoryState, type State } from "../MemoryState.ts"
import { compareBy } from "../property/PropertyReading.ts"

/** Later than any day that a task is due. */
const never = "9999"

const nextTaskOf = (state: State, key: string): NextTask | null => {
  const [first] = (state.tasks.get(key) ?? []).filter(({ status }) => status === "open").toSorted(compareBy(
    (left, right) => compareText(left.dueAt ?? never, right.dueAt ?? never),
    (left, right) => compareText(left.createdAt, right.createdAt),
    (left, right) => compareText(left.id, right.id)
  ))
  return first === undefined ? null : { title: first.title, dueAt: first.dueAt }
}

const cardsOf = (state: State, orgId: string, { ownerId, unmovedSince, visible }: BoardPage): ReadonlyArray<Card> =>
  Array.from(state.leads).flatMap(([key, lead]): ReadonlyArray<Card> => {
    const property = state.properties.get(lead.propertyId)
    const isAsked = key === `${orgId} ${lead.propertyId}` &&
      (ownerId === null || lead.ownerId === ownerId) &&
      (unmovedSince === null || Date.parse(lead.statusChangedAt) <= unmovedSince)
    if (!isAsked || property === undefined) return []
    const { address, city, countyFips, key: propertyKey, retiredInto, state: stateAbbr } = property
    return retiredInto !== null || !Territory.contains(visible, countyFips)
      ? []
      : [{ ...lead, propertyKey, address, city, state: stateAbbr, nextTask: nextTaskOf(state, key) }]
  }).toSorted(compareBy(
    (left, right) => compareText(right.statusChangedAt, left.statusChangedAt),
    (left, right) => compareText(left.propertyId, right.propertyId)
  ))

/** `Board` in memory. */
export const layer: Layer.Layer<Board, never, MemoryState> = Layer.effect(
  Board,
  Effect.map(MemoryState, (state) =>
    Board.of({
      read: Effect.fn("Board.read")((orgId, page) =>
        Effect.sync(() => {
          const all = cardsOf(state, orgId, page)
          return page.stages.map((status) => {
            const cards = all.filter((card) => card.status === status)
            return {
              status,
              total: cards.length,
              dealValue: cards.reduce((sum, card) => sum + (card.dealValue ?? 0), 0),
              cards: cards.slice(page.offset, page.offset + page.limit)
            }
          })
        })
      )
    }))
)

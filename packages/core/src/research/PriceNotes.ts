/** What there is to know of a price before it is paid. */
import { toldOf } from "../credit/CreditRefusals.ts"
import { prices } from "../credit/Price.ts"
import { readingOf, type RecordsAhead } from "../limit/Metering.ts"
import type { PricedAction } from "./PricedAction.ts"
import type { PriceResearch } from "./ResearchOperations.ts"

export type PricedItem = (typeof PriceResearch)["output"]["Type"]["items"][number]

/** What no money is asked for. */
export const isFreeOrRefused = ({ credits, refused }: PricedItem): boolean => refused !== null || credits === 0

const isTooLittle = (refused: string | null): boolean =>
  refused === "INSUFFICIENT_CREDITS" || refused === "USER_CREDIT_LIMIT_EXCEEDED"

/** What has to be paid before the action itself, and the sum. */
const openingNotes = (
  action: PricedAction,
  { credits: own, opening_credits: opening, property_id }: PricedItem
): ReadonlyArray<string> => {
  if (opening === undefined) return []
  // A draft is written on deep research, which needs the property open in turn.
  const research = action === "draft_email" ? prices.deep_research_contact : 0
  const parts = [`${opening} credits for that`, ...research === 0 ? [] : [`${research} for deep research`]]
  const sum = opening + research + own
  return [`The property ${property_id} must be open first: ${parts.join(", ")} and ${own} for this, ${sum} in all.`]
}

/** Of several that there is too little for: for how many it would be enough. */
const affordableOf = (items: ReadonlyArray<PricedItem>, { available, refused }: {
  readonly available: number
  readonly refused: string | null
}): ReadonlyArray<string> => {
  const paid = items.filter((item) => !isFreeOrRefused(item))
  const [first, ...others] = paid
  if (first === undefined || others.length === 0 || !isTooLittle(refused)) return []
  const enough = Math.floor(available / first.credits)
  return enough === 0 ? [] : [`There is enough for ${enough} of the ${paid.length}.`]
}

/** In sentences. */
export const notesOf = (
  action: PricedAction,
  items: ReadonlyArray<PricedItem>,
  { available, records, refused }: {
    readonly available: number
    readonly records: RecordsAhead | null
    readonly refused: string | null
  }
): ReadonlyArray<string> => {
  const [first, ...others] = items
  return [
    ...affordableOf(items, { available, refused }),
    ...first === undefined ? [] : openingNotes(action, first),
    ...first === undefined || others.length > 0 ? [] : toldOf(first),
    ...records !== null && records.needed > records.remaining ? [readingOf(records)] : []
  ]
}

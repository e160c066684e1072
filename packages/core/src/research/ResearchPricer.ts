/** Tells what research would cost before it is started, and what would be refused. */
import { Clock, DateTime, Duration, Effect, Option } from "effect"
import { Caller } from "../access/Caller.ts"
import { hasUsableEmail } from "../contact/Contact.ts"
import { total } from "../credit/Bucket.ts"
import { Ledger } from "../credit/Ledger.ts"
import { invalid } from "../operation/InvalidInput.ts"
import type { HandlerOf } from "../operation/Operation.ts"
import type { PriceResearch } from "./ResearchOperations.ts"
import { priceOf, type ResearchAction, subjectTypes } from "./ResearchRun.ts"
import * as ResearchSubjects from "./ResearchSubjects.ts"

type Input = (typeof PriceResearch)["input"]["Type"]

/** How long a quoted price is meant to hold. Prices change with a release, not with time. */
const quoteLife = Duration.minutes(15)

const refusedWith = ({ _tag }: { readonly _tag: string }) => Effect.succeed(_tag)

export const make = Effect.gen(function*() {
  const ledger = yield* Ledger
  const subjects = yield* ResearchSubjects.make

  /** Whether it costs nothing, since what would be found is there. */
  const isFree = Effect.fnUntraced(function*(action: ResearchAction, contactId: string, input: Input) {
    if (action === "draft_email") {
      yield* subjects.requiredStrategy(yield* subjects.addressee(contactId), input.property_id)
      return false
    }
    const standing = yield* subjects.contact(contactId)
    if (action === "find_email") return hasUsableEmail(standing.contact)
    if (action !== "deep_research_contact") return false
    const found = yield* subjects.strategy(standing, yield* subjects.places(standing, input.property_id))
    return Option.isSome(found) && input.again !== true
  })

  /** What one contact would cost, or why it would be refused. */
  const priceOfContact = Effect.fnUntraced(function*(action: ResearchAction, id: string, input: Input) {
    const refusal = yield* isFree(action, id, input).pipe(
      Effect.map((free) => free ? "FREE" : null),
      Effect.catchTags({
        NOT_FOUND: refusedWith,
        OUT_OF_TERRITORY: refusedWith,
        PROPERTY_RETIRED: refusedWith,
        PROPERTY_UNLOCK_REQUIRED: refusedWith,
        CONTACT_REVEAL_REQUIRED: refusedWith,
        DO_NOT_CONTACT: refusedWith,
        STRATEGY_REQUIRED: refusedWith
      })
    )
    return { id, credits: refusal === null ? priceOf(action) : 0, refused: refusal === "FREE" ? null : refusal }
  })

  const priceOfFirm = (action: ResearchAction, id: string) =>
    subjects.firm(id).pipe(
      Effect.as({ id, credits: priceOf(action), refused: null }),
      Effect.catchTag("NOT_FOUND", ({ _tag: refused }) => Effect.succeed({ id, credits: 0, refused }))
    )

  const itemsOf = Effect.fnUntraced(function*(input: Input) {
    const needed = { property: "property_ids", contact: "contact_id", organization: "organization_id" } as const
    const field = needed[subjectTypes[input.action]]
    for (const each of Object.values(needed)) {
      if ((input[each] !== undefined) !== (each === field)) {
        return yield* invalid(each, `Expected ${field} alone beside the action ${input.action}`)
      }
    }
    if (input.property_ids !== undefined) {
      const { looked } = yield* subjects.selection(input.property_ids)
      return looked.map(({ id, reason }) => {
        // A batch leaves it out; by itself it is researched anew.
        const refused = reason === "ALREADY_RESEARCHED" && looked.length === 1 ? null : reason
        return { id, credits: refused === null ? priceOf(input.action) : 0, refused }
      })
    }
    if (input.contact_id !== undefined) return [yield* priceOfContact(input.action, input.contact_id, input)]
    return input.organization_id === undefined ? [] : [yield* priceOfFirm(input.action, input.organization_id)]
  })

  const price: HandlerOf<typeof PriceResearch> = Effect.fn("ResearchPricer.price")(function*(input) {
    const { organization } = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const items = yield* itemsOf(input)
    const { balance } = yield* ledger.balance(organization.org_id, now)
    return {
      projectedCredits: items.reduce((sum, { credits }) => sum + credits, 0),
      items,
      balance: total(balance),
      quote_expires_at: DateTime.formatIso(DateTime.makeUnsafe(now + Duration.toMillis(quoteLife)))
    }
  })

  return { price }
})

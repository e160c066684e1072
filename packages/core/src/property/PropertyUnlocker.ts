/**
 * Unlocks a property for an organization: 10 credits, free where the subscription covers the county, once.
 *
 * The order of the checks is that of decisions section 18 and 20: visibility, what is already the organization's, what
 * there is to unlock, then payment and money under the ledger's lock. What can be answered without the lock is.
 */
import { Clock, Effect } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { placesOf } from "../credit/CreditRefusals.ts"
import { Ledger } from "../credit/Ledger.ts"
import { prices } from "../credit/Price.ts"
import * as Receipt from "../credit/Receipt.ts"
import { type Limits, ofCaller, queryOf } from "../limit/Limits.ts"
import { foreseeing, recordsAhead } from "../limit/Metering.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Properties } from "./Properties.ts"
import type { UnlockProperty } from "./PropertyOperations.ts"
import * as PropertyRecords from "./PropertyRecords.ts"
import * as PropertyRef from "./PropertyRef.ts"
import { decideUnlock } from "./UnlockDecision.ts"
import * as VisibleProperty from "./VisibleProperty.ts"

/** Opens a property's research and contacts for an organization, and charges for it once. */
export const make = Effect.gen(function*() {
  const properties = yield* Properties
  const ledger = yield* Ledger
  const recordsOf = yield* PropertyRecords.make
  const visible = yield* VisibleProperty.make

  /** What reading takes of these records, where nothing is to be decided; nothing is looked for where none are counted. */
  const toRead = Effect.fnUntraced(
    function*(orgId: OrganizationId, limits: Limits, asked: PropertyRecords.Opening) {
      if (asked.records.length === 0) return {}
      const ahead = recordsAhead(limits, yield* ledger.usage(orgId, queryOf(limits, asked)), asked.records)
      return ahead === null ? {} : { records: ahead }
    }
  )

  const unlock: HandlerOf<typeof UnlockProperty> = Effect.fn("PropertyUnlocker.unlock")(function*(input) {
    const caller = yield* Caller
    const { organization } = caller
    const found = yield* properties.standing(PropertyRef.parse(input.id), organization.org_id)
    const property = yield* visible(found, caller)
    const covered = Territory.covers(organization, property.countyFips)
    const now = yield* Clock.currentTimeMillis
    const limits = ofCaller(caller, now)
    const asked = yield* recordsOf(limits, organization.org_id, [{
      id: property.id,
      paid: property.access === "paid" || !covered,
      researched: property.researched
    }])
    if (property.access === "paid" || property.access === "covered" && covered) {
      const [balance, read] = yield* Effect.all([
        ledger.balance(organization.org_id, now),
        toRead(organization.org_id, limits, asked)
      ], { concurrency: 2 })
      yield* Receipt.tell(Receipt.nothingCharged(balance))
      return { alreadyRevealed: true, creditsCharged: 0, ...read }
    }
    const reading = foreseeing(limits, asked.records)
    const { value: unlocked, ...left } = yield* ledger.transact(
      {
        orgId: organization.org_id,
        subject: { _tag: "Property", propertyId: property.id },
        exclusive: true,
        now,
        usage: queryOf(limits, asked)
      },
      Receipt.withRemaining(
        reading.deciding((snapshot) =>
          decideUnlock(snapshot, {
            propertyId: property.id,
            covered,
            researched: property.researched,
            price: prices.unlock_property,
            maxCredits: input.maxCredits,
            limits,
            actor: Acting.actor(caller),
            requestId: caller.requestId,
            now
          })
        ),
        limits
      )
    ).pipe(
      Effect.catchTag(
        "COST_CONFIRMATION_REQUIRED",
        (refusal) => Effect.fail(refusal.telling({ ...placesOf([property]), ...reading.told() }))
      )
    )
    yield* Receipt.tell({ charged: unlocked.creditsCharged, ...left })
    return { ...unlocked, ...reading.told() }
  })

  return { unlock }
})

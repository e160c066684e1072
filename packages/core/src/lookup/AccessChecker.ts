/** Tells of many properties and contacts at once whether they could be opened and at what price. */
import { Array as Arr, Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { Standings } from "../coverage/Standings.ts"
import * as Territory from "../coverage/Territory.ts"
import { total } from "../credit/Bucket.ts"
import { Ledger } from "../credit/Ledger.ts"
import { InvalidInput } from "../operation/InvalidInput.ts"
import { type CheckAccess, maximumIds } from "./AccessOperations.ts"
import { type Checked, contactOf, factsOf, propertyOf } from "./Opening.ts"

/** So many ids are decided within a turn of the event loop. */
const idsAtOnce = 50

/** Decides about some ids now and about the others in later turns of the event loop. */
const inTurns = (ids: ReadonlyArray<string>, decide: (id: string) => Checked): Effect.Effect<ReadonlyArray<Checked>> =>
  Effect.map(
    Effect.forEach(
      Arr.chunksOf(ids, idsAtOnce),
      (some) => Effect.andThen(Effect.yieldNow, Effect.sync(() => some.map(decide)))
    ),
    Arr.flatten
  )

export const make = Effect.gen(function*() {
  const standings = yield* Standings
  const ledger = yield* Ledger

  const check: HandlerOf<typeof CheckAccess> = Effect.fn("AccessChecker.check")(function*(input) {
    const caller = yield* Caller
    const asked = { properties: input.property_ids ?? [], contacts: input.contact_ids ?? [] }
    const count = asked.properties.length + asked.contacts.length
    if (count === 0 || count > maximumIds) {
      const message = `Expected 1 to ${maximumIds} ids in property_ids and contact_ids together`
      return yield* new InvalidInput({ issues: [{ field: null, message }] })
    }
    yield* Territory.requireSome(caller)
    const { org_id: orgId } = caller.organization
    const canonical = (ids: ReadonlyArray<string>) => Array.from(new Set(ids.map((id) => id.toLowerCase())))
    const contacts = canonical(asked.contacts)
    const [found, facts] = yield* Effect.all([
      standings.read({ orgId, properties: canonical(asked.properties), contacts }),
      Effect.provideService(factsOf(contacts), Ledger, ledger)
    ], { concurrency: 2 })
    const byId = <A extends { readonly id: string }>(items: ReadonlyArray<A>) =>
      new Map(items.map((item) => [item.id, item]))
    const [knownProperties, knownContacts] = [byId(found.properties), byId(found.contacts)]
    const properties = yield* inTurns(
      asked.properties,
      (id) => propertyOf(facts, id, knownProperties.get(id.toLowerCase()))
    )
    const people = yield* inTurns(
      asked.contacts,
      (id) => contactOf(facts, id, knownContacts.get(id.toLowerCase()))
    )
    const distinct = byId([...properties, ...people].map((item) => ({ ...item, id: item.id.toLowerCase() })))
    return {
      properties,
      contacts: people,
      total_credits: Array.from(distinct.values()).reduce((sum, { credits }) => sum + (credits ?? 0), 0),
      available_credits: total(facts.balance.balance)
    }
  })

  return { check }
})

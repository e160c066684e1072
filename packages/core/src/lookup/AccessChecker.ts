/** Tells of many properties and contacts at once whether they could be opened and at what price. */
import { Array as Arr, Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { Standings } from "../coverage/Standings.ts"
import * as Territory from "../coverage/Territory.ts"
import { total } from "../credit/Bucket.ts"
import { Ledger } from "../credit/Ledger.ts"
import { InvalidInput } from "../operation/InvalidInput.ts"
import { distinctNames, recordName } from "../operation/Uuid.ts"
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
    const contacts = distinctNames(asked.contacts)
    const [found, facts] = yield* Effect.all([
      standings.read({ orgId, properties: distinctNames(asked.properties), contacts }),
      Effect.provideService(factsOf(contacts), Ledger, ledger)
    ], { concurrency: 2 })
    const knownProperties = new Map(found.properties.flatMap((each) => [[each.id, each], [each.key, each]]))
    const knownContacts = new Map(found.contacts.map((each) => [each.id, each]))
    const properties = yield* inTurns(
      asked.properties,
      (name) => propertyOf(facts, name, knownProperties.get(recordName(name)))
    )
    const people = yield* inTurns(asked.contacts, (id) => contactOf(facts, id, knownContacts.get(recordName(id))))
    // A property may be named twice, by its id and by its key.
    const priced = new Map([...properties, ...people].map(({ credits, id }) => {
      const name = recordName(id)
      return [knownProperties.get(name)?.id ?? name, credits ?? 0]
    }))
    return {
      properties,
      contacts: people,
      total_credits: Array.from(priced.values()).reduce((sum, credits) => sum + credits, 0),
      available_credits: total(facts.balance.balance)
    }
  })

  return { check }
})

/**
 * Takes the customers of an organization from its own books.
 *
 * | the row's property                        | result                            |
 * | ----------------------------------------- | --------------------------------- |
 * | is not there                              | error                             |
 * | lies outside the member's own territory   | error                             |
 * | was merged                                | error that names the successor    |
 * | lies outside the area switched on         | synced, `out_of_service_area`     |
 * | anything else                             | synced                            |
 *
 * service-api "Customer accounts", decisions section 20.
 */
import { Array, Clock, Effect, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Acting from "../access/Acting.ts"
import { Caller, type CallerFacts } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { NotFound, OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { excerpt } from "../operation/Excerpt.ts"
import type { CustomerStatus } from "../pipeline/Pipeline.ts"
import { parse } from "../property/PropertyRef.ts"
import { CustomerAccounts, type Location } from "./CustomerAccounts.ts"
import type { SyncCustomerAccounts } from "./CustomerOperations.ts"

/** What a row may be refused with, for itself. */
type RowRefusal = NotFound | PropertyRetired | OutOfTerritory

// The same for every row of a batch: an error of its own for each costs a stack that nobody reads.
const notFound = Result.fail(new NotFound({ resource: "property" }))
const outOfTerritory = Result.fail(new OutOfTerritory({ reason: "territory" }))

/** `survivorOf`: where the record that took the place of a merged one lies. */
const placed = (
  caller: CallerFacts,
  found: Option.Option<Location>,
  survivorOf: ReadonlyMap<string, Location>
): Result.Result<{ readonly id: string; readonly outside: boolean }, RowRefusal> => {
  if (Option.isNone(found)) return notFound
  const { countyFips, id, retiredInto } = found.value
  const outside = !Territory.sees(Territory.wholeArea(caller.organization), countyFips)
  if (!outside && !Territory.sees(caller, countyFips)) return outOfTerritory
  if (retiredInto === null) return Result.succeed({ id, outside })
  const survivor = survivorOf.get(retiredInto)
  return survivor === undefined || Territory.sees(caller, survivor.countyFips)
    ? Result.fail(new PropertyRetired({ successorPropertyId: retiredInto }))
    : outOfTerritory
}

export const make = Effect.gen(function*() {
  const customers = yield* CustomerAccounts
  const random = yield* SecureRandom.SecureRandom

  /** Of what was merged, for a member whose territory may end before it. */
  const survivorsOf = Effect.fnUntraced(function*({ territory }: CallerFacts, found: ReadonlyArray<Location>) {
    const ids = territory === null ? [] : Array.dedupe(found.flatMap(({ retiredInto }) => retiredInto ?? []))
    const located = ids.length === 0 ? [] : yield* customers.locate(ids.map(parse))
    return new Map(Array.getSomes(located).map((each) => [each.id, each]))
  })

  const sync: HandlerOf<typeof SyncCustomerAccounts> = Effect.fn("CustomerSync.sync")(function*({ accounts }) {
    const caller = yield* Caller
    const located = yield* customers.locate(accounts.map(({ property_id }) => parse(property_id)))
    const survivors = yield* survivorsOf(caller, Array.getSomes(located))
    const rows = accounts.map(({ property_id, status }, index) => ({
      property_id,
      status,
      place: placed(caller, located[index] ?? Option.none(), survivors)
    }))
    const last = new Map<string, CustomerStatus>()
    for (const { place, status } of rows) if (Result.isSuccess(place)) last.set(place.success.id, status)
    const synced = yield* Effect.forEach(
      last,
      ([propertyId, status]) => Effect.map(random.uuidV4(), (eventId) => ({ propertyId, status, eventId }))
    )
    if (synced.length > 0) {
      yield* customers.sync(caller.organization.org_id, synced, {
        byAgent: Acting.isAgent(caller),
        now: yield* Clock.currentTimeMillis
      })
    }
    const results = rows.map(({ place, property_id }) =>
      Result.isFailure(place)
        ? { property_id: excerpt(property_id), status: "error" as const, error: place.failure.message }
        : {
          property_id,
          status: "synced" as const,
          ...(place.success.outside ? { out_of_service_area: true as const } : {})
        }
    )
    return {
      results,
      synced_count: results.filter(({ status }) => status === "synced").length,
      error_count: results.filter(({ status }) => status === "error").length,
      out_of_service_area_count: results.filter((row) => "out_of_service_area" in row).length
    }
  })

  return { sync }
})

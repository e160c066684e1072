/** Finds the properties behind addresses and parcel numbers from another system. Free, and never out of the area. */
import { Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { type InputIssue, InvalidInput } from "../operation/InvalidInput.ts"
import { compareText } from "../operation/TextOrder.ts"
import { match, parcelForm, probeOf, type Written } from "./AddressMatch.ts"
import { type LookedUp, type Lookup, PropertyLookup } from "./PropertyLookup.ts"
import { maximumCandidates, type ResolveProperties } from "./PropertyOperations.ts"

/** So many are compared for each row. */
const compared = 25

/** A candidate is the answer from this score on, when no other comes near. */
const certain = 0.9
const lead = 0.1

const lookupOf = (row: Written): Lookup => ({
  probe: row.address === undefined ? null : probeOf(row.address),
  city: row.city?.trim().toLowerCase() ?? null,
  zip: row.zip?.slice(0, 5) ?? null,
  parcel: row.apn === undefined ? null : parcelForm(row.apn)
})

/** The same house number wherever it is; null: nothing tells it from all the others. */
const anywhere = ({ city, probe, zip }: Lookup): Lookup | null =>
  probe === null || probe.number === "" || city === null && zip === null
    ? null
    : { probe, city: null, zip: null, parcel: null }

const candidatesOf = (row: Written, found: ReadonlyArray<LookedUp>) =>
  found.flatMap((property) => {
    const matched = match(row, property)
    return matched === null ? [] : [{
      property_id: property.id,
      key: property.key,
      address: property.address,
      city: property.city,
      state: property.state,
      zip: property.zip,
      county_fips: property.countyFips,
      apn: property.apn,
      ...matched
    }]
  }).sort((left, right) => right.score - left.score || compareText(left.property_id, right.property_id))
    .slice(0, maximumCandidates)

export const make = Effect.gen(function*() {
  const properties = yield* PropertyLookup

  const resolve: HandlerOf<typeof ResolveProperties> = Effect.fn("PropertyResolver.resolve")(function*({ rows }) {
    const caller = yield* Caller
    const issues = rows.flatMap((row, index): ReadonlyArray<InputIssue> =>
      row.address === undefined && row.apn === undefined
        ? [{ field: `rows.${index}`, message: "Expected an address or an apn" }]
        : []
    )
    if (issues.length > 0) return yield* new InvalidInput({ issues })
    yield* Territory.requireSome(caller)
    const look = (lookups: ReadonlyArray<Lookup>) => properties.candidates(lookups, Territory.visible(caller), compared)
    const lookups = rows.map(lookupOf)
    const found = yield* look(lookups)
    const first = rows.map((row, index) => candidatesOf(row, found[index] ?? []))
    // Cities have several names, and zip codes move: an address that is not there may be what is recorded elsewhere.
    const again = rows.flatMap((row, index) => {
      const given = lookups[index]
      const lookup = given === undefined || first[index]?.length !== 0 ? null : anywhere(given)
      return lookup === null ? [] : [{ index, row, lookup }]
    })
    const further = again.length === 0 ? [] : yield* look(again.map(({ lookup }) => lookup))
    const elsewhere = new Map(again.map(({ index, row }, place) => [index, candidatesOf(row, further[place] ?? [])]))
    return {
      results: first.map((near, index) => {
        const candidates = elsewhere.get(index) ?? near
        const [best, second] = candidates
        const clear = !elsewhere.has(index) && best !== undefined && best.score >= certain &&
          (second === undefined || best.score - second.score >= lead)
        return { index, property_id: clear ? best.property_id : null, candidates }
      })
    }
  })

  return { resolve }
})

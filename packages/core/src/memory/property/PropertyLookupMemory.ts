/** `PropertyLookup` in memory: every property is looked at. */
import { Effect, Layer } from "effect"
import * as Territory from "../../coverage/Territory.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { houseNumber, parcelForm } from "../../property/AddressMatch.ts"
import { type LookedUp, type Lookup, PropertyLookup } from "../../property/PropertyLookup.ts"
import { MemoryState } from "../MemoryState.ts"

const fits = ({ city, parcel, probe, zip }: Lookup) => (property: LookedUp): boolean => {
  if (parcel !== null && property.apn !== null && parcelForm(property.apn) === parcel) return true
  if (probe === null || property.address === null) return false
  if (probe.number === "" && zip === null && city === null) return false
  return houseNumber(property.address) === probe.number &&
    (probe.word === null || property.address.toLowerCase().includes(probe.word)) &&
    (zip === null && city === null || zip !== null && property.zip?.slice(0, 5) === zip ||
      city !== null && property.city?.toLowerCase() === city)
}

/** `PropertyLookup` in memory. */
export const layer: Layer.Layer<PropertyLookup, never, MemoryState> = Layer.effect(
  PropertyLookup,
  Effect.gen(function*() {
    const state = yield* MemoryState
    return PropertyLookup.of({
      candidates: Effect.fn("PropertyLookup.candidates")((lookups, visible, perLookup) =>
        Effect.sync(() => {
          const seen = Array.from(state.properties.values()).flatMap(
            ({ address, apn, city, countyFips, id, key, retiredInto, state: abbr, zip }): ReadonlyArray<LookedUp> =>
              retiredInto === null && Territory.contains(visible, countyFips)
                ? [{ id, key, address, city, state: abbr, zip, apn, countyFips }]
                : []
          ).sort((left, right) => compareText(left.id, right.id))
          return lookups.map((lookup) => seen.filter(fits(lookup)).slice(0, perLookup))
        })
      )
    })
  })
)

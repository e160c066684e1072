/**
 * `PropertySearch` in memory: every property is looked at.
 *
 * Times are kept in milliseconds here, and a cursor holds the time as the API shows it.
 */
import { Effect, identity, Layer } from "effect"
import * as Territory from "../../coverage/Territory.ts"
import { stateOfCounty } from "../../coverage/UsState.ts"
import { isBeyondAscii, withoutAccents } from "../../operation/Accents.ts"
import { compareText, folded } from "../../operation/TextOrder.ts"
import type { Property } from "../../property/Property.ts"
import {
  type After,
  type County,
  type LocationSearch,
  mostCities,
  mostWorded,
  PropertySearch,
  type Sort,
  type TextSearch
} from "../../property/PropertySearch.ts"
import { compareCategories, nullsFirst, sortKinds } from "../../property/SearchOrder.ts"
import { alsoSpelled } from "../../property/SearchWords.ts"
import { MemoryState } from "../MemoryState.ts"
import { matching, valueOf } from "./PropertyMatching.ts"

/** Whether every word is a substring of one of the fields or spelled in the address, and one of each spellings is too. */
const saysAll = (
  { anyAccents, spellings, withNames, words }: Pick<TextSearch, "anyAccents" | "spellings" | "withNames" | "words">
) =>
(property: Property): boolean => {
  const plain = (text: string) => anyAccents === true ? withoutAccents(text) : text
  const withoutName = [property.address, property.city, property.recordOwner, property.ownerName]
  if (
    anyAccents === true && ![...words, ...withoutName, property.commonName].some((text) => isBeyondAscii(text ?? ""))
  ) {
    return false
  }
  const texts = [...withoutName, withNames ? property.commonName : null]
    .flatMap((text) => text === null ? [] : [plain(text.toLowerCase())])
  const ofAddress = (property.address ?? "").toLowerCase().split(/[ .,#]/)
  const spells = (each: ReadonlyArray<string>) => each.some((word) => ofAddress.includes(word))
  return words.every((word) => texts.some((text) => text.includes(plain(word))) || spells(alsoSpelled(word, words))) &&
    spellings.every(spells)
}

/** Where a row stands in an order. */
const positionOf = ({ column }: Sort) => (property: Property): After => {
  const value = valueOf(property, column)
  return { value: typeof value === "string" && sortKinds[column] === "text" ? folded(value) : value, id: property.id }
}

const compareValues = (left: string | number, right: string | number): number =>
  typeof left === "number" && typeof right === "number" ? left - right : compareText(String(left), String(right))

/** The order of two positions. */
const comparePositions = (sort: Sort) => (left: After, right: After): number => {
  const ties = compareText(left.id, right.id)
  if (left.value === null || right.value === null) {
    const leftFirst = nullsFirst(sort) ? left.value === null : right.value === null
    return left.value === right.value ? ties : leftFirst ? -1 : 1
  }
  const difference = compareValues(left.value, right.value)
  return difference === 0 ? ties : sort.direction === "asc" ? difference : -difference
}

/** Of the matches, in order, those after the position and beyond the offset. */
const pageOf = (
  matches: ReadonlyArray<Property>,
  { after, limit, offset, sort }: Pick<LocationSearch, "after" | "limit" | "offset" | "sort">
) => {
  const compare = comparePositions(sort)
  const rest = matches.map((property) => ({ property, position: positionOf(sort)(property) }))
    .filter(({ position }) => after === null || compare(position, after) > 0)
    .sort((left, right) => compare(left.position, right.position))
    .slice(offset)
  const page = rest.slice(0, limit)
  return {
    rows: page.map(({ property }) => property),
    next: rest.length > limit ? page.at(-1)?.position ?? null : null
  }
}

const breakdownOf = (properties: ReadonlyArray<Property>) =>
  Array.from(
    Map.groupBy(properties, ({ assetCategory }) => assetCategory),
    ([category, { length: count }]) => ({ category, count })
  ).sort(compareCategories)

/** `PropertySearch` in memory. */
export const layer: Layer.Layer<PropertySearch, never, MemoryState> = Layer.effect(
  PropertySearch,
  Effect.gen(function*() {
    const state = yield* MemoryState

    return PropertySearch.of({
      byText: Effect.fn("PropertySearch.byText")((search) =>
        Effect.sync(() => {
          return pageOf(matching(state, search.viewer, []).filter(saysAll(search)), { ...search, offset: 0 })
        })
      ),

      byLocation: Effect.fn("PropertySearch.byLocation")((search) =>
        Effect.sync(() => {
          const found = matching(state, search.viewer, search.conditions)
          return {
            ...pageOf(found, search),
            total: found.length,
            categories: breakdownOf(found)
          }
        })
      ),

      countByText: Effect.fn("PropertySearch.countByText")((search, most) =>
        Effect.sync(() => Math.min(most, matching(state, search.viewer, []).filter(saysAll(search)).length))
      ),

      countByLocation: Effect.fn("PropertySearch.countByLocation")(({ conditions, viewer }) =>
        Effect.sync(() => {
          const found = matching(state, viewer, conditions)
          return { total: found.length, categories: breakdownOf(found) }
        })
      ),

      matchesAny: Effect.fn("PropertySearch.matchesAny")((viewer, alternatives) =>
        Effect.sync(() => alternatives.map((conditions) => matching(state, viewer, conditions).length > 0))
      ),

      wordsFor: Effect.fn("PropertySearch.wordsFor")((field, { conditions, viewer }, most) =>
        Effect.sync(() => {
          const found = matching(state, viewer, conditions).slice(0, mostWorded)
          const counts = Map.groupBy(found.flatMap((each) => each[field] ?? []), identity)
          return Array.from(counts, ([value, { length }]) => ({ value, length }))
            .toSorted((left, right) => right.length - left.length || compareText(left.value, right.value))
            .slice(0, most)
            .map(({ value }) => value)
        })
      ),

      citiesBeginning: Effect.fn("PropertySearch.citiesBeginning")((letters, visible) =>
        Effect.sync(() => {
          const names = Array.from(state.properties.values()).flatMap(({ city, countyFips, retiredInto }) =>
            city !== null && retiredInto === null && Territory.contains(visible, countyFips) ? [city.toLowerCase()] : []
          )
          return Array.from(new Set(names)).filter((name) => letters.includes(name.slice(0, 1))).slice(0, mostCities)
        })
      ),

      citiesNamed: Effect.fn("PropertySearch.citiesNamed")((names, visible) =>
        Effect.sync(() => {
          const known = new Map(
            Array.from(state.properties.values()).flatMap(({ city, countyFips, retiredInto, state: abbr }) =>
              city !== null && abbr !== null && retiredInto === null &&
                names.includes(city.toLowerCase()) && Territory.contains(visible, countyFips)
                ? [[`${city.toLowerCase()}, ${abbr}`, { city: city.toLowerCase(), state: abbr }]]
                : []
            )
          )
          return Array.from(known.values())
        })
      ),

      counties: Effect.sync(() => {
        const counties = new Map<string, County>()
        for (const { county, countyFips } of state.properties.values()) {
          const name = counties.get(countyFips)?.name ?? county
          counties.set(countyFips, { countyFips, name, state: stateOfCounty(countyFips) ?? null })
        }
        return Array.from(counties.values()).sort((left, right) => compareText(left.countyFips, right.countyFips))
      })
    })
  })
)

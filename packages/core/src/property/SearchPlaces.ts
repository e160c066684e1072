/**
 * The places of a filter: counties and cities by their names, polygons and circles, checked and made conditions.
 *
 * A name is looked for in the visible area alone, so that none can be asked about outside it.
 */
import type { InputIssue } from "../operation/InvalidInput.ts"
import type { FilterContext } from "./FilterContext.ts"
import { citySpellings, countiesNamed, parseNamed } from "./PlaceName.ts"
import type { Condition, County } from "./PropertySearch.ts"
import type { Filters } from "./SearchInput.ts"

const maximumPolygonPoints = 1000

/** The filters that say where. */
export const locationKeys = ["countyFips", "countyNames", "zipCodes", "cities", "within", "near"] as const

const choiceOf = ({ countyFips, name, state }: County, all: ReadonlyArray<County>): string =>
  all.some((other) => other.countyFips !== countyFips && other.name === name && other.state === state)
    ? `${countyFips} in countyFips`
    : JSON.stringify(`${name}, ${state}`)

const oneExpected = "Ambiguous; expected one of "

/** The names of which one was expected, as such a message has them; none of another message. */
export const choicesIn = (message: string): ReadonlyArray<string> =>
  message.startsWith(oneExpected)
    ? Array.from(message.matchAll(/"(?:[^"\\]|\\.)*"/g), ([name]) => String(JSON.parse(name)))
    : []

/** Counties of a name in one state, or in several of which none was said, are told apart by the caller. */
const isAmbiguous = (found: ReadonlyArray<County>, stateIsGiven: boolean): boolean =>
  new Set(found.map(({ state }) => stateIsGiven ? state : null)).size < found.length

/** The counties that a name means. */
export const countiesMeant = (text: string, filters: Filters, counties: ReadonlyArray<County>) => {
  const { name, state } = parseNamed(text)
  const states = state === null ? filters.states : [state]
  const found = countiesNamed(name, counties).filter((county) =>
    states === undefined || county.state !== null && states.includes(county.state)
  )
  return { found, ambiguous: isAmbiguous(found, states !== undefined) }
}

/** The counties that the names mean. */
const namedCounties = (
  names: ReadonlyArray<string>,
  filters: Filters,
  context: FilterContext,
  issues: Array<InputIssue>
): ReadonlyArray<string> =>
  names.flatMap((text, index) => {
    const { ambiguous, found } = countiesMeant(text, filters, context.counties)
    if (ambiguous) {
      issues.push({
        field: `filters.countyNames.${index}`,
        message: oneExpected + found.map((county) => choiceOf(county, found)).sort().join(", ")
      })
    }
    return found.map(({ countyFips }) => countyFips)
  })

/** Between keys all must hold: the counties that are named and whose codes are asked for. */
const countyCodes = (filters: Filters, context: FilterContext, issues: Array<InputIssue>): ReadonlyArray<string> => {
  const { countyFips, countyNames } = filters
  if (countyNames === undefined) return Array.from(new Set(countyFips))
  const named = Array.from(new Set(namedCounties(countyNames, filters, context, issues)))
  return countyFips === undefined ? named : named.filter((code) => countyFips.includes(code))
}

interface CityName {
  readonly city: string
  readonly state: string | null
}

const cityConditions = (
  filters: Filters,
  context: FilterContext,
  issues: Array<InputIssue>
): ReadonlyArray<CityName> =>
  (filters.cities ?? []).flatMap((text, index): ReadonlyArray<CityName> => {
    const { name, state } = parseNamed(text)
    const recorded = context.cities.recorded.get(text)
    const spellings = recorded === undefined ? citySpellings(name) : [recorded]
    if (state !== null) return spellings.map((city) => ({ city, state }))
    if (filters.states !== undefined) {
      return filters.states.flatMap((each) => spellings.map((city) => ({ city, state: each })))
    }
    const states = Array.from(
      new Set(context.cities.states.flatMap((known) => spellings.includes(known.city) ? [known.state] : []))
    ).sort()
    if (states.length > 1) {
      issues.push({
        field: `filters.cities.${index}`,
        message: oneExpected + states.map((each) => JSON.stringify(`${text.trim()}, ${each}`)).join(", ")
      })
    }
    return spellings.map((city) => ({ city, state: null }))
  })

/** To a tenth of a millimetre: much smaller numbers underflow in the arithmetic of places. */
const degrees = (value: number): number => Math.round(value * 1e9) / 1e9

const polygonIssues = (
  polygons: ReadonlyArray<ReadonlyArray<ReadonlyArray<readonly [number, number]>>>
): ReadonlyArray<InputIssue> => {
  const rings = polygons.flat()
  const field = "filters.within"
  if (polygons.length === 0 || polygons.some((polygon) => polygon.length === 0)) {
    return [{ field, message: "Expected at least one ring" }]
  }
  if (rings.reduce((points, ring) => points + ring.length, 0) > maximumPolygonPoints) {
    return [{ field, message: `Expected at most ${maximumPolygonPoints} points` }]
  }
  const open = rings.some((ring) => {
    const [first, last] = [ring[0], ring.at(-1)]
    return ring.length < 4 || first === undefined || last === undefined || first[0] !== last[0] || first[1] !== last[1]
  })
  return open ? [{ field, message: "Expected closed rings of at least four points" }] : []
}

/** The conditions of place, in the order in which the arguments are listed. */
export const placeConditions = (
  filters: Filters,
  context: FilterContext,
  issues: Array<InputIssue>
): ReadonlyArray<Condition> => {
  const { cities, countyFips, countyNames, near, within, zipCodes } = filters
  const conditions: Array<Condition> = []
  if (countyFips !== undefined || countyNames !== undefined) {
    conditions.push({ _tag: "Counties", countyFips: countyCodes(filters, context, issues) })
  }
  if (zipCodes !== undefined) conditions.push({ _tag: "Zips", zipCodes: Array.from(new Set(zipCodes)) })
  if (cities !== undefined) conditions.push({ _tag: "Cities", cities: cityConditions(filters, context, issues) })
  if (within !== undefined) {
    const polygons = within.type === "Polygon" ? [within.coordinates] : within.coordinates
    issues.push(...polygonIssues(polygons))
    conditions.push({
      _tag: "Within",
      polygons: polygons.map((rings) => rings.map((ring) => ring.map(([lon, lat]) => [degrees(lon), degrees(lat)])))
    })
  }
  if (near !== undefined) {
    conditions.push({ _tag: "Near", lat: degrees(near.lat), lon: degrees(near.lon), radiusMeters: near.radiusMeters })
  }
  return conditions
}

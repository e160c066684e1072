/**
 * The counties of made-up data as large as the country's: sizes as skewed (the first holds 4 % of the properties, the
 * first state about a ninth), each a square of its own near the middle of its state. Codes and middles of the states are
 * real; everything else is made up.
 */
import { randomOf } from "../SeededRandom.ts"

export interface County {
  /** Counted from 0; the lower, the larger. */
  readonly k: number
  readonly fips: string
  readonly state: string
  /** The corner of its square that lies in the south-west, in degrees. */
  readonly south: number
  readonly west: number
}

/** Degrees: the sides of a county's square. */
export const side = 0.6

export const count = 3000

/** Property `n` of `N`, counted from 1, lies in county `floor(count * ((n - 0.5) / N) ** skew)`. */
export const skew = Math.log(count) / -Math.log(0.04)

/** Code, abbreviation, latitude and longitude of about the middle; the larger ones first. */
const states = [
  ["06", "CA", 37, -120],
  ["48", "TX", 31, -99],
  ["12", "FL", 28, -82],
  ["36", "NY", 42, -75],
  ["17", "IL", 40, -89],
  ["42", "PA", 41, -78],
  ["39", "OH", 40, -83],
  ["13", "GA", 33, -83],
  ["37", "NC", 36, -79],
  ["26", "MI", 44, -85],
  ["34", "NJ", 40, -75],
  ["51", "VA", 37, -79],
  ["53", "WA", 47, -120],
  ["04", "AZ", 34, -112],
  ["25", "MA", 42, -72],
  ["47", "TN", 36, -86],
  ["18", "IN", 40, -86],
  ["29", "MO", 38, -92],
  ["24", "MD", 39, -77],
  ["55", "WI", 44, -90],
  ["08", "CO", 39, -105],
  ["27", "MN", 46, -94],
  ["45", "SC", 34, -81],
  ["01", "AL", 33, -87],
  ["22", "LA", 31, -92],
  ["21", "KY", 38, -85],
  ["41", "OR", 44, -120],
  ["40", "OK", 36, -97],
  ["09", "CT", 42, -73],
  ["49", "UT", 39, -112],
  ["19", "IA", 42, -93],
  ["32", "NV", 39, -117],
  ["05", "AR", 35, -92],
  ["28", "MS", 33, -90],
  ["20", "KS", 38, -98],
  ["35", "NM", 34, -106],
  ["31", "NE", 41, -100],
  ["16", "ID", 44, -114],
  ["54", "WV", 39, -81],
  ["23", "ME", 45, -69],
  ["33", "NH", 44, -72],
  ["30", "MT", 47, -110],
  ["44", "RI", 42, -72],
  ["10", "DE", 39, -75],
  ["46", "SD", 44, -100],
  ["38", "ND", 47, -100],
  ["50", "VT", 44, -73],
  ["56", "WY", 43, -108],
  ["11", "DC", 39, -77]
] as const

export const stateAbbrs = states.map(([, abbr]) => abbr)

/** The same seed gives the same counties. */
export const make = (seed: number): ReadonlyArray<County> => {
  const random = randomOf(seed)
  const codes = new Map<string, number>()
  return Array.from({ length: count }, (_, k) => {
    const place = k === 0 ? 0 : Math.floor(states.length * random.between(0, 1, 6) ** 1.5)
    const [code, state, lat, lon] = states[place] ?? states[0]
    const number = codes.get(code) ?? 1
    codes.set(code, number + 2)
    return {
      k,
      fips: `${code}${String(number).padStart(3, "0")}`,
      state,
      south: Number((lat + random.between(-2.5, 2, 3)).toFixed(3)),
      west: Number((lon + random.between(-2.5, 2, 3)).toFixed(3))
    }
  })
}

/** Borders of counties that have properties and no outline: around where their properties lie. */
import { call } from "../service/Call.ts"
import { hullOf, type Position } from "./Hull.ts"

export interface Hull {
  readonly fips: string
  readonly ring: ReadonlyArray<Position>
}

/** So many counties without an outline are asked for: each is a question of its own. */
const most = 12

const hull = async (fips: string): Promise<ReadonlyArray<Hull>> => {
  const { cells, points } = (await call("app_map_points", { filters: { countyFips: [fips] } })).data
  const ring = hullOf([...points, ...cells].map(({ lat, lon }): Position => [lon, lat]))
  return ring === null ? [] : [{ fips, ring }]
}

export const hullsOf = async (fips: ReadonlyArray<string>): Promise<ReadonlyArray<Hull>> =>
  (await Promise.all(fips.slice(0, most).map(hull))).flat()

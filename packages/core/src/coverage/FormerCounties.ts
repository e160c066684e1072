/**
 * Counties whose codes public records still carry although the land has another code: renamed, taken up by a neighbour, or divided
 * anew. Records keep the code that they came with, so the same land may be recorded under either. docs/decisions/0062-codes-of-former-counties.md.
 */

interface Change {
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
}

const changes: ReadonlyArray<Change> = [
  // 1997: Dade became Miami-Dade.
  { before: ["12025"], after: ["12086"] },
  // 2013: the city of Bedford became a town of its county.
  { before: ["51515"], after: ["51019"] },
  // 2015: Shannon became Oglala Lakota, Wade Hampton became Kusilvak.
  { before: ["46113"], after: ["46102"] },
  { before: ["02270"], after: ["02158"] },
  // 2019: Valdez-Cordova was divided into Chugach and Copper River.
  { before: ["02261"], after: ["02063", "02066"] },
  // 2022: planning regions took the place of the counties of Connecticut, whose borders they do not follow.
  {
    before: ["09001", "09003", "09005", "09007", "09009", "09011", "09013", "09015"],
    after: ["09110", "09120", "09130", "09140", "09150", "09160", "09170", "09180", "09190"]
  }
]

const presentCodes: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  changes.flatMap(({ after, before }) => before.map((fips) => [fips, after] as const))
)

const formerCodes: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  changes.flatMap(({ after, before }) => after.map((fips) => [fips, before] as const))
)

const none: ReadonlyArray<string> = []

/** The codes that the land of a former county has now; none: it is no former county. */
export const codesNow = (fips: string): ReadonlyArray<string> => presentCodes.get(fips) ?? none

/** The codes under which the land of a county may be recorded as well, of before or of now. */
export const otherCodes = (fips: string): ReadonlyArray<string> => presentCodes.get(fips) ?? formerCodes.get(fips) ?? none

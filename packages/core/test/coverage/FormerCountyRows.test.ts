/** What is said of rows of former counties: how many of each, of few counties alone. */
import * as FormerCountyRows from "@freehold/core/coverage/FormerCountyRows"
import { assert, describe, it } from "vitest"

const many = (fips: string, rows: number): ReadonlyArray<string> => Array.from({ length: rows }, () => fips)

describe("rows of former counties", () => {
  it("are counted by county, added up, and nothing is said of any other", () => {
    const rows = FormerCountyRows.count([...many("46113", 2), "48113", undefined, "02261"])
    assert.deepStrictEqual(rows, { "46113": 2, "02261": 1 })
    assert.deepStrictEqual(FormerCountyRows.sum(rows, { "46113": 1, "12025": 4 }), { "46113": 3, "02261": 1, "12025": 4 })
    assert.isNull(FormerCountyRows.told(FormerCountyRows.count(["48113"])))
    assert.isNull(FormerCountyRows.told(FormerCountyRows.none))
  })

  it("are named with the present codes, the most first, and how many counties there are besides", () => {
    const rows = ["09001", "09003", "09005", "09007", "02261", "46113"].flatMap((fips, n) => many(fips, n + 1))
    const told = FormerCountyRows.told(FormerCountyRows.count([...rows, "12025"])) ?? ""
    assert.include(
      told,
      "of former counties: 46113 (6 rows; now 46102); 02261 (5 rows; now 02063 and 02066); 09007 (4 rows; now divided among 9 others); "
    )
    assert.include(told, "; and 2 more. Rows keep the code")
  })
})

/** Codes of former counties: each has a name and is followed by codes that there are. */
import { countyCalled } from "@freehold/core/coverage/CountyNames"
import { codesNow, otherCodes } from "@freehold/core/coverage/FormerCounties"
import { assert, describe, it } from "vitest"

describe("a county that has another code now", () => {
  it("is known by either, and says the other", () => {
    for (const fips of ["12025", "51515", "46113", "02270", "02261", "09001", "09015"]) {
      assert.isDefined(countyCalled(fips), fips)
      assert.deepStrictEqual(otherCodes(fips), codesNow(fips))
      for (const now of codesNow(fips)) {
        assert.isDefined(countyCalled(now), now)
        assert.include(otherCodes(now), fips)
        assert.deepStrictEqual(codesNow(now), [])
      }
    }
    assert.deepStrictEqual(codesNow("46113"), ["46102"])
    assert.deepStrictEqual([...codesNow("48113"), ...otherCodes("48113")], [])
  })
})

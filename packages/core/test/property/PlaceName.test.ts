/** Counties by the names that people give them. */
import { countiesNamed } from "@freehold/core/property/PlaceName"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const county = (name: string | null, state: string) => ({ name, state })

describe("countiesNamed", () => {
  it("looks a name up as it would compare it with each county", () => {
    const name = fc.tuple(
      fc.constantFrom("", "Saint ", "St. "),
      fc.constantFrom("Elm", "De Kalb", "DeKalb", "Doña Ana", "Dona Ana"),
      fc.constantFrom("", " County", " Parish", " city", " (demo)")
    ).map((parts) => parts.join(""))
    // In a state of its own none is hidden by another.
    const counties = fc.array(fc.option(name), { maxLength: 12 }).map((names) =>
      names.map((each, place) => county(each, `S${place}`))
    )
    fc.assert(fc.property(name, counties, (asked, all) => {
      assert.deepStrictEqual(countiesNamed(asked, all), all.filter((each) => countiesNamed(asked, [each]).length > 0))
    }))
  })

  it("hides what is alike behind what is exactly so, in one state", () => {
    const [city, plain, elsewhere] = [county("Elm city", "WA"), county("Elm County", "WA"), county("Elm city", "OR")]
    assert.deepStrictEqual(countiesNamed("elm county", [city, plain, elsewhere]), [plain, elsewhere])
    assert.deepStrictEqual(countiesNamed("elm", [city, plain, elsewhere]), [city, plain, elsewhere])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import * as Territory from "@freehold/core/coverage/Territory"
import { Effect } from "effect"
import * as fc from "fast-check"

const organization: Organization = {
  ...defaults("org_test"),
  serviceable_area: { whole_state_abbrs: ["WA"], county_fips: ["36061"] },
  entitlement: { nationwide: false, state_abbrs: ["OR"], county_fips: ["53033"] }
}

const key = Territory.wholeArea(organization)
const member = (...county_fips: ReadonlyArray<string>): Territory.Perspective => ({
  organization,
  territory: { county_fips }
})

const refusalOf = <E>(required: Effect.Effect<void, E>) =>
  Effect.runSync(Effect.match(required, { onFailure: (refusal) => refusal, onSuccess: () => null }))

describe("Territory", () => {
  it("sees whole states and single counties, by the county's code", () => {
    assert.isTrue(Territory.sees(key, "53033"))
    assert.isTrue(Territory.sees(key, "53001"))
    assert.isTrue(Territory.sees(key, "36061"))
    assert.isFalse(Territory.sees(key, "36047"))
  })

  it("covers only what is licensed and switched on", () => {
    assert.isTrue(Territory.covers(organization, "53033"))
    assert.isFalse(Territory.covers(organization, "53001"), "seen, not licensed")
    assert.isFalse(Territory.covers(organization, "41051"), "licensed, not switched on")
  })

  it("has the covered counties as one area", () => {
    const states = fc.subarray(["WA", "OR", "NY"])
    const counties = fc.subarray(["53033", "53001", "41051", "36061", "06001"])
    const property = fc.property(
      fc.record({ whole_state_abbrs: states, county_fips: counties }),
      fc.record({ nationwide: fc.boolean(), state_abbrs: states, county_fips: counties }),
      fc.constantFrom("53033", "53001", "53077", "41051", "36061", "06001", "06003"),
      (serviceable_area, entitlement, county) => {
        const drawn = { ...organization, serviceable_area, entitlement }
        assert.strictEqual(
          Territory.covers(drawn, county),
          Territory.contains(Territory.switchedOn(drawn), county) && Territory.contains(Territory.licensed(drawn), county)
        )
      }
    )
    fc.assert(property)
  })

  it("covers all that is seen when the licence is nationwide", () => {
    const nationwide = { ...organization, entitlement: { nationwide: true, state_abbrs: [], county_fips: [] } }
    assert.isTrue(Territory.covers(nationwide, "36061"))
    assert.isFalse(Territory.covers(nationwide, "06037"))
  })

  it("sees nothing before an area is switched on", () => {
    const nothing = Territory.wholeArea(defaults("org_new"))
    assert.isTrue(Territory.isEmpty(Territory.visible(nothing)))
    assert.deepInclude(refusalOf(Territory.requireSome(nothing)), { cause: "no_serviceable_area" })
  })

  it("shows a member their counties of the area, and says whose border is in the way", () => {
    const seen = member("53033", "36047")
    assert.deepStrictEqual(Territory.visible(seen).countyFips, ["53033"])
    assert.isNull(refusalOf(Territory.requireVisible(seen, "53033")))
    assert.deepInclude(refusalOf(Territory.requireVisible(seen, "53001")), { reason: "territory" })
    assert.deepInclude(refusalOf(Territory.requireVisible(seen, "36047")), { reason: "subscription" })
  })

  it("shows nothing to a member whose territory is empty or lies outside the area", () => {
    for (const nobody of [member(), member("36047")]) {
      assert.deepInclude(refusalOf(Territory.requireSome(nobody)), { cause: "member_territory_empty" })
    }
    assert.isNull(refusalOf(Territory.requireSome(member("36061"))))
  })

  const county = fc.constantFrom("53033", "53001", "36061", "36047", "41051", "06037")
  const area = fc.record({
    whole_state_abbrs: fc.subarray(["WA", "NY", "OR", "CA"]),
    county_fips: fc.uniqueArray(county)
  })

  it("never shows a member more than the organization sees, nor more than their territory", () => {
    fc.assert(fc.property(area, fc.uniqueArray(county), county, (serviceable_area, county_fips, asked) => {
      const of = { ...organization, serviceable_area }
      const perspective = { organization: of, territory: { county_fips } }
      const seen = Territory.sees(perspective, asked)
      assert.strictEqual(seen, Territory.sees(Territory.wholeArea(of), asked) && county_fips.includes(asked))
      assert.strictEqual(seen, Territory.contains(Territory.visible(perspective), asked))
      assert.strictEqual(seen, refusalOf(Territory.requireVisible(perspective, asked)) === null)
    }))
  })
})

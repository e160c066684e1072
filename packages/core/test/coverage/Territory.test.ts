import { assert, describe, it } from "@effect/vitest"
import { defaults, type Organization } from "@freehold/core/access/Organization"
import * as Territory from "@freehold/core/coverage/Territory"

const organization: Organization = {
  ...defaults("org_test"),
  serviceable_area: { whole_state_abbrs: ["WA"], county_fips: ["36061"] },
  entitlement: { nationwide: false, state_abbrs: ["OR"], county_fips: ["53033"] }
}

describe("Territory", () => {
  it("sees whole states and single counties, by the county's code", () => {
    assert.isTrue(Territory.sees(organization, "53033"))
    assert.isTrue(Territory.sees(organization, "53001"))
    assert.isTrue(Territory.sees(organization, "36061"))
    assert.isFalse(Territory.sees(organization, "36047"))
  })

  it("covers only what is licensed and switched on", () => {
    assert.isTrue(Territory.covers(organization, "53033"))
    assert.isFalse(Territory.covers(organization, "53001"), "seen, not licensed")
    assert.isFalse(Territory.covers(organization, "41051"), "licensed, not switched on")
  })

  it("covers all that is seen when the licence is nationwide", () => {
    const nationwide = { ...organization, entitlement: { nationwide: true, state_abbrs: [], county_fips: [] } }
    assert.isTrue(Territory.covers(nationwide, "36061"))
    assert.isFalse(Territory.covers(nationwide, "06037"))
  })

  it("sees nothing before an area is switched on", () => {
    assert.isTrue(Territory.isEmpty(Territory.serviceable(defaults("org_new"))))
  })
})

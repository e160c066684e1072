/** What the lines of the logs say was changed. */
import { assert, describe, it } from "vitest"
import { changesOf, isShortened } from "../src/admin/Changed.ts"

const told = (before: Parameters<typeof changesOf>[0], after: Parameters<typeof changesOf>[1]) =>
  changesOf(before, after, (fips) => `county ${fips}`).map(({ field, words }) => `${field}: ${words}`)

describe("what was changed", () => {
  it("is told with what it was and what it is, before what there is once", () => {
    assert.deepStrictEqual(
      told({ credits: 985 }, { ref: "invoice 7", entry: 1234, credits: 1235, expires_at: null }),
      ["Credits: 985, now 1,235", "Reference: invoice 7", "Entry: #1234", "Ends: none"]
    )
    assert.deepStrictEqual(told({ sessions: 2 }, null), ["Sessions: was 2"])
    assert.deepStrictEqual(told(null, null), [])
  })

  it("of limits says which are 0, which pauses what they are of, and of what a merge moved what there was", () => {
    assert.deepStrictEqual(
      told(
        { daily_limits: { contact_reveal: null, lead_export: null } },
        { daily_limits: { contact_reveal: 0, lead_export: null } }
      ),
      ["Daily limits: none, now people revealed 0"]
    )
    assert.deepStrictEqual(told(null, { moved: { leads: 2, notes: 0 } }), ["Moved: leads 2"])
  })

  it("of a list is what was added and what was taken away", () => {
    assert.deepStrictEqual(
      told({ scopes: ["data:read", "mcp"] }, { scopes: ["data:read", "data:unlock"] }),
      ["Scopes: data:unlock added; mcp taken away"]
    )
  })

  it.each([
    ["plan: team -> enterprise", "Plan: team, now enterprise"],
    ["daily_limits.contact_reveal: new, {\"organization\":50}", "Daily limits, people revealed: new: organization 50"],
    ["daily_limits.contact_reveal: new, {\"service\":0}", "Daily limits, people revealed: new: service 0"],
    [
      "serviceable_area.county_fips: +36061 -36005",
      "Serviceable area, counties: county 36061 added; county 36005 taken away"
    ],
    ["serviceable_area.county_fips: 36061", "Serviceable area, counties: county 36061"],
    ["serviceable_area.county_fips: 36061 36005", "Serviceable area, counties: county 36061, county 36005"],
    ["members.ana@acme.example.role: member -> admin", "Member ana@acme.example, role: member, now admin"],
    [
      "members.ana@acme.example.territory: none -> {\"county_fips\":[\"36061\"]}",
      "Member ana@acme.example, territory: everything, now counties county 36061"
    ],
    [
      "members.ben@acme.example: new, {\"name\":\"Ben: B\",\"seat\":true,\"territory\":null}",
      "Member ben@acme.example: new: name Ben: B; seat yes"
    ],
    ["keys.ci.prod.daily_limits.lead_export: none -> 5", "Key ci.prod, daily limits, leads delivered: none, now 5"],
    ["name: {not JSON", "Name: {not JSON"],
    ["nothing that is known", ": nothing that is known"]
  ])("by a document, as in %s", (line, words) => {
    assert.deepStrictEqual(told(null, { outcome: "changed", changes: [line] }), [words])
  })

  it("is there as it was written down where words leave something out", () => {
    assert.isTrue(isShortened(null, { outcome: "created", changes: [] }))
    assert.isFalse(isShortened({ status: "active" }, { status: "closed", answer: null }))
  })
})

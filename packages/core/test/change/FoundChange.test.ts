/** What loads find to have changed, and what takes it back. */
import { assert, describe, it } from "@effect/vitest"
import { found, type Standing, takesBack, type Watched } from "@freehold/core/change/FoundChange"

const changed = (before: Watched, after: Watched) =>
  found(before, after).flatMap((each) => each._tag === "Changed" ? [[each.kind, each.before, each.after]] : [])

const left = (before: Watched, after: Watched, standing: Standing) =>
  found(before, after).some((each) => each._tag === "Left" && takesBack(each, standing))

describe("what changed", () => {
  it("is what was known and is known otherwise; another spelling and a first value are nothing", () => {
    assert.deepStrictEqual(changed({ owner: "A LLC" }, { owner: "B LLC" }), [
      ["ownership_transfer", { value: "A LLC" }, { value: "B LLC" }]
    ])
    assert.deepStrictEqual(changed({ owner: "A Holdings, L.L.C." }, { owner: "A HOLDINGS LLC" }), [])
    assert.deepStrictEqual(changed({ owner: null, saleDate: null }, { owner: "A LLC", saleDate: "2026-01-01" }), [])
    assert.deepStrictEqual(changed({ owner: "A LLC" }, {}), [])
    assert.deepStrictEqual(changed({ owner: "A LLC" }, { owner: null }), [])
  })

  it("is a newer sale, and not an older one or another price", () => {
    const sold = { saleDate: "2020-01-01", salePrice: 5 }
    assert.deepStrictEqual(changed(sold, { saleDate: "2026-01-01", salePrice: 9 }), [
      ["sale", { date: "2020-01-01", price: 5 }, { date: "2026-01-01", price: 9 }]
    ])
    assert.deepStrictEqual(changed(sold, { saleDate: "2019-01-01", salePrice: 9 }), [])
    assert.deepStrictEqual(changed(sold, { saleDate: "2020-01-01", salePrice: 9 }), [])
  })

  it("is another manager, title or employer; who has none any more has left", () => {
    assert.deepStrictEqual(
      changed(
        { manager: "A", title: "Engineer", employer: "X" },
        { manager: "B", title: "Chief Engineer", employer: "Y" }
      ).map(([kind]) => kind),
      ["manager_change", "contact_title_change", "contact_employer_change"]
    )
    assert.deepStrictEqual(changed({ employer: "X" }, { employer: null }), [
      ["contact_departure", { value: "X" }, { value: null }]
    ])
  })
})

describe("what is taken back", () => {
  const transfer: Standing = { kind: "ownership_transfer", before: { value: "A" }, after: { value: "B" } }
  const sale: Standing = { kind: "sale", before: { date: "2020-01-01" }, after: { date: "2026-01-01" } }

  it("is what returns to what it was, or is not known any more", () => {
    assert.isTrue(left({ owner: "B" }, { owner: "a" }, transfer))
    assert.isTrue(left({ owner: "B" }, { owner: null }, transfer))
    assert.isTrue(left({ saleDate: "2026-01-01" }, { saleDate: "2020-01-01" }, sale))
    assert.isTrue(left({ saleDate: "2026-01-01" }, { saleDate: null }, sale))
    const departed: Standing = { kind: "contact_departure", before: { value: "X" }, after: { value: null } }
    assert.isTrue(left({ employer: null }, { employer: "X" }, departed))
    assert.isFalse(left({ employer: null }, { employer: "Y" }, departed))
  })

  it("is not what goes on to a third, or what the last change did not bring", () => {
    assert.isFalse(left({ owner: "B" }, { owner: "C" }, transfer))
    assert.isFalse(left({ owner: "C" }, { owner: "A" }, transfer))
    assert.isFalse(left({ saleDate: "2026-01-01" }, { saleDate: "2026-05-01" }, sale))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { isActive, type ItemEvent, ItemState, statusOf, transition } from "@freehold/core/research/ResearchRun"
import * as fc from "fast-check"

const events: ReadonlyArray<ItemEvent> = ["Claim", "HandOver", "Retry", "Deliver", "DeliverPart", "Fail"]

describe("the life of an item", () => {
  it("is that of the table, move by move", () => {
    const table = ItemState.literals.map((state) => [state, ...events.map((event) => transition(state, event) ?? "-")])
    assert.deepStrictEqual(table, [
      ["queued", "running", "-", "-", "complete", "partial", "failed"],
      ["running", "running", "running", "queued", "complete", "partial", "failed"],
      ["complete", "-", "-", "-", "-", "-", "-"],
      ["partial", "-", "-", "-", "-", "-", "-"],
      ["failed", "-", "-", "-", "-", "-", "-"]
    ])
  })

  it("ends once, whatever happens to it", () => {
    fc.assert(fc.property(fc.array(fc.constantFrom(...events), { minLength: 1, maxLength: 20 }), (happened) => {
      let state: ItemState = "queued"
      let endings = 0
      for (const event of happened) {
        const next = transition(state, event)
        if (next === null) continue
        if (isActive(state) && !isActive(next)) endings += 1
        state = next
      }
      assert.strictEqual(endings, isActive(state) ? 0 : 1)
    }))
  })
})

describe("the status of a run", () => {
  it.each<[ReadonlyArray<ItemState>, ItemState]>([
    [["queued"], "queued"],
    [["queued", "queued"], "queued"],
    [["queued", "running"], "running"],
    [["complete", "queued"], "running"],
    [["complete", "complete"], "complete"],
    [["failed", "failed"], "failed"],
    [["partial"], "partial"],
    [["complete", "failed"], "partial"],
    [["complete", "partial"], "partial"]
  ])("of %s is %s", (states, expected) => {
    assert.strictEqual(statusOf(states), expected)
  })
})

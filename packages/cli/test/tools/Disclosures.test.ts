/** How to reach somebody whom the subscription alone opens is a reveal of the day, whichever tool tells it. */
import { assert, layer as withHost } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ended, idle, ids, layer as working, tool } from "./ResearchScene.ts"

const jo = { contact_id: ids.pKnown }

/** Of whom an email is known that reaches nobody. */
const gone = { contact_id: ids.pStale }

const exceeded = { code: "DAILY_CAP_EXCEEDED", cap: 1 }

const drafted = Effect.gen(function*() {
  yield* ended((yield* tool("deep_research_contact", jo, "sparing")).run_id, "sparing")
  return yield* tool("draft_email", jo, "sparing")
})

withHost(Layer.fresh(idle), { excludeTestServices: true })("an email that is known", (it) => {
  it.effect("is a reveal of the day, and no record", () =>
    Effect.gen(function*() {
      yield* tool("find_email", jo, "sparing")
      const { daily_limits } = yield* tool("get_allowance", {}, "sparing")
      const used = new Map(
        daily_limits.map((each: { readonly name: string; readonly used: number }) => [each.name, each.used])
      )
      assert.deepStrictEqual([used.get("contact_reveal"), used.get("records_taken_per_day")], [1, 0])
    }))
})

withHost(Layer.fresh(working), { excludeTestServices: true })("the status of a search for an email", (it) => {
  it.effect("counts once a day for the address that it tells", () =>
    Effect.gen(function*() {
      const { run_id } = yield* tool("find_email", gone, "sparing")
      const told = yield* ended(run_id, "sparing")
      assert.deepInclude(told, { email: "gone@people.example" })
      assert.notProperty(told, "revealCapExceeded")
      assert.deepInclude(yield* tool("get_research_status", { run_id }, "sparing"), { email: "gone@people.example" })
      assert.deepInclude(yield* tool("find_email", jo, "sparing"), exceeded)
    }))
})

withHost(Layer.fresh(working), { excludeTestServices: true })("an address beyond the day's reveals", (it) => {
  it.effect("is left out of the status of its run, of a draft and of the draft's run, and nothing else is", () =>
    Effect.gen(function*() {
      const { run_id } = yield* tool("find_email", gone, "sparing")
      const draft = yield* drafted
      assert.deepInclude(draft.to, { name: "Jo Sample", email: "jo@people.example" })
      // The draft has told the one person of the day, so that the other's address is left out.
      assert.deepInclude(yield* ended(run_id, "sparing"), {
        status: "failed",
        credits_returned: 5,
        email: null,
        revealCapExceeded: true
      })
      assert.deepInclude(yield* tool("get_contact", { id: ids.pStale }, "sparing"), exceeded)
    }))
})

withHost(Layer.fresh(working), { excludeTestServices: true })("a draft", (it) => {
  it.effect("is written where the day's reveals are used up, without the address", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* tool("get_contact", { id: ids.pStale }, "sparing"), { email: "gone@people.example" })
      const draft = yield* drafted
      const to = { name: "Jo Sample", email: null, revealCapExceeded: true }
      assert.deepInclude(draft, { status: "complete", credits_charged: 5 })
      assert.deepStrictEqual(draft.to, to)
      const read = yield* tool("get_research_status", { run_id: draft.run_id }, "sparing")
      assert.deepStrictEqual([read.to, read.revealCapExceeded], [to, true])
      assert.isString(read.draft.body)
    }))
})

withHost(Layer.fresh(idle), { excludeTestServices: true })("the price of what the day's reveals refuse", (it) => {
  it.effect("is told with the refusal, and is never 0", () =>
    Effect.gen(function*() {
      const find = { action: "find_email", ...jo }
      const reveal = { action: "reveal_contact", ...jo }
      for (const asked of [find, reveal]) {
        const before = yield* tool("price_research", asked, "sparing")
        assert.deepInclude(before, { projectedCredits: 0 })
        assert.notProperty(before, "refused")
      }
      yield* tool("get_contact", { id: ids.pStale }, "sparing")
      const { code } = exceeded
      for (const [asked, credits, real] of [[find, 5, "find_email"], [reveal, 5, "reveal_contact"]] as const) {
        const priced = yield* tool("price_research", asked, "sparing")
        assert.deepInclude(priced, { projectedCredits: credits, refused: code }, real)
        assert.deepInclude(priced.items[0], { credits, refused: code })
        const given = real === "find_email" ? jo : { id: ids.pKnown }
        assert.deepInclude(yield* tool(real, given, "sparing"), exceeded)
      }
      // What was counted is told again.
      const again = { action: "find_email", contact_id: ids.pStale }
      assert.notStrictEqual((yield* tool("price_research", again, "sparing")).refused, code)
      // Whom nobody limits is told as before.
      const unlimited = yield* tool("price_research", find)
      assert.strictEqual(unlimited.projectedCredits, 0)
      assert.notProperty(unlimited, "refused")
    }))
})

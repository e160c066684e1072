/** Completion where one answer has not all counties, or the organization's own work keeps its lists from being read whole. */
import { assert, describe, it } from "@effect/vitest"
import { Caller, type CallerFacts } from "@freehold/core/access/Caller"
import { complete } from "@freehold/mcp-host/Completions"
import type { Toolbox } from "@freehold/mcp-host/Toolbox"
import * as ToolResult from "@freehold/mcp-host/ToolResult"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as StubCatalogue from "./StubCatalogue.ts"

const away = Effect.succeed(
  ToolResult.refusal({ code: "TEMPORARILY_UNAVAILABLE", error: "A dependency is briefly unavailable", detail: {} })
)

const page = (name: string, next: string | null) =>
  Effect.succeed(ToolResult.success({ lists: [{ id: `id of ${name}`, list_name: name }], next_cursor: next }))

/** A toolbox whose calls are answered so in turn. */
const toolboxOf = (...answers: ReadonlyArray<ReturnType<Toolbox["Service"]["call"]>>) => {
  const asked: Array<unknown> = []
  const toolbox: Toolbox["Service"] = {
    list: () => [],
    mayRead: () => true,
    read: () => Effect.die("nothing is read"),
    call: (_, input) => Effect.suspend(() => answers[asked.push(input) - 1] ?? Effect.die("too many calls"))
  }
  return { asked, toolbox }
}

const prompt = { type: "ref/prompt", name: "find_and_qualify" }

const inWyoming: CallerFacts = {
  ...StubCatalogue.caller,
  organization: {
    ...StubCatalogue.caller.organization,
    serviceable_area: { whole_state_abbrs: ["WY"], county_fips: [] }
  }
}

const completing = (toolbox: Toolbox["Service"], ref: object = prompt, name = "list") =>
  complete(toolbox, { ref, argument: { name, value: "" } }).pipe(
    Effect.provideService(Caller, inWyoming),
    Effect.map(({ completion }) => completion)
  )

/** Two counties of the caller's area and others: so many in all. */
const counties = (total: number, ...more: ReadonlyArray<string>) =>
  Effect.succeed(ToolResult.success({
    values: ["56001", "56003", ...more].map((value) => ({ value, label: `County ${value}` })),
    total
  }))

describe("The completion of a county", () => {
  it.effect("says that there are more where one answer has not all of the caller's own", () =>
    Effect.gen(function*() {
      const completed = (answer: ReturnType<typeof counties>) => completing(toolboxOf(answer).toolbox, prompt, "county")
      const values = ["County 56001", "County 56003"]
      assert.deepStrictEqual(yield* completed(counties(3)), { values, hasMore: true })
      assert.deepStrictEqual(yield* completed(counties(2)), { values, total: 2, hasMore: false })
      // The caller's own come before all others.
      assert.deepStrictEqual(yield* completed(counties(4, "48453")), { values, total: 2, hasMore: false })
    }))
})

describe("The completion of a list", () => {
  it.effect("is the part that was read where the rest cannot be now, and says that there is more", () =>
    Effect.gen(function*() {
      const { toolbox } = toolboxOf(page("One", "2"), page("Two", "3"), away)
      assert.deepStrictEqual(yield* completing(toolbox), { values: ["One", "Two"], hasMore: true })
      assert.deepStrictEqual(yield* completing(toolboxOf(away).toolbox), { values: [], hasMore: true })
      const county = yield* completing(toolboxOf(away).toolbox, prompt, "county")
      assert.deepStrictEqual(county, { values: [], hasMore: true })
    }))

  it.effect("is answered in the time of one request, however many pages there are", () =>
    Effect.gen(function*() {
      const { toolbox } = toolboxOf(page("One", "2"), Effect.delay(page("Two", "3"), "9 seconds"), Effect.never)
      const fiber = yield* Effect.forkChild(completing(toolbox), { startImmediately: true })
      yield* TestClock.adjust("10 seconds")
      assert.isDefined(fiber.pollUnsafe(), "is answered in time")
      assert.deepStrictEqual(yield* Fiber.join(fiber), { values: ["One", "Two"], hasMore: true })
    }))

  it.effect("is one of properties where these are put on it, and any to be read", () =>
    Effect.gen(function*() {
      const [putting, reading] = [toolboxOf(page("One", null)), toolboxOf(page("One", null))]
      assert.deepStrictEqual(yield* completing(putting.toolbox), { values: ["One"], total: 1, hasMore: false })
      const ref = { type: "ref/resource", uri: "freehold://lists/{id}" }
      assert.deepInclude(yield* completing(reading.toolbox, ref, "id"), { values: ["id of One"] })
      assert.deepStrictEqual([putting.asked, reading.asked], [[{ limit: 200, type: "properties" }], [{ limit: 200 }]])
    }))
})

/** A member's own monthly credit limit, where credits and limits are told. */
import { assert, layer } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { Toolbox } from "@freehold/mcp-host/Toolbox"
import { Effect } from "effect"
import { idle, ids, person, tool } from "./ResearchScene.ts"

const tools = ["describe_workspace", "get_credit_balance", "get_account", "get_allowance"] as const

layer(idle, { excludeTestServices: true })("A member's own limit", (it) => {
  const as = (who: ReturnType<typeof person>) => (name: string, input: object = {}) =>
    Toolbox.use(({ call }) => call(`service_${name}`, input)).pipe(
      Effect.provideService(Caller, who),
      // Of any shape: what it has is what is asserted.
      Effect.map(({ structuredContent }): ReturnType<typeof JSON.parse> => structuredContent)
    )

  it.effect("is told with what is spent and left of it, and to nobody else", () =>
    Effect.gen(function*() {
      const ana = as(person("other", "Ana", { memberId: ids.farFirm, monthlyCreditLimit: 12 }))
      const opened = yield* ana("reveal_property", { id: ids.researched })
      assert.deepInclude(opened, { creditsCharged: 10, credits_remaining: 9990, own_limit_remaining: 2 })
      for (const name of tools) {
        const { own_limit: { resets_at, ...own } } = yield* ana(name)
        assert.deepStrictEqual(own, { limit: 12, spent: 10, remaining: 2 }, name)
        assert.match(resets_at, /^\d{4}-\d{2}-01T00:00:00\.000Z$/, name)
        assert.notProperty(yield* as(person("other", "Ben"))(name), "own_limit", name)
        assert.notProperty(yield* tool(name, {}, "other"), "own_limit", name)
      }
      const firm = yield* ana("research_organization", { id: ids.firm })
      assert.deepInclude(firm, { credits_charged: 2, own_limit_remaining: 0 })
      const revealed = yield* tool("reveal_contact", { id: ids.pBare }, "other")
      assert.deepInclude(revealed, { creditsCharged: 5, credits_remaining: 9983 })
      assert.notProperty(revealed, "own_limit_remaining")
    }))
})

layer(idle, { excludeTestServices: true })("The daily limits of a workspace", (it) => {
  it.effect("are reveals, exports and every other one that is in force", () =>
    Effect.gen(function*() {
      const namesOf = (tenant: "rich" | "capped") =>
        Effect.map(
          tool("describe_workspace", {}, tenant),
          ({ daily_limits }) => daily_limits.map(({ name }: { readonly name: string }) => name)
        )
      assert.deepStrictEqual(yield* namesOf("rich"), ["contact_reveal", "lead_export", "agent_pipeline_change"])
      assert.deepStrictEqual(yield* namesOf("capped"), [
        "contact_reveal",
        "lead_export",
        "agent_pipeline_change",
        "paid_property_unlock"
      ])
    }))
})

/**
 * The dry run of every tool that may spend, and the price that is told of it: what they price is not refused afterwards, and
 * what is refused they refuse.
 */
import { assert, describe, it } from "@effect/vitest"
import { Caller, type PersonCaller } from "@freehold/core/access/Caller"
import { Toolbox } from "@freehold/mcp-host/Toolbox"
import { type Tool, tools } from "@freehold/mcp-host/Tools"
import { Effect } from "effect"
import { ended, idle, ids, licensed, over, person, tool, worker } from "./ResearchScene.ts"

/** What each of the tools is asked for: of every kind that it prices, answers for nothing or refuses. */
const asked: Readonly<Record<string, ReadonlyArray<object>>> = {
  service_reveal_property: [
    { id: ids.researched },
    { id: ids.covered },
    { id: ids.spare },
    { id: ids.outside },
    { id: ids.retired },
    { id: ids.moved },
    { id: ids.nowhere }
  ],
  service_reveal_contact: [{ id: ids.pLocked }, { id: ids.pBare }, { id: ids.pKnown }, { id: ids.pOutside }],
  service_research_property: [
    { id: ids.plain },
    { id: ids.slow },
    { id: ids.outside },
    { id: ids.retired },
    { id: ids.moved }
  ],
  service_research_properties: [
    { property_ids: [ids.spare, ids.slow] },
    { property_ids: [ids.slow, ids.outside] },
    { property_ids: [ids.coveredToo] }
  ],
  service_research_contact: [{ id: ids.pKnown }, { id: ids.pOutside }, { id: ids.nowhere }],
  service_research_organization: [{ id: ids.firm }, { id: ids.farFirm }],
  service_find_email: [{ contact_id: ids.pHidden }, { contact_id: ids.pKnown }, { contact_id: ids.pOutside }],
  service_deep_research_contact: [
    { contact_id: ids.pTwo },
    { contact_id: ids.pThree },
    { contact_id: ids.pThree, again: true },
    { contact_id: ids.pOutside }
  ],
  service_draft_email: [
    { contact_id: ids.pThree },
    { contact_id: ids.pKnown },
    { contact_id: ids.pNoEmail },
    { contact_id: ids.pOutside }
  ],
  service_get_lead_bundle: [{ property_id: ids.covered }, { property_id: ids.bare }, { property_id: ids.outside }]
}

/** What tells the price of the same; null: nothing does. */
const priced: Readonly<Record<string, (input: ReturnType<typeof JSON.parse>) => object | null>> = {
  service_reveal_property: ({ id }) => ({ action: "unlock_property", property_ids: [id] }),
  service_reveal_contact: ({ id }) => ({ action: "reveal_contact", contact_id: id }),
  service_research_property: ({ id }) => ({ action: "research_property", property_ids: [id] }),
  // The price of one is that of its research by itself, which may be done anew.
  service_research_properties: ({ property_ids }) =>
    property_ids.length > 1 ? { action: "research_property", property_ids } : null,
  service_research_contact: ({ id }) => ({ action: "research_contact", contact_id: id }),
  service_research_organization: ({ id }) => ({ action: "research_organization", organization_id: id }),
  service_find_email: (input) => ({ action: "find_email", ...input }),
  service_deep_research_contact: (input) => ({ action: "deep_research_contact", ...input }),
  service_draft_email: (input) => ({ action: "draft_email", ...input })
}

/** Who asks: first those who are refused, then those who pay, so that each finds something to pay for. */
const callers = {
  "only reads": person("rich", "Reader", { role: "read_only" }),
  "has a limit below every price": person("rich", "Sparing", { monthlyCreditLimit: 0 }),
  "lacks the part of the service": person("gated", "Gated"),
  "never had credits": person("fresh", "Fresh"),
  "did not pay": person("unpaid", "Unpaid"),
  "lies dormant": person("dormant", "Dormant"),
  "has few credits": person("poor", "Poor"),
  "may unlock once a day": person("capped", "Capped"),
  "sees a part of the area": person("other", "Local", { territory: { county_fips: [licensed] } }),
  "has a limit above some prices": person("rich", "Careful", { monthlyCreditLimit: 12 }),
  "may do everything": person("rich", "Free")
} as const

const call = (caller: PersonCaller, name: string, input: object) =>
  Toolbox.use((toolbox) => toolbox.call(name, input)).pipe(
    Effect.provideService(Caller, caller),
    // Of any shape: what it has is what is asserted.
    Effect.map((
      { isError, structuredContent }
    ): { readonly refused: boolean; readonly told: ReturnType<typeof JSON.parse> } => ({
      refused: isError === true,
      told: structuredContent
    }))
  )

describe("A dry run", () => {
  const test = over(idle)

  it("is tried of every tool that may spend", () => {
    const spending = tools.filter(({ operation }: Tool) => operation.effect === "spend")
    assert.sameMembers(Object.keys(asked), spending.map(({ published }: Tool) => published.name))
  })

  test("of several unlocks says that together they are too many, where each by itself is not", () =>
    Effect.gen(function*() {
      const unlocks = { action: "unlock_property", property_ids: [ids.researched, ids.researchedToo] }
      const sparing = person("other", "Sparing", { memberId: ids.farFirm, monthlyCreditLimit: 12 })
      for (
        const [who, refused] of [
          [sparing, "USER_CREDIT_LIMIT_EXCEEDED"],
          [callers["may unlock once a day"], "DAILY_CAP_EXCEEDED"],
          [callers["may do everything"], undefined]
        ] as const
      ) {
        const { told } = yield* call(who, "service_price_research", unlocks)
        assert.strictEqual(told.projectedCredits, 20)
        assert.strictEqual(told.refused, refused)
        for (const item of told.items) assert.notProperty(item, "refused")
      }
    }))

  test("prices what is not refused afterwards, and refuses what is", () =>
    Effect.gen(function*() {
      // A strategy to draft on, and two properties that somebody has researched at this moment.
      yield* Effect.provide(
        Effect.flatMap(tool("deep_research_contact", { contact_id: ids.pThree }), ({ run_id }) => ended(run_id)),
        worker
      )
      yield* tool("research_property", { id: ids.slow }, "other")
      const refusals = new Set<string>()
      const paidFor = new Set<string>()
      for (const [who, caller] of Object.entries(callers)) {
        for (const [name, inputs] of Object.entries(asked)) {
          for (const input of inputs) {
            const what = `${who}: ${name} ${JSON.stringify(input)}`
            const price = priced[name]?.(input) ?? null
            const quoted = price === null ? null : yield* call(caller, "service_price_research", price)
            const dry = yield* call(caller, name, { ...input, maxCredits: 0 })
            const step = dry.told.next
            if (step?.tool in asked) assert.isDefined(step.arguments.maxCredits, what)
            const asks = dry.told.code === "COST_CONFIRMATION_REQUIRED"
            // Who lacks the part of the service is told no price at all.
            const told = quoted?.told.code !== "FEATURE_GATED" && quoted !== null
            if (told) {
              assert.strictEqual(quoted.told.refused, dry.refused && !asks ? dry.told.code : undefined, what)
              // Whoever may not do it at all may do none of it.
              if (quoted.told.refused === "ROLE_NOT_PERMITTED") {
                for (const item of quoted.told.items) assert.property(item, "refused", what)
              }
            }
            if (dry.refused && asks) {
              if (told) {
                assert.deepInclude(quoted.told, {
                  projectedCredits: dry.told.projectedCredits,
                  balance: dry.told.balance
                }, what)
                assert.strictEqual(quoted.told.ownLimitRemaining ?? null, dry.told.ownLimitRemaining, what)
              }
              const { monthlyCreditLimit: limit } = caller.member
              assert.isAtLeast(dry.told.balance, dry.told.projectedCredits, what)
              assert.isTrue(
                limit === null
                  ? dry.told.ownLimitRemaining === null
                  : dry.told.ownLimitRemaining >= dry.told.projectedCredits,
                what
              )
              const paid = yield* call(caller, name, { ...input, maxCredits: dry.told.projectedCredits })
              assert.isFalse(paid.refused, `${what}: ${JSON.stringify(paid.told)}`)
              paidFor.add(name)
            } else {
              const real = yield* call(caller, name, { ...input, maxCredits: 1000 })
              assert.deepStrictEqual([real.refused, real.told.code], [dry.refused, dry.told.code], what)
              if (dry.refused) refusals.add(dry.told.code)
            }
          }
        }
      }
      assert.sameMembers([...paidFor], Object.keys(asked))
      assert.includeMembers([...refusals], [
        "ROLE_NOT_PERMITTED",
        "FEATURE_GATED",
        "NOT_FOUND",
        "OUT_OF_TERRITORY",
        "PROPERTY_RETIRED",
        "NOT_RESEARCHED",
        "NOT_ENTITLED",
        "ALREADY_RESEARCHING",
        "EMPTY_SELECTION",
        "STRATEGY_REQUIRED",
        "DO_NOT_CONTACT",
        "BILLING_NOT_PROVISIONED",
        "PAYMENT_FAILED",
        "CREDITS_DORMANT",
        "INSUFFICIENT_CREDITS",
        "USER_CREDIT_LIMIT_EXCEEDED",
        "DAILY_CAP_EXCEEDED"
      ])
    }))
})

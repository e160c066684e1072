/** The table of moves, cell by cell, and what holds of every wish. */
import { assert, describe, it } from "@effect/vitest"
import { defaults } from "@freehold/core/organization/Organization"
import { decideMove, followCrm, type LeadState, targets, type Wish } from "@freehold/core/pipeline/Moves"
import { DisqualifyReason } from "@freehold/core/stage/DisqualifyReason"
import { Stage } from "@freehold/core/stage/Stage"
import { Result } from "effect"
import * as fc from "fast-check"

const internal = defaults("org_sample")
const external = { ...internal, crm_mode: "external" as const }

const lead = (status: Stage): LeadState => ({
  status,
  dealValue: 10,
  lossReasonCode: status === "lost" ? "price" : null,
  lossReasonNote: null,
  disqualifiedReason: status === "disqualified" ? "too_small" : null
})

const wishFor = (to: Stage): Wish =>
  to === "lost"
    ? { to, lossReasonCode: "price" }
    : to === "disqualified"
    ? { to, reason: "too_small" }
    : { to, dealValue: 20 }

const outcome = (before: LeadState | null, wish: Wish, organization = internal): string =>
  Result.match(decideMove(before, wish, organization), { onFailure: ({ _tag }) => _tag, onSuccess: () => "yes" })

const same = "SAME_STATUS"
const no = "INVALID_TRANSITION"
const none = "NO_PIPELINE_RECORD"
const closed = "CLOSED_STAGE"

/** In the order of the stages: qualified, attempted_contact, active_opportunity, won, lost, disqualified. */
const table: ReadonlyArray<readonly [Stage | null, ReadonlyArray<string>]> = [
  [null, ["yes", none, none, none, none, none]],
  ["qualified", [same, "yes", "yes", "yes", "yes", "yes"]],
  ["attempted_contact", ["yes", same, "yes", "yes", "yes", "yes"]],
  ["active_opportunity", [no, "yes", same, "yes", "yes", "yes"]],
  ["won", [no, no, "yes", same, "yes", closed]],
  ["lost", [no, "yes", "yes", "yes", same, closed]],
  ["disqualified", ["yes", no, no, no, no, "ALREADY_DISQUALIFIED"]]
]

const states = fc.record({
  status: fc.constantFrom(...Stage.literals),
  dealValue: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null })
}).map(({ dealValue, status }): LeadState => ({ ...lead(status), dealValue }))

const wishes = fc.record({
  to: fc.constantFrom(...Stage.literals),
  dealValue: fc.option(fc.oneof(fc.integer({ min: -2, max: 5 }), fc.double()), { nil: undefined }),
  note: fc.option(fc.constantFrom("", " ", "because"), { nil: undefined }),
  lossReasonCode: fc.option(fc.constantFrom("price", "other", "made_up"), { nil: undefined }),
  reason: fc.constantFrom(...DisqualifyReason.literals)
}).map(({ dealValue, lossReasonCode, note, reason, to }): Wish =>
  to === "lost"
    ? { to, dealValue, note, lossReasonCode }
    : to === "disqualified"
    ? { to, dealValue, note, reason }
    : { to, dealValue, note }
)

describe("the table of moves", () => {
  it.each(table)("from %s (M2)", (from, row) => {
    const before = from === null ? null : lead(from)
    assert.deepStrictEqual(Stage.literals.map((to) => outcome(before, wishFor(to))), row)
  })

  it.each(table)("from %s while the CRM owns the stages", (from, row) => {
    const before = from === null ? null : lead(from)
    const [qualified, , , , , disqualified] = row
    assert.deepStrictEqual(
      Stage.literals.map((to) => outcome(before, wishFor(to), external)),
      [qualified, "STAGE_CAPPED", "STAGE_CAPPED", "STAGE_CAPPED", "STAGE_CAPPED", disqualified]
    )
  })
})

describe("what is allowed instead", () => {
  const allowedOf = (from: Stage, to: Stage, organization = internal) => {
    const told = decideMove(lead(from), wishFor(to), organization)
    return Result.isFailure(told) && told.failure._tag === "INVALID_TRANSITION" ? told.failure : null
  }

  it("is what the organization may do: nothing that its CRM decides", () => {
    assert.deepStrictEqual(allowedOf("won", "qualified")?.allowed, ["active_opportunity", "lost"])
    const won = allowedOf("won", "qualified", external)
    assert.deepStrictEqual(won?.allowed, [])
    assert.include(won?.message, "from won your own CRM decides where it goes.")
    assert.deepStrictEqual(allowedOf("active_opportunity", "qualified", external)?.allowed, ["disqualified"])
  })
})

describe("any wish", () => {
  it("is answered, and what it makes of a lead is whole (M2)", () => {
    fc.assert(
      fc.property(fc.option(states, { nil: null }), wishes, (before, wish) => {
        const told = decideMove(before, wish, internal)
        if (Result.isFailure(told)) return
        const { from, note, to } = told.success
        assert.strictEqual(from, before?.status ?? null)
        assert.strictEqual(to.status, wish.to)
        assert.isTrue(from === null ? to.status === "qualified" : targets[from].includes(to.status))
        if (to.status === "qualified" || to.status === "won") assert.isAbove(to.dealValue ?? 0, 1)
        if (wish.dealValue !== undefined) assert.strictEqual(to.dealValue, wish.dealValue)
        assert.strictEqual(to.lossReasonCode !== null, to.status === "lost")
        assert.strictEqual(to.disqualifiedReason !== null, to.status === "disqualified")
        assert.isTrue(to.lossReasonNote === null || to.status === "lost")
        if (to.lossReasonCode === "other" || to.disqualifiedReason === "other") assert.strictEqual(note, "because")
      }),
      { numRuns: 500 }
    )
  })
})

describe("a write-back of the external CRM", () => {
  it("goes from every stage to won and lost, keeps the value, and does nothing where the lead is", () => {
    for (const status of Stage.literals) {
      for (const to of ["won", "lost"] as const) {
        const move = followCrm(lead(status), to)
        assert.deepStrictEqual(
          move,
          status === to ? null : {
            from: status,
            to: { status: to, dealValue: 10, lossReasonCode: null, lossReasonNote: null, disqualifiedReason: null },
            note: null
          }
        )
      }
    }
  })
})

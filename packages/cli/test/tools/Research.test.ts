/** The tools of research from outside: what each costs, answers and refuses with. */
import { assert, describe } from "@effect/vitest"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { alone } from "@freehold/core/memory/MemoryTransaction"
import { MaximumLaunches, ResearchRuns } from "@freehold/core/research/ResearchRuns"
import { Clock, Deferred, Effect, Fiber, Layer } from "effect"
import {
  balance,
  blank,
  ended,
  entries,
  idle,
  ids,
  layer as working,
  over,
  overLines,
  release,
  restOf,
  tool,
  wordless
} from "./ResearchScene.ts"

const code = (name: string, input: object, tenant: Parameters<typeof tool>[2] = "rich") =>
  Effect.map(tool(name, input, tenant), (answer): string => answer.code)

/** Researches a person about a property to the end. */
const strategy = (contact_id: string, property_id: string, tenant: Parameters<typeof tool>[2] = "rich") =>
  Effect.gen(function*() {
    const started = yield* tool("deep_research_contact", { contact_id, property_id }, tenant)
    assert.deepInclude(yield* ended(started.run_id, tenant), { status: "complete" })
  })

describe("research that is worked on", () => {
  const test = over(working)

  test("a property: 10 credits with the unlock, and the research is there to read", () =>
    Effect.gen(function*() {
      const before = yield* balance()
      const started = yield* tool("research_property", { id: ids.plain })
      assert.deepInclude(started, { status: "queued", credits_charged: 10, credits_remaining: before - 10 })
      const status = yield* ended(started.run_id)
      assert.deepInclude(status, {
        status: "complete",
        credits_charged: 10,
        credits_returned: 0,
        action: "research_property"
      })
      assert.deepStrictEqual(status.counts, { total: 1, queued: 0, running: 0, complete: 1, partial: 0, failed: 0 })
      const { property, revealSource } = yield* tool("get_property", { id: ids.plain })
      assert.strictEqual(property.beneficialOwner, "Found Holdings")
      assert.strictEqual(property.enrichmentStatus, "complete")
      assert.strictEqual(revealSource, "paid")
      assert.deepInclude(yield* tool("reveal_property", { id: ids.plain }), {
        alreadyRevealed: true,
        creditsCharged: 0,
        credits_remaining: before - 10
      })
      assert.strictEqual(yield* balance(), before - 10)
    }))

  test("what is left is told beside each reveal, repeated ones too", () =>
    Effect.gen(function*() {
      const before = yield* balance("other")
      const reveal = () => tool("reveal_contact", { id: ids.pBare }, "other")
      for (const alreadyRevealed of [false, true]) {
        assert.deepInclude(yield* reveal(), { alreadyRevealed, credits_remaining: before - 5 })
      }
    }))

  test("nothing found: the credits come back by a refund of the charge, and the property closes again", () =>
    Effect.gen(function*() {
      const before = yield* balance()
      const started = yield* tool("research_property", { id: ids.bare })
      const status = yield* ended(started.run_id)
      assert.deepInclude(status, { status: "failed", credits_charged: 10, credits_returned: 10 })
      assert.strictEqual(status.items[0].reason, "nothing_found")
      assert.strictEqual(yield* balance(), before)
      const [charge, refund] = (yield* entries()).slice(-2)
      assert.deepInclude(charge, { kind: "charge", action: "research_property", subject_id: ids.bare, credits: -10 })
      assert.deepInclude(refund, { kind: "refund", refund_of: charge?.entry ?? null, credits: 10 })
      assert.deepInclude(yield* tool("get_property", { id: ids.bare }), { researchState: "none" })
      assert.strictEqual((yield* tool("get_property", { id: ids.bare })).property.enrichmentStatus, "failed")
    }))

  test("a batch: what cannot be researched is skipped, what fails is given back", () =>
    Effect.gen(function*() {
      const before = yield* balance("other")
      const started = yield* tool("research_properties", {
        property_ids: [
          ids.researched,
          ids.researched.toUpperCase(),
          ids.bare,
          ids.covered,
          ids.outside,
          ids.nowhere,
          ids.retired
        ],
        maxCredits: 20
      }, "other")
      assert.deepInclude(started, { credits_charged: 20, credits_remaining: before - 20, properties: 2 })
      assert.deepStrictEqual(started.skipped, [
        { id: ids.covered, reason: "ALREADY_RESEARCHED" },
        { id: ids.outside, reason: "OUT_OF_TERRITORY" },
        { id: ids.nowhere, reason: "NOT_FOUND" },
        { id: ids.retired, reason: "PROPERTY_RETIRED" }
      ])
      const status = yield* ended(started.run_id, "other")
      assert.deepInclude(status, { status: "partial", credits_charged: 20, credits_returned: 10 })
      assert.strictEqual(yield* balance("other"), before - 10)
    }))

  test("a batch from a list, and a firm for 2 credits", () =>
    Effect.gen(function*() {
      const before = yield* balance()
      const { list } = yield* tool("create_list", { list_name: "To research", list_type: "properties" })
      yield* tool("add_to_list", { list_id: list.id, item_ids: [ids.spare, ids.covered] })
      const started = yield* tool("research_properties", { list_id: list.id, maxCredits: 10 })
      assert.deepInclude(started, { credits_charged: 10, properties: 1 })
      assert.deepInclude(yield* ended(started.run_id), { status: "complete" })
      const firm = yield* tool("research_organization", { id: ids.firm })
      assert.strictEqual(firm.credits_charged, 2)
      const status = yield* ended(firm.run_id)
      assert.deepInclude(status, { status: "complete", action: "research_organization" })
      assert.deepInclude(status.items[0], { subject_type: "organization", subject_id: ids.firm })
      assert.strictEqual(yield* balance(), before - 12)
    }))

  test("ALREADY_RESEARCHING, BATCH_ALREADY_RUNNING while it goes on, for everyone", () =>
    Effect.gen(function*() {
      const started = yield* tool("research_properties", { property_ids: [ids.slow], maxCredits: 10 })
      const again = { code: "ALREADY_RESEARCHING", run_id: started.run_id }
      assert.deepInclude(yield* tool("research_property", { id: ids.slow }), again)
      assert.deepInclude(yield* tool("research_property", { id: ids.slow }, "other"), { ...again, run_id: null })
      assert.deepInclude(yield* tool("price_research", { action: "research_property", property_ids: [ids.slow] }), {
        projectedCredits: 10,
        run_id: started.run_id,
        items: [{ id: ids.slow, credits: 10, refused: "ALREADY_RESEARCHING", run_id: started.run_id }]
      })
      const refused = yield* tool("research_properties", { property_ids: [ids.plain, ids.bare], maxCredits: 20 })
      assert.deepInclude(refused, { code: "BATCH_ALREADY_RUNNING", run_id: started.run_id })
      const another = { action: "research_property", property_ids: [ids.spare, ids.bare] }
      assert.deepInclude(yield* tool("price_research", another), {
        refused: "BATCH_ALREADY_RUNNING",
        run_id: started.run_id
      })
      assert.include(
        ["queued", "processing"],
        (yield* tool("get_property", { id: ids.slow })).property.enrichmentStatus
      )
      yield* release
      assert.deepInclude(yield* ended(started.run_id), { status: "complete" })
    }))

  test("find email: free when it is known, given back when there is none", () =>
    Effect.gen(function*() {
      const before = yield* balance()
      assert.deepStrictEqual(yield* tool("find_email", { contact_id: ids.pKnown }), {
        status: "complete",
        credits_charged: 0,
        email: "jo@people.example"
      })
      const started = yield* tool("find_email", { contact_id: ids.pHidden })
      assert.deepInclude(started, { credits_charged: 5, email: null })
      assert.deepInclude(yield* ended(started.run_id), { status: "failed", credits_returned: 5, email: null })
      assert.strictEqual(yield* balance(), before)
    }))

  test("a contact and deep research are charged when they start; a draft needs the strategy", () =>
    Effect.gen(function*() {
      const before = yield* balance()
      const plain = yield* tool("research_contact", { id: ids.pKnown })
      assert.deepInclude(yield* ended(plain.run_id), { status: "complete", credits_charged: 5 })
      assert.strictEqual(yield* code("draft_email", { contact_id: ids.pKnown }), "STRATEGY_REQUIRED")
      const deep = yield* tool("deep_research_contact", { contact_id: ids.pKnown })
      assert.strictEqual(deep.credits_charged, 10)
      assert.strictEqual((yield* ended(deep.run_id)).strategy.summary, "Made up.")
      const draft = yield* tool("draft_email", { contact_id: ids.pKnown, purpose: "roof inspections", tone: "formal" })
      assert.deepInclude(draft, { status: "complete", credits_charged: 5, credits_returned: 0 })
      assert.strictEqual(draft.credits_remaining, yield* balance())
      assert.match(draft.draft.body, /^Dear Jo Sample,/)
      assert.deepStrictEqual((yield* ended(draft.run_id)).draft, draft.draft)
      assert.strictEqual(yield* balance(), before - 20)
      assert.strictEqual(yield* code("get_research_status", { run_id: draft.run_id }, "other"), "NOT_FOUND")
    }))
})

describe("deep research about one property of a person", () => {
  const test = over(working)

  test("costs once for each property, and anew when that is asked for", () =>
    Effect.gen(function*() {
      const before = yield* balance()
      const about = (more: object) => tool("deep_research_contact", { contact_id: ids.pTwo, ...more })
      const first = yield* about({})
      assert.deepInclude(first, { credits_charged: 10, property_id: ids.covered })
      yield* ended(first.run_id)
      const { finished_at } = yield* ended(first.run_id)
      const existing = { finished_at, age_days: 0 }
      const known = { run_id: first.run_id, status: "complete", credits_charged: 0, property_id: ids.covered, existing }
      assert.deepInclude(yield* about({}), known)
      assert.deepStrictEqual(yield* about({ property_id: ids.covered, maxCredits: 0 }), {
        ...known,
        address: "1 Sample Street"
      })
      const again = yield* about({ again: true })
      assert.deepInclude(again, { credits_charged: 10, property_id: ids.covered })
      assert.notStrictEqual(again.run_id, first.run_id)
      yield* ended(again.run_id)
      const other = yield* about({ property_id: ids.coveredToo.toUpperCase() })
      assert.deepInclude(other, { credits_charged: 10, property_id: ids.coveredToo })
      const status = yield* ended(other.run_id)
      assert.deepInclude(status.items[0], { subject_id: ids.pTwo, property_id: ids.coveredToo })
      assert.strictEqual(yield* balance(), before - 30)
    }))

  test("a draft is about the property that was researched", () =>
    Effect.gen(function*() {
      const draft = (more: object) => tool("draft_email", { contact_id: ids.pTwo, ...more })
      yield* strategy(ids.pTwo, ids.covered)
      yield* strategy(ids.pTwo, ids.coveredToo)
      assert.deepInclude(yield* draft({}), { status: "complete", property_id: ids.coveredToo })
      assert.deepInclude(yield* draft({ property_id: ids.covered }), { status: "complete", property_id: ids.covered })
    }))

  test("is about the property that was paid for or moved in the pipeline last, and so is the draft", () =>
    Effect.gen(function*() {
      const about = { contact_id: ids.pThree }
      yield* tool("qualify_lead", { property_id: ids.coveredToo, deal_value: 5000 })
      // The dry run and the price name it before it is paid for.
      const dry = yield* tool("deep_research_contact", { ...about, maxCredits: 0 })
      assert.deepInclude(dry, { code: "COST_CONFIRMATION_REQUIRED", property_id: ids.coveredToo })
      assert.deepInclude(dry.next.arguments, { ...about, property_id: ids.coveredToo, maxCredits: 10 })
      const { items: [priced] } = yield* tool("price_research", { action: "deep_research_contact", ...about })
      assert.deepInclude(priced, { credits: 10, property_id: ids.coveredToo })
      const first = yield* tool("deep_research_contact", about)
      assert.deepInclude(first, { credits_charged: 10, property_id: ids.coveredToo })
      assert.notProperty(first, "existing")
      yield* ended(first.run_id)
      assert.deepInclude(yield* tool("draft_email", about), { property_id: ids.coveredToo, status: "complete" })
      yield* tool("qualify_lead", { property_id: ids.covered, deal_value: 5000 })
      const second = yield* tool("deep_research_contact", about)
      assert.deepInclude(second, { credits_charged: 10, property_id: ids.covered })
      yield* ended(second.run_id)
      assert.deepInclude(yield* tool("draft_email", about), { property_id: ids.covered })
    }))

  test("a draft is about the one that was taken up last, if that was researched, else about the one that was last", () =>
    Effect.gen(function*() {
      const about = { contact_id: ids.pTwo }
      const draft = (more: object = {}) => tool("draft_email", { ...about, ...more }, "other")
      const deep = (property_id: string) => strategy(ids.pTwo, property_id, "other")
      const takenUp = (property_id: string) => tool("qualify_lead", { property_id, deal_value: 5000 }, "other")
      yield* takenUp(ids.covered)
      yield* deep(ids.coveredToo)
      assert.deepInclude(yield* draft(), { status: "complete", property_id: ids.coveredToo })
      yield* takenUp(ids.coveredToo)
      yield* deep(ids.covered)
      assert.deepInclude(yield* draft(), { status: "complete", property_id: ids.coveredToo })
      yield* tool("disqualify_lead", { property_id: ids.coveredToo, reason_code: "not_a_fit" }, "other")
      assert.deepInclude(yield* draft(), { status: "complete", property_id: ids.covered })
    }))

  test("what was paid for is found again: in the list, on the contact and on the property", () =>
    Effect.gen(function*() {
      for (const property_id of [ids.coveredToo, ids.covered]) {
        yield* strategy(ids.pThree, property_id)
        yield* tool("draft_email", { contact_id: ids.pThree, property_id })
      }
      const { runs } = yield* tool("list_research_runs", { contact_id: ids.pThree })
      assert.deepStrictEqual(
        runs.map((
          run: Record<string, unknown>
        ) => [run["action"], run["property_id"], run["credits_charged"], run["status"]]),
        [
          ["draft_email", ids.covered, 5, "complete"],
          ["deep_research_contact", ids.covered, 10, "complete"],
          ["draft_email", ids.coveredToo, 5, "complete"],
          ["deep_research_contact", ids.coveredToo, 10, "complete"]
        ]
      )
      const [draft, deep] = runs
      assert.deepStrictEqual(deep.result, { kind: "strategy", summary: "Made up." })
      assert.strictEqual(draft.result.kind, "draft")
      const noteOf = (input: object) => Effect.map(tool("list_research_runs", input, "fresh"), ({ note }) => note)
      assert.strictEqual(yield* noteOf({}), "Nothing that you see was researched yet.")
      assert.strictEqual(
        yield* noteOf({ contact_id: ids.pThree, mine: true }),
        "No run that you see fits contact_id, mine."
      )
      assert.strictEqual(
        yield* noteOf({ contact_id: ids.plain }),
        "contact_id is the id of a property: send it as property_id."
      )
      // Of a place outside nobody is told what it is the id of.
      assert.strictEqual(yield* noteOf({ contact_id: ids.outside }), "No run that you see fits contact_id.")
      const page = yield* tool("list_research_runs", { contact_id: ids.pThree, limit: 3 })
      assert.strictEqual(page.next_cursor, runs[2].run_id)
      const rest = yield* tool("list_research_runs", { contact_id: ids.pThree, cursor: page.next_cursor })
      assert.deepStrictEqual([...page.runs, ...rest.runs], runs)
      assert.isNull(rest.next_cursor)
      const twin = yield* restOf(`/research/runs?contact_id=${ids.pThree}`)
      assert.deepStrictEqual(twin.data, { runs, next_cursor: null })
      const person = yield* tool("get_contact", { id: ids.pThree })
      assert.strictEqual(person.last_strategy.run_id, deep.run_id)
      assert.deepInclude(person.last_draft, { run_id: draft.run_id, property_id: ids.covered })
      const place = yield* tool("get_property", { id: ids.covered })
      assert.deepInclude(place.lastDraft, { run_id: draft.run_id, contact_id: ids.pThree })
      assert.deepStrictEqual(
        (yield* tool("list_research_runs", {}, "other")).runs.filter(
          (run: { readonly run_id: string }) => run.run_id === draft.run_id
        ),
        []
      )
    }))

  test("tells the price, 0 where there is some already", () =>
    Effect.gen(function*() {
      const price = (more: object) =>
        Effect.map(
          tool("price_research", { action: "deep_research_contact", contact_id: ids.pTwo, ...more }),
          ({ items: [item] }) => [item.credits, item.refused]
        )
      yield* strategy(ids.pTwo, ids.covered)
      assert.deepStrictEqual(yield* price({}), [0, undefined])
      assert.deepStrictEqual(yield* price({ again: true }), [10, undefined])
      assert.deepStrictEqual(yield* price({ property_id: ids.outside }), [10, "OUT_OF_TERRITORY"])
    }))
})

describe("deep research about a locked property", () => {
  const test = over(working)

  test("asks for the unlock, in its price, its dry run and the draft, and charges nothing", () =>
    Effect.gen(function*() {
      const contact_id = ids.pLocked
      yield* tool("reveal_contact", { id: contact_id })
      const before = yield* balance()
      const locked = { code: "PROPERTY_UNLOCK_REQUIRED", property_id: ids.researched }
      for (
        const [name, input] of [
          ["deep_research_contact", { contact_id }],
          ["deep_research_contact", { contact_id, maxCredits: 0 }],
          ["deep_research_contact", { contact_id, property_id: ids.researched, again: true }],
          ["draft_email", { contact_id }],
          ["draft_email", { contact_id, property_id: ids.researched }]
        ] as const
      ) assert.deepInclude(yield* tool(name, input), locked)
      for (const action of ["deep_research_contact", "draft_email"]) {
        assert.deepInclude(yield* tool("price_research", { action, contact_id }), { refused: locked.code })
      }
      const { next } = yield* tool("deep_research_contact", { contact_id })
      assert.deepStrictEqual(next, {
        tool: "service_reveal_property",
        arguments: { id: ids.researched, maxCredits: 0 }
      })
      assert.strictEqual(yield* balance(), before)
      yield* tool("reveal_property", { id: ids.researched })
      const deep = yield* tool("deep_research_contact", { contact_id })
      assert.deepInclude(yield* ended(deep.run_id), { status: "complete", credits_returned: 0 })
    }))

  test("goes on about the open one when a locked one of the person is qualified, and so does the draft", () =>
    Effect.gen(function*() {
      const about = { contact_id: ids.pLockedTwice }
      yield* tool("reveal_property", { id: ids.researched }, "other")
      const first = yield* tool("deep_research_contact", about, "other")
      assert.deepInclude(first, { credits_charged: 10, property_id: ids.researched })
      yield* ended(first.run_id, "other")
      yield* tool("qualify_lead", { property_id: ids.researchedToo, deal_value: 5000 }, "other")
      const before = yield* balance("other")
      assert.deepInclude(yield* tool("deep_research_contact", about, "other"), {
        run_id: first.run_id,
        credits_charged: 0,
        property_id: ids.researched
      })
      assert.deepInclude(yield* tool("draft_email", { ...about, maxCredits: 0 }, "other"), {
        code: "COST_CONFIRMATION_REQUIRED"
      })
      const other = { ...about, property_id: ids.researchedToo }
      assert.deepInclude(yield* tool("deep_research_contact", other, "other"), {
        code: "PROPERTY_UNLOCK_REQUIRED",
        property_id: ids.researchedToo
      })
      assert.strictEqual(yield* balance("other"), before)
      assert.deepInclude(yield* tool("draft_email", about, "other"), { property_id: ids.researched })
      yield* tool("reveal_property", { id: ids.researchedToo }, "other")
      assert.deepInclude(yield* tool("deep_research_contact", about, "other"), {
        credits_charged: 10,
        property_id: ids.researchedToo
      })
    }))
})

describe("research that is refused", () => {
  const test = over(idle)

  test("a draft while deep research goes on, about whichever of the person's properties", () =>
    Effect.gen(function*() {
      const about = { contact_id: ids.pTwo }
      const { run_id } = yield* tool("deep_research_contact", { ...about, property_id: ids.coveredToo })
      const waiting = { code: "STRATEGY_REQUIRED", run_id }
      const refused = yield* tool("draft_email", about)
      assert.deepInclude(refused, waiting)
      assert.deepInclude(refused.next, { tool: "service_get_research_status", arguments: { run_id } })
      assert.deepInclude((yield* tool("price_research", { action: "draft_email", ...about })).items[0], {
        refused: waiting.code,
        run_id
      })
      assert.deepInclude(yield* tool("draft_email", { ...about, property_id: ids.coveredToo }), waiting)
      assert.deepInclude(yield* tool("draft_email", { ...about, property_id: ids.covered }), {
        ...waiting,
        run_id: null
      })
      // What was found out is drafted on, until research about another one is begun.
      const { items: [item] } = yield* MemoryState.useSync(({ researchRuns }) => {
        const run = researchRuns.get(run_id)
        assert.isDefined(run)
        return run
      })
      yield* ResearchRuns.use((runs) =>
        runs.deliver(item?.jobId ?? "", {
          partial: false,
          rows: [],
          result: { _tag: "Strategy", strategy: { summary: "Made up.", approach: "Ask.", points: [] } }
        })
      )
      const dry = { ...about, maxCredits: 0 }
      const asked = { code: "COST_CONFIRMATION_REQUIRED" }
      assert.deepInclude(yield* tool("draft_email", dry), asked)
      yield* tool("qualify_lead", { property_id: ids.covered, deal_value: 5000 })
      assert.deepInclude(yield* tool("draft_email", dry), asked)
      const other = yield* tool("deep_research_contact", about)
      assert.strictEqual(other.property_id, ids.covered)
      assert.deepInclude(yield* tool("draft_email", dry), { ...waiting, run_id: other.run_id })
      assert.deepInclude(yield* tool("draft_email", { ...dry, property_id: ids.coveredToo }), asked)
    }))

  test("about a property that is not the person's, not visible or merged", () =>
    Effect.gen(function*() {
      for (const name of ["deep_research_contact", "draft_email"]) {
        const about = (property_id: string) => code(name, { contact_id: ids.pKnown, property_id })
        assert.strictEqual(yield* about(ids.plain), "INVALID_ARGUMENTS")
        assert.strictEqual(yield* about(ids.outside), "OUT_OF_TERRITORY")
        assert.strictEqual(yield* about(ids.retired), "PROPERTY_RETIRED")
        assert.strictEqual(yield* about(ids.nowhere), "NOT_FOUND")
      }
    }))

  test("DO_NOT_CONTACT: no draft to who asked not to be emailed, and no charge", () =>
    Effect.gen(function*() {
      const before = yield* balance()
      assert.deepInclude(yield* tool("draft_email", { contact_id: ids.pNoEmail }), {
        code: "DO_NOT_CONTACT",
        channel: "email"
      })
      const { items } = yield* tool("price_research", { action: "draft_email", contact_id: ids.pNoEmail })
      assert.deepStrictEqual(items, [{ id: ids.pNoEmail, credits: 5, refused: "DO_NOT_CONTACT" }])
      assert.strictEqual(yield* balance(), before)
    }))

  test("tells the price before, and what would be refused", () =>
    Effect.gen(function*() {
      const priced = yield* tool("price_research", {
        action: "research_property",
        property_ids: [ids.plain, ids.covered, ids.nowhere]
      })
      assert.deepInclude(priced, { projectedCredits: 10, balance: yield* balance() })
      assert.deepStrictEqual(priced.items, [
        { id: ids.plain, credits: 10 },
        { id: ids.covered, credits: 10, refused: "ALREADY_RESEARCHED" },
        { id: ids.nowhere, credits: 10, refused: "NOT_FOUND" }
      ])
      const again = { action: "research_property", property_ids: [ids.covered] }
      assert.deepInclude(yield* tool("price_research", again), {
        items: [{ id: ids.covered, credits: 10 }]
      })
      // One property is as good as a list of it.
      assert.deepStrictEqual(
        (yield* tool("price_research", { action: "unlock_property", property_id: ids.plain })).items,
        [{ id: ids.plain, credits: 10, refused: "NOT_RESEARCHED" }]
      )
      assert.isAbove(Date.parse(priced.quote_expires_at), yield* Clock.currentTimeMillis)
      for (
        const [action, contact_id, expected] of [
          ["find_email", ids.pKnown, { credits: 0 }],
          ["find_email", ids.pHidden, { credits: 5 }],
          ["find_email", ids.pStale, { credits: 5 }],
          ["draft_email", ids.pHidden, { credits: 5, refused: "STRATEGY_REQUIRED" }],
          ["research_contact", ids.pLocked, { credits: 5, refused: "PROPERTY_UNLOCK_REQUIRED" }],
          ["research_contact", ids.pBare, { credits: 5, refused: "CONTACT_REVEAL_REQUIRED" }],
          ["research_contact", ids.pOutside, { credits: 5, refused: "NOT_FOUND" }]
        ] as const
      ) {
        const priced = yield* tool("price_research", { action, contact_id })
        assert.deepStrictEqual(priced.items, [{ id: contact_id, ...expected }])
        assert.strictEqual(priced.projectedCredits, expected.credits)
        assert.strictEqual(priced.refused, "refused" in expected ? expected.refused : undefined)
      }
    }))

  test("tells with the price what helps against a refusal, as the refusal itself does", () =>
    Effect.gen(function*() {
      for (
        const [action, contact_id, name, argument] of [
          ["draft_email", ids.pHidden, "draft_email", "contact_id"],
          ["research_contact", ids.pBare, "research_contact", "id"],
          ["research_contact", ids.pOutside, "research_contact", "id"],
          ["draft_email", ids.pNoEmail, "draft_email", "contact_id"]
        ] as const
      ) {
        const priced = yield* tool("price_research", { action, contact_id })
        const refused = yield* tool(name, { [argument]: contact_id, maxCredits: 0 })
        assert.strictEqual(priced.refused, refused.code)
        assert.isObject(refused.next)
        assert.deepStrictEqual(priced.next, refused.next)
      }
      const asked = yield* tool("price_research", { action: "draft_email", contact_id: ids.pHidden })
      assert.deepStrictEqual(asked.next, {
        tool: "service_deep_research_contact",
        arguments: { contact_id: ids.pHidden, maxCredits: 0 }
      })
      // What is made of the refusal's detail is asked of the action itself, for nothing.
      const locked = yield* tool("price_research", { action: "research_contact", contact_id: ids.pLocked })
      assert.deepStrictEqual(locked.next, {
        tool: "service_research_contact",
        arguments: { id: ids.pLocked, maxCredits: 0 }
      })
      const known = yield* tool("price_research", {
        action: "research_property",
        property_ids: [ids.covered, ids.nowhere]
      })
      assert.deepInclude(known, {
        refused: "EMPTY_SELECTION",
        next: { tool: "service_get_property", arguments: { id: ids.covered } }
      })
      const open = yield* tool("price_research", { action: "research_property", property_ids: [ids.plain] })
      assert.notProperty(open, "next")
    }))

  test("prices an unlock and a reveal, and what the balance does not allow", () =>
    Effect.gen(function*() {
      const price = (input: object, tenant: Parameters<typeof tool>[2] = "rich") =>
        Effect.map(tool("price_research", input, tenant), ({ items, projectedCredits, refused }) => [
          projectedCredits,
          refused,
          ...items.map((item: { readonly refused: string }) => item.refused)
        ])
      const unlock = (...property_ids: ReadonlyArray<string>) => ({ action: "unlock_property", property_ids })
      assert.deepStrictEqual(yield* price(unlock(ids.researched)), [10, undefined, undefined])
      assert.deepStrictEqual(yield* price(unlock(ids.covered)), [0, undefined, undefined])
      assert.deepStrictEqual(yield* price(unlock(ids.bare)), [10, "NOT_RESEARCHED", "NOT_RESEARCHED"])
      assert.deepStrictEqual(yield* price(unlock(ids.outside)), [10, "OUT_OF_TERRITORY", "OUT_OF_TERRITORY"])
      assert.deepStrictEqual(yield* price(unlock(ids.researched), "poor"), [
        10,
        "INSUFFICIENT_CREDITS",
        "INSUFFICIENT_CREDITS"
      ])
      assert.deepStrictEqual(yield* price(unlock(ids.researched, ids.researchedToo), "poor"), [
        20,
        ...Array(3).fill("INSUFFICIENT_CREDITS")
      ])
      // What is free is no price of what is refused.
      assert.deepStrictEqual(yield* price(unlock(ids.covered, ids.researched), "poor"), [
        10,
        "INSUFFICIENT_CREDITS",
        undefined,
        "INSUFFICIENT_CREDITS"
      ])
      const reveal = (contact_id: string) => ({ action: "reveal_contact", contact_id })
      assert.deepStrictEqual(yield* price(reveal(ids.pLocked)), [5, undefined, undefined])
      assert.deepStrictEqual(yield* price(reveal(ids.pKnown)), [0, undefined, undefined])
      assert.deepStrictEqual(yield* price(reveal(ids.pOutside)), [5, "NOT_FOUND", "NOT_FOUND"])
      const research = { action: "research_property", property_ids: [ids.plain] }
      assert.deepStrictEqual(yield* price(research, "poor"), [10, "INSUFFICIENT_CREDITS", undefined])
      assert.deepStrictEqual(yield* price(research, "fresh"), [10, "BILLING_NOT_PROVISIONED", undefined])
      assert.deepStrictEqual(yield* price(research, "dormant"), [10, "CREDITS_DORMANT", undefined])
      for (const action of ["unlock_property", "research_property"]) {
        assert.deepStrictEqual(yield* price({ action, property_ids: [] }), [0, "EMPTY_SELECTION"])
      }
    }))

  test("prices what costs credits without research, where the service has no research", () =>
    Effect.gen(function*() {
      const price = (input: object) => tool("price_research", input, "gated")
      assert.deepInclude(yield* price({ action: "unlock_property", property_ids: [ids.researched] }), {
        projectedCredits: 10
      })
      assert.deepInclude(yield* price({ action: "reveal_contact", contact_id: ids.pLocked }), { projectedCredits: 5 })
      for (
        const input of [
          { action: "research_property", property_ids: [ids.plain] },
          { action: "deep_research_contact", contact_id: ids.nowhere }
        ]
      ) {
        assert.deepInclude(yield* price(input), { code: "FEATURE_GATED", feature: "enrichments" })
      }
    }))

  test("says of each paid action when it is free", () =>
    Effect.gen(function*() {
      const { actions } = yield* tool("get_price_sheet")
      const deep = actions.find((each: { readonly action: string }) => each.action === "deep_research_contact")
      assert.include(deep.free_when, "there is some about the property already, unless again is true")
    }))

  test("INVALID_ARGUMENTS for a price without its subject, or with another's", () =>
    Effect.gen(function*() {
      for (
        const input of [
          { action: "research_property" },
          { action: "find_email", property_ids: [ids.plain] },
          { action: "find_email", contact_id: ids.pKnown, property_ids: [ids.plain] }
        ]
      ) assert.strictEqual(yield* code("price_research", input), "INVALID_ARGUMENTS")
      const { issues } = yield* tool("price_research", { action: "find_email" })
      assert.deepStrictEqual(issues, [{ field: "contact_id", message: "Expected contact_id" }])
      assert.strictEqual(yield* code("research_properties", { property_ids: [ids.plain] }), "INVALID_ARGUMENTS")
    }))

  test("NOT_FOUND, OUT_OF_TERRITORY and PROPERTY_RETIRED of a property", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* code("research_property", { id: ids.nowhere }), "NOT_FOUND")
      assert.strictEqual(yield* code("research_property", { id: ids.outside }), "OUT_OF_TERRITORY")
      assert.deepInclude(yield* tool("research_property", { id: ids.retired }), {
        code: "PROPERTY_RETIRED",
        successorPropertyId: ids.plain
      })
    }))

  test("LIST_NOT_FOUND and WRONG_LIST_TYPE of a batch, NOT_FOUND of a firm", () =>
    Effect.gen(function*() {
      const { list } = yield* tool("create_list", { list_name: "People", list_type: "contacts" })
      const batch = (list_id: string) => code("research_properties", { list_id, maxCredits: 10 })
      assert.strictEqual(yield* batch(list.id), "WRONG_LIST_TYPE")
      assert.strictEqual(yield* batch(ids.nowhere), "LIST_NOT_FOUND")
      const both = { list_id: list.id, property_ids: [ids.plain], maxCredits: 10 }
      assert.strictEqual(yield* code("research_properties", both), "INVALID_ARGUMENTS")
      assert.strictEqual(yield* code("research_organization", { id: ids.farFirm }), "NOT_FOUND")
      const priced = { action: "research_organization", organization_id: ids.firm }
      assert.deepInclude(yield* tool("price_research", priced), { projectedCredits: 2 })
    }))

  test("BATCH_TOO_LARGE and EMPTY_SELECTION", () =>
    Effect.gen(function*() {
      const many = Array.from({ length: 101 }, (_, n) => `made-up ${n}`)
      assert.deepInclude(yield* tool("research_properties", { property_ids: many, maxCredits: 10 }), {
        code: "BATCH_TOO_LARGE",
        maximum: 100,
        given: 101
      })
      const asked = { action: "unlock_property", property_ids: many }
      assert.deepStrictEqual((yield* tool("price_research", asked)).next, {
        tool: "service_price_research",
        arguments: { ...asked, property_ids: many.slice(0, 100) }
      })
      for (const property_ids of [[], [ids.nowhere], [ids.covered, ids.outside]]) {
        assert.strictEqual(yield* code("research_properties", { property_ids, maxCredits: 10 }), "EMPTY_SELECTION")
      }
    }))

  for (const name of ["research_contact", "find_email", "deep_research_contact", "draft_email"]) {
    const of = (id: string) => name === "research_contact" ? { id } : { contact_id: id }

    test(`${name}: PROPERTY_UNLOCK_REQUIRED, CONTACT_REVEAL_REQUIRED and NOT_FOUND of a contact`, () =>
      Effect.gen(function*() {
        assert.deepInclude(yield* tool(name, of(ids.pLocked)), {
          code: "PROPERTY_UNLOCK_REQUIRED",
          property_id: ids.researched
        })
        assert.strictEqual(yield* code(name, of(ids.pBare)), "CONTACT_REVEAL_REQUIRED")
        assert.strictEqual(yield* code(name, of(ids.pOutside)), "NOT_FOUND")
        assert.strictEqual(yield* code(name, of(ids.nowhere)), "NOT_FOUND")
      }))
  }

  test("refusals about money: each tells its numbers and charges nothing", () =>
    Effect.gen(function*() {
      const id = ids.plain
      assert.strictEqual(yield* code("research_property", { id }, "fresh"), "BILLING_NOT_PROVISIONED")
      assert.strictEqual(yield* code("research_property", { id }, "unpaid"), "SUBSCRIPTION_PAYMENT_FAILED")
      assert.strictEqual(yield* code("research_property", { id }, "dormant"), "CREDITS_DORMANT")
      assert.deepInclude(yield* tool("research_property", { id }, "poor"), {
        code: "INSUFFICIENT_CREDITS",
        required: 10,
        available: 4
      })
      // A dry run promises nothing that would be refused.
      assert.strictEqual(yield* code("research_property", { id, maxCredits: 0 }, "poor"), "INSUFFICIENT_CREDITS")
      assert.deepInclude(yield* tool("research_property", { id, maxCredits: 9 }), {
        code: "COST_CONFIRMATION_REQUIRED",
        projectedCredits: 10,
        maxCredits: 9,
        balance: yield* balance(),
        ownLimitRemaining: null,
        next: { tool: "service_research_property", arguments: { id, maxCredits: 10 } }
      })
      assert.deepInclude(
        yield* tool("research_properties", { property_ids: [ids.plain, ids.bare], maxCredits: 19 }),
        { code: "COST_CONFIRMATION_REQUIRED", projectedCredits: 20, maxCredits: 19 }
      )
      assert.strictEqual(yield* code("research_property", { id }, "gated"), "FEATURE_GATED")
      for (const tenant of ["unpaid", "dormant", "poor"] as const) assert.lengthOf(yield* entries(tenant), 1)
    }))

  test("DAILY_CAP_EXCEEDED: each property's research is a paid unlock of the day", () =>
    Effect.gen(function*() {
      yield* tool("research_property", { id: ids.researched }, "capped")
      assert.deepInclude(yield* tool("research_property", { id: ids.bare }, "capped"), {
        code: "DAILY_CAP_EXCEEDED",
        cap: 1,
        usedToday: 1
      })
    }))

  test("CREDIT_ACTION_IN_PROGRESS and RESEARCH_LAUNCH_BUSY while another call records the same", () =>
    Effect.gen(function*() {
      const state = yield* MemoryState
      const before = yield* balance("other")
      for (
        const [name, input, expected] of [
          ["research_property", { id: ids.plain }, "CREDIT_ACTION_IN_PROGRESS"],
          ["research_properties", { property_ids: [ids.bare], maxCredits: 10 }, "RESEARCH_LAUNCH_BUSY"]
        ] as const
      ) {
        const [held, free] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holding = yield* Effect.forkChild(
          alone(state, Effect.andThen(Deferred.succeed(held, undefined), Deferred.await(free)))
        )
        yield* Deferred.await(held)
        const calls = yield* Effect.forEach([1, 2], () => Effect.forkChild(tool(name, input, "other")))
        // One of them waits for its turn, so that the first answer is the other's.
        const refused = yield* Effect.raceAllFirst(calls.map((call) => Fiber.join(call)))
        assert.deepInclude(refused, { code: expected, retryAfterSeconds: 1 })
        yield* Deferred.succeed(free, undefined)
        yield* Fiber.join(holding)
        const answers = yield* Effect.forEach(calls, (call) => Fiber.join(call))
        assert.lengthOf(answers.filter(({ status }) => status === "queued"), 1)
      }
      assert.strictEqual(yield* balance("other"), before - 20)
    }))
})

describe("a draft that cannot be sent", () => {
  for (
    const [why, host] of [
      ["the drafter fails", wordless],
      ["its subject has two lines", overLines],
      ["its subject is empty", blank]
    ] as const
  ) {
    const test = over(host)

    test(`is not paid: ${why}`, () =>
      Effect.gen(function*() {
        yield* ended((yield* tool("deep_research_contact", { contact_id: ids.pKnown })).run_id)
        const before = yield* balance()
        const draft = yield* tool("draft_email", { contact_id: ids.pKnown })
        assert.deepInclude(draft, { status: "failed", credits_charged: 5, credits_returned: 5 })
        assert.notProperty(draft, "draft")
        assert.notProperty(draft, "credits_remaining")
        assert.strictEqual(yield* balance(), before)
      }))
  }
})

describe("too much research", () => {
  const test = over(idle.pipe(Layer.provide(Layer.succeed(MaximumLaunches, 1))))

  test("RATE_LIMITED, with when to come back", () =>
    Effect.gen(function*() {
      yield* tool("research_property", { id: ids.plain })
      const refused = yield* tool("research_property", { id: ids.bare })
      assert.deepInclude(refused, { code: "RATE_LIMITED", kind: "research" })
      assert.isAbove(refused.retryAfterSeconds, 3500)
    }))
})

/**
 * What whoever pays is told before and with the price, so that nobody pays for what is of no use to them: the records that reading
 * takes, what must be opened first, who must not be written to, and what a batch leaves out.
 */
import { assert, describe, layer } from "@effect/vitest"
import { contact, property, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"
import { balance, ended, idle, ids, layer as working, licensed, over, research, tool } from "./ResearchScene.ts"

const unlocking = (...property_ids: ReadonlyArray<string>) => ({ action: "unlock_property", property_ids })

describe("records, where these are limited", () => {
  const test = over(idle)

  test("are told with the price of what is opened or found, alone and in a batch", () =>
    Effect.gen(function*() {
      for (
        const [action, subject, name, dry, needed] of [
          // The property, and the two people of it.
          ["unlock_property", { property_ids: [ids.researched] }, "reveal_property", { id: ids.researched }, 3],
          ["research_property", { property_ids: [ids.bare] }, "research_property", { id: ids.bare }, 2],
          [
            "research_property",
            { property_ids: [ids.researched, ids.researchedToo, ids.nowhere] },
            "research_properties",
            {
              property_ids: [ids.researched, ids.researchedToo, ids.nowhere]
            },
            5
          ],
          ["reveal_contact", { contact_id: ids.pBare }, "reveal_contact", { id: ids.pBare }, 1],
          ["research_contact", { contact_id: ids.pKnown }, "research_contact", { id: ids.pKnown }, 1],
          ["research_organization", { organization_id: ids.firm }, "research_organization", { id: ids.firm }, 1]
        ] as const
      ) {
        const records = { needed, remaining: 2 }
        const price = { action, ...subject }
        const priced = yield* tool("price_research", price, "counted")
        assert.deepInclude(priced, { records }, name)
        assert.notProperty(priced, "refused", name)
        const refused = yield* tool(name, { ...dry, maxCredits: 0 }, "counted")
        assert.deepInclude(refused, { code: "COST_CONFIRMATION_REQUIRED", records }, name)
        const enough = needed <= 2
        assert.include(
          refused.error,
          enough
            ? `takes ${needed} ${needed === 1 ? "record" : "records"}; 2 may be taken now.`
            : `takes ${needed} records, more than the 2 that may be taken now: reading it would be refused.`
        )
        assert.strictEqual(priced.note?.includes("reading it would be refused") ?? false, !enough, name)
        assert.notProperty(yield* tool("price_research", price), "records", name)
        assert.notProperty(yield* tool(name, { ...dry, maxCredits: 0 }), "records", name)
      }
      const found = { action: "find_email", contact_id: ids.pHidden }
      const none = yield* tool("price_research", found, "counted")
      assert.deepInclude(none, { projectedCredits: 5 })
      assert.notProperty(none, "records")
    }))

  test("are told when it is paid for, and by the refusal of what needs more of them than there are", () =>
    Effect.gen(function*() {
      const unlocked = yield* tool("reveal_property", { id: ids.researched, maxCredits: 10 }, "counted")
      assert.deepInclude(unlocked, { creditsCharged: 10, records: { needed: 3, remaining: 2 } })
      assert.include(unlocked.opens, "takes 3 records, more than the 2 that may be taken now")
      // What is open already is read no sooner for having been opened.
      const again = yield* tool("reveal_property", { id: ids.researched, maxCredits: 0 }, "counted")
      assert.deepInclude(again, { alreadyRevealed: true, creditsCharged: 0, records: { needed: 3, remaining: 2 } })
      assert.strictEqual(again.opens, unlocked.opens)
      const refused = yield* tool("get_property", { id: ids.researched }, "counted")
      assert.deepInclude(refused, { code: "ACCOUNT_DAILY_CAP_EXCEEDED", cap: 2, remainingToday: 2, needed: 3 })
      assert.include(
        refused.error,
        "maximum of 2 records a day does not allow this, which needs 3; nothing was done. No day allows as many."
      )
      // The answer of a reveal is the reading itself.
      const revealed = yield* tool("reveal_contact", { id: ids.pBare, maxCredits: 5 }, "counted")
      assert.deepInclude(revealed, { creditsCharged: 5, records: { needed: 0, remaining: 1 } })
      assert.notInclude(revealed.opens, "record")
      const researched = yield* tool("research_property", { id: ids.bare, maxCredits: 10 }, "counted")
      // The person is taken already.
      assert.deepInclude(researched, { credits_charged: 10, records: { needed: 1, remaining: 1 } })
      const batch = { property_ids: [ids.plain, ids.spare], maxCredits: 20 }
      assert.deepInclude(yield* tool("research_properties", batch, "counted"), { records: { needed: 2, remaining: 1 } })
    }))
})

layer(idle, { excludeTestServices: true })(
  "records of people who are covered, where reveals are limited, too",
  (it) => {
    it.effect("are those for whom the day has room: the others stay closed, and the property is read", () =>
      Effect.gen(function*() {
        const records = { needed: 2, remaining: 3 }
        const priced = yield* tool("price_research", unlocking(ids.covered), "sparing")
        assert.deepInclude(priced, { projectedCredits: 0, records })
        for (const none of ["refused", "note"]) assert.notProperty(priced, none)
        const opened = yield* tool("reveal_property", { id: ids.covered }, "sparing")
        assert.deepInclude(opened, { creditsCharged: 0, records })
        const { contacts } = yield* tool("get_property", { id: ids.covered }, "sparing")
        assert.isAbove(contacts.length, 2)
        assert.lengthOf(contacts.filter((each: { readonly revealCapExceeded: boolean }) => !each.revealCapExceeded), 1)
        const again = yield* tool("reveal_property", { id: ids.covered }, "sparing")
        assert.deepInclude(again, { alreadyRevealed: true, records: { needed: 0, remaining: 1 } })
      }))
  }
)

layer(working, { excludeTestServices: true })("what must be opened first", (it) => {
  it.effect("is told with the price of deep research: which property, and the sum", () =>
    Effect.gen(function*() {
      const asked = { action: "deep_research_contact", contact_id: ids.pLocked }
      const { items: [item], note, refused } = yield* tool("price_research", asked)
      assert.strictEqual(refused, "PROPERTY_UNLOCK_REQUIRED")
      assert.deepInclude(item, { credits: 10, property_id: ids.researched, opening_credits: 10 })
      assert.strictEqual(
        note,
        `The property ${ids.researched} must be open first: 10 credits for that and 10 for this, 20 in all.`
      )
      const draft = yield* tool("price_research", { action: "draft_email", contact_id: ids.pLocked })
      assert.include(draft.note, "10 credits for that, 10 for deep research and 5 for this, 25 in all.")
      // Where to reveal the person is enough, the property is none of it.
      const contact = yield* tool("price_research", { action: "research_contact", contact_id: ids.pLocked })
      assert.notProperty(contact, "note")
      assert.notProperty(contact.items[0], "property_id")
    }))

  it.effect("is the property that is asked about, and never one that the person has nothing to do with", () =>
    Effect.gen(function*() {
      for (const name of ["deep_research_contact", "draft_email"]) {
        const about = (property_id: string) => tool(name, { contact_id: ids.pLockedTwice, property_id, maxCredits: 0 })
        assert.deepInclude(yield* about(ids.researchedToo), {
          code: "PROPERTY_UNLOCK_REQUIRED",
          property_id: ids.researchedToo
        })
        const { code, issues } = yield* about(ids.plain)
        assert.strictEqual(code, "INVALID_ARGUMENTS")
        assert.deepStrictEqual(issues, [{ field: "property_id", message: "Expected a property of the contact" }])
      }
    }))

  it.effect("is researched where nobody has researched it, with the people there", () =>
    Effect.gen(function*() {
      const asked = { contact_id: ids.pBare, maxCredits: 0 }
      const research = { tool: "service_research_property", arguments: { id: ids.bare, maxCredits: 0 } }
      const locked = yield* tool("deep_research_contact", asked)
      assert.deepInclude(locked, { code: "CONTACT_REVEAL_REQUIRED", property_id: ids.bare, next: research })
      const priced = yield* tool("price_research", { action: "deep_research_contact", contact_id: ids.pBare })
      assert.deepStrictEqual(priced.next, research)
      yield* tool("reveal_contact", { id: ids.pBare })
      const revealed = yield* tool("deep_research_contact", asked)
      assert.deepInclude(revealed, { code: "PROPERTY_UNLOCK_REQUIRED", researched: false, next: research })
      assert.include(revealed.error, "includes the unlock")
    }))

  it.effect("is an admin's to help with where there is too little for it", () =>
    Effect.gen(function*() {
      for (
        const [name, input] of [
          ["deep_research_contact", { contact_id: ids.pLocked, maxCredits: 0 }],
          ["research_contact", { id: ids.pBare, maxCredits: 0 }],
          ["research_contact", { id: ids.pLocked, maxCredits: 0 }]
        ] as const
      ) {
        const refused = yield* tool(name, input, "poor")
        assert.deepInclude(refused, { available: 4, next: { ask: "admin" } })
        assert.include(refused.error, "You have 4 credits.")
      }
    }))
})

layer(working, { excludeTestServices: true })("a person who asked not to be contacted", (it) => {
  it.effect("is written no draft, which is told before anything is opened for it", () =>
    Effect.gen(function*() {
      const refused = { code: "DO_NOT_CONTACT", channel: "email" }
      assert.deepInclude(yield* tool("draft_email", { contact_id: ids.pSilent, maxCredits: 0 }), refused)
      const price = { action: "draft_email", contact_id: ids.pSilent }
      assert.deepInclude(yield* tool("price_research", price), { refused: refused.code })
    }))

  it.effect("is told of with deep research, before and after, and with the search for an email", () =>
    Effect.gen(function*() {
      const doNotContact = { email: true, phone: false }
      for (const name of ["deep_research_contact", "find_email"]) {
        const priced = yield* tool("price_research", { action: name, contact_id: ids.pNoEmail })
        assert.deepInclude(priced.items[0], { doNotContact })
        assert.include(priced.note, "This person asked not to be emailed.")
        const dry = yield* tool(name, { contact_id: ids.pNoEmail, maxCredits: 0 })
        assert.deepInclude(dry, { code: "COST_CONFIRMATION_REQUIRED", doNotContact })
        assert.include(dry.error, "This person asked not to be emailed.")
        assert.deepInclude(yield* tool(name, { contact_id: ids.pNoEmail }), { doNotContact })
      }
      assert.notProperty(yield* tool("find_email", { contact_id: ids.pKnown }), "doNotContact")
    }))
})

layer(working, { excludeTestServices: true })("a draft", (it) => {
  it.effect("names whom it is written to, and so does its run", () =>
    Effect.gen(function*() {
      const about = { contact_id: ids.pKnown }
      const deep = yield* tool("deep_research_contact", about, "other")
      yield* ended(deep.run_id, "other")
      const draft = yield* tool("draft_email", about, "other")
      assert.deepStrictEqual(draft.to, { name: "Jo Sample", email: "jo@people.example" })
      assert.deepStrictEqual((yield* ended(draft.run_id, "other")).to, draft.to)
    }))

  it.effect("to somebody without an email says so before it is paid for", () =>
    Effect.gen(function*() {
      const about = { contact_id: ids.pHidden }
      yield* ended((yield* tool("deep_research_contact", about)).run_id)
      const dry = yield* tool("draft_email", { ...about, maxCredits: 0 })
      assert.deepInclude(dry, {
        code: "COST_CONFIRMATION_REQUIRED",
        email_known: false,
        person: "Max Sample",
        places: ["1 Sample Street"]
      })
      assert.include(dry.error, "No email address of this person is known")
      const priced = yield* tool("price_research", { action: "draft_email", ...about })
      assert.deepInclude(priced.items[0], { email_known: false })
      assert.deepStrictEqual((yield* tool("draft_email", about)).to, { name: "Max Sample", email: null })
    }))
})

layer(working, { excludeTestServices: true })("the property that a strategy or a draft is about", (it) => {
  it.effect("is told by its address, and how many others there are, before and after it is paid for", () =>
    Effect.gen(function*() {
      const about = { contact_id: ids.pTwo }
      const others = { other_properties: 1 }
      const said = "The person has 1 other property: property_id says which it is about."
      for (const action of ["deep_research_contact", "draft_email"] as const) {
        const priced = yield* tool("price_research", { action, ...about })
        assert.deepInclude(priced.items[0], others)
        assert.include(priced.note, said)
        const dry = yield* tool(action, { ...about, maxCredits: 0 })
        assert.deepInclude(dry, { code: "COST_CONFIRMATION_REQUIRED", places: ["1 Sample Street"], ...others })
        assert.include(dry.error, said)
        const done = yield* tool(action, about)
        assert.deepInclude(done, { address: "1 Sample Street", ...others, note: said }, action)
        if (action === "deep_research_contact") yield* ended(done.run_id)
      }
      // What exists is answered with the same, and what was asked for is no choice.
      assert.deepInclude(yield* tool("deep_research_contact", about), { credits_charged: 0, ...others })
      const chosen = yield* tool("draft_email", { ...about, property_id: ids.covered, maxCredits: 0 })
      assert.notProperty(chosen, "other_properties")
      assert.notProperty(yield* tool("deep_research_contact", { contact_id: ids.pKnown }), "other_properties")
    }))
})

layer(working, { excludeTestServices: true })("a price that is more than there is", (it) => {
  it.effect("tells for how many there is enough", () =>
    Effect.gen(function*() {
      const property_ids = Array.from({ length: 11 }, (_, n) => `00000000-0000-4000-e000-0000000000${n + 10}`)
      yield* Seeder.use((seeder) =>
        seeder.add({ properties: property_ids.map((id) => property({ id, countyFips: "48201", research })) })
      )
      for (const action of ["unlock_property", "research_property"]) {
        const priced = yield* tool("price_research", { action, property_ids }, "counted")
        assert.deepInclude(priced, { projectedCredits: 110, balance: 100, refused: "INSUFFICIENT_CREDITS" }, action)
        assert.include(priced.note, "There is enough for 10 of the 11.")
        const some = yield* tool("price_research", { action, property_ids: property_ids.slice(2) }, "counted")
        assert.notInclude(some.note ?? "", "enough for")
      }
    }))
})

layer(idle, { excludeTestServices: true })("what goes on", (it) => {
  it.effect("is named by what waits for it, and says when to look again", () =>
    Effect.gen(function*() {
      const about = { contact_id: ids.pKnown }
      const { run_id } = yield* tool("deep_research_contact", about)
      const look = { tool: "service_get_research_status", arguments: { run_id } }
      const refused = yield* tool("draft_email", about)
      assert.deepInclude(refused, { code: "STRATEGY_REQUIRED", run_id, next: look })
      const priced = yield* tool("price_research", { action: "draft_email", ...about })
      assert.deepInclude(priced, { refused: "STRATEGY_REQUIRED", run_id, next: look })
      const { next } = yield* tool("get_research_status", { run_id })
      assert.deepInclude(next, look)
      assert.isAbove(next.retry_after_seconds, 0)
    }))
})

/** Covered, with an email that is known. */
const other = "00000000-0000-4000-c000-000000000023"

const another = Layer.effectDiscard(
  Seeder.use((seeder) =>
    seeder.add({
      contacts: [contact({ id: other, email: "other@people.example" })],
      relationships: [{
        propertyId: ids.covered,
        contactId: other,
        role: null,
        relationshipStatus: "current",
        attributionType: "county_record"
      }]
    })
  )
).pipe(Layer.provideMerge(idle))

layer(another, { excludeTestServices: true })("an email that is known", (it) => {
  it.effect("of somebody who is covered is a reveal of the day, once", () =>
    Effect.gen(function*() {
      const known = { contact_id: ids.pKnown }
      const told = { status: "complete", credits_charged: 0, email: "jo@people.example" }
      assert.deepStrictEqual(yield* tool("find_email", known, "sparing"), told)
      assert.deepStrictEqual(yield* tool("find_email", known, "sparing"), told)
      const refused = yield* tool("find_email", { contact_id: other }, "sparing")
      assert.deepInclude(refused, { code: "DAILY_CAP_EXCEEDED", cap: 1 })
      assert.deepInclude(yield* tool("find_email", { contact_id: other }), { email: "other@people.example" })
    }))
})

layer(idle, { excludeTestServices: true })("the next step of a price", (it) => {
  it.effect("is about what is refused, and not about what is free beside it", () =>
    Effect.gen(function*() {
      const priced = yield* tool("price_research", unlocking(ids.covered, ids.bare))
      assert.deepInclude(priced, {
        refused: "NOT_RESEARCHED",
        next: { tool: "service_research_property", arguments: { id: ids.bare, maxCredits: 0 } }
      })
    }))

  it.effect("does not look for the person where it may be the property that is unknown", () =>
    Effect.gen(function*() {
      const asked = { contact_id: ids.pKnown, property_id: ids.nowhere }
      const { next, refused } = yield* tool("price_research", { action: "deep_research_contact", ...asked })
      assert.strictEqual(refused, "NOT_FOUND")
      assert.deepStrictEqual(next, {
        tool: "service_deep_research_contact",
        arguments: { ...asked, maxCredits: 0 }
      })
      assert.deepInclude(yield* tool("deep_research_contact", next.arguments), {
        code: "NOT_FOUND",
        resource: "property"
      })
    }))
})

layer(working, { excludeTestServices: true })("a run that has ended", (it) => {
  it.effect("says where what it found is read", () =>
    Effect.gen(function*() {
      for (
        const [name, input, reader, id] of [
          ["research_property", { id: ids.plain }, "service_get_property", ids.plain],
          ["research_contact", { id: ids.pKnown }, "service_get_contact", ids.pKnown],
          ["research_organization", { id: ids.firm }, "service_get_organization", ids.firm]
        ] as const
      ) {
        const { run_id } = yield* tool(name, input)
        assert.deepStrictEqual((yield* ended(run_id)).next, { tool: reader, arguments: { id } })
      }
      const failed = yield* tool("research_property", { id: ids.bare })
      assert.notProperty(yield* ended(failed.run_id), "next")
    }))

  it.effect("names its properties as people know them, and says of many only what is each one's own", () =>
    Effect.gen(function*() {
      const { run_id } = yield* tool("research_properties", {
        property_ids: [ids.spare, ids.bare],
        maxCredits: 20
      })
      const { items, next } = yield* ended(run_id)
      const { receipt } = items[0]
      const address = "1 Sample Street"
      assert.deepStrictEqual(items, [
        { subject_id: ids.spare, key: `48201-${ids.spare}`, address, status: "complete", receipt },
        {
          subject_id: ids.bare,
          key: `48201-${ids.bare}`,
          address,
          status: "failed",
          receipt: receipt + 1,
          reason: "nothing_found"
        }
      ])
      assert.deepStrictEqual(next, { tool: "service_get_property", arguments: { id: ids.spare } })
    }))
})

layer(idle, { excludeTestServices: true })("what a batch leaves out", (it) => {
  const property_ids = [ids.covered, ids.nowhere, ids.plain.toUpperCase(), ids.bare]
  const skipped = [{ id: ids.covered, reason: "ALREADY_RESEARCHED" }, { id: ids.nowhere, reason: "NOT_FOUND" }]

  it.effect("is told with the price, and the next call names the others", () =>
    Effect.gen(function*() {
      const dry = yield* tool("research_properties", { property_ids, maxCredits: 0 })
      assert.deepInclude(dry, {
        code: "COST_CONFIRMATION_REQUIRED",
        projectedCredits: 20,
        skipped,
        properties: 2,
        places: ["1 Sample Street", "1 Sample Street"]
      })
      assert.include(dry.error, "2 of what was named are skipped: ALREADY_RESEARCHED, NOT_FOUND.")
      assert.deepStrictEqual(dry.next.arguments, { property_ids: property_ids.slice(2), maxCredits: 20 })
      assert.deepInclude(yield* tool("research_properties", dry.next.arguments), { properties: 2, skipped: [] })
    }))

  it.effect("is told where nothing is left, with a step that is not refused", () =>
    Effect.gen(function*() {
      const before = yield* balance()
      const batch = (asked: ReadonlyArray<string>) =>
        tool("research_properties", { property_ids: asked, maxCredits: 100 })
      const open = yield* batch([ids.nowhere, ids.covered])
      assert.deepInclude(open, {
        code: "EMPTY_SELECTION",
        skipped: skipped.toReversed(),
        next: { tool: "service_get_property", arguments: { id: ids.covered } }
      })
      assert.notProperty(yield* tool("get_property", open.next.arguments), "code")
      yield* tool("research_property", { id: ids.slow }, "other")
      const going = yield* batch([ids.slow])
      assert.deepStrictEqual(going.next, { tool: "service_get_property", arguments: { id: ids.slow } })
      assert.notProperty(yield* tool("get_property", going.next.arguments), "code")
      const alone = yield* tool("research_property", { id: ids.slow, maxCredits: 10 })
      assert.deepInclude(alone, { code: "ALREADY_RESEARCHING", run_id: null, next: { retry_after_seconds: 5 } })
      const search = { tool: "service_search_properties", missing: ["query"] }
      for (const asked of [[], [ids.nowhere]]) assert.deepInclude(yield* batch(asked), { next: search })
      assert.include((yield* batch([])).error, "There is no property in this selection")
      const { list } = yield* tool("create_list", { list_name: "Open", list_type: "properties" })
      yield* tool("add_to_list", { list_id: list.id, item_ids: [ids.covered] })
      assert.deepInclude(yield* tool("research_properties", { list_id: list.id, maxCredits: 100 }), {
        skipped: [skipped[0]],
        next: { tool: "service_get_property", arguments: { id: ids.covered } }
      })
      assert.strictEqual(yield* balance(), before)
    }))

  it.effect("tells for how many of them the balance is enough", () =>
    Effect.gen(function*() {
      const batch = { property_ids: [ids.spare, ids.researched], maxCredits: 0 }
      assert.deepInclude(yield* tool("research_properties", batch, "poor"), {
        code: "INSUFFICIENT_CREDITS",
        required: 20,
        available: 4,
        affordable: 0
      })
    }))
})

/** Covered, where nothing is researched, with two people of whom one is at a property that is not covered, too. */
const unresearched = "00000000-0000-4000-c000-000000000001"

const beside = Layer.effectDiscard(
  Seeder.use((seeder) => {
    const [one, both] = ["00000000-0000-4000-c000-000000000021", "00000000-0000-4000-c000-000000000022"] as const
    return seeder.add({
      properties: [property({ id: unresearched, countyFips: licensed })],
      contacts: [contact({ id: one }), contact({ id: both })],
      relationships: [[unresearched, one], [unresearched, both], [ids.researched, both]].map((
        [propertyId = "", contactId = ""]
      ) => ({
        propertyId,
        contactId,
        role: null,
        relationshipStatus: "current" as const,
        attributionType: "county_record"
      }))
    })
  })
).pipe(Layer.provideMerge(idle))

layer(beside, { excludeTestServices: true })("records of what is covered", (it) => {
  it.effect("are those that reading it takes: no property without research, and whoever is paid for", () =>
    Effect.gen(function*() {
      const needed = (asked: object) =>
        Effect.map(tool("price_research", asked, "sparing"), ({ records }): unknown => records)
      // One of the two stays closed: the day has room for one reveal.
      assert.deepStrictEqual(yield* needed(unlocking(unresearched)), { needed: 1, remaining: 3 })
      // Paid for with the other property, the person draws no reveal.
      assert.deepStrictEqual(yield* needed(unlocking(unresearched, ids.researched)), { needed: 5, remaining: 3 })
      yield* tool("reveal_property", { id: ids.researched, maxCredits: 10 }, "sparing")
      const records = { needed: 2, remaining: 3 }
      assert.deepStrictEqual(yield* needed(unlocking(unresearched)), records)
      const opened = yield* tool("reveal_property", { id: unresearched, maxCredits: 0 }, "sparing")
      assert.deepInclude(opened, { creditsCharged: 0, records })
      const { contacts } = yield* tool("get_property", { id: unresearched }, "sparing")
      assert.lengthOf(contacts.filter((each: { readonly revealCapExceeded: boolean }) => !each.revealCapExceeded), 2)
      const again = yield* tool("reveal_property", { id: unresearched }, "sparing")
      assert.deepInclude(again, { alreadyRevealed: true, records: { needed: 0, remaining: 1 } })
    }))
})

/** More in one county than a batch holds. */
const many = Array.from({ length: 101 }, (_, n) => `00000000-0000-4000-b000-${String(n).padStart(12, "0")}`)

const crowded = Layer.effectDiscard(
  Seeder.use((seeder) => seeder.add({ properties: many.map((id) => property({ id, countyFips: "48201" })) }))
).pipe(Layer.provideMerge(idle))

layer(crowded, { excludeTestServices: true })("a list that is too large for a batch", (it) => {
  it.effect("leads to those of it that are not open yet", () =>
    Effect.gen(function*() {
      const { list } = yield* tool("create_list", { list_name: "Many", list_type: "properties" })
      yield* tool("add_to_list", { list_id: list.id, item_ids: [...many, ids.covered] })
      const refused = yield* tool("research_properties", { list_id: list.id, maxCredits: 0 })
      // What is open already is no part of the batch.
      assert.deepInclude(refused, { code: "BATCH_TOO_LARGE", maximum: 100, given: 101 })
      const found = yield* tool(refused.next.tool.replace("service_", ""), refused.next.arguments)
      assert.deepInclude(found, { total_matching: 101 })
      assert.lengthOf(found.results, 100)
    }))

  it.effect("is one batch by its id, once no more are left than a batch holds", () =>
    Effect.gen(function*() {
      const { list } = yield* tool("create_list", { list_name: "Nearly", list_type: "properties" })
      const [, ...fewer] = many
      yield* tool("add_to_list", { list_id: list.id, item_ids: [...fewer, ids.covered] })
      const priced = yield* tool("research_properties", { list_id: list.id, maxCredits: 0 })
      assert.deepInclude(priced, { code: "COST_CONFIRMATION_REQUIRED", projectedCredits: 1000, properties: 100 })
      const { arguments: given } = priced.next
      assert.deepStrictEqual(given, { list_id: list.id, maxCredits: 1000 })
    }))

  it.effect("says how many of it are open, of which none is named", () =>
    Effect.gen(function*() {
      const open = many.map((id) => id.replace("-b000-", "-b001-"))
      yield* Seeder.use((seeder) =>
        seeder.add({ properties: open.map((id) => property({ id, countyFips: licensed, research })) })
      )
      const { list } = yield* tool("create_list", { list_name: "Open ones", list_type: "properties" })
      yield* tool("add_to_list", { list_id: list.id, item_ids: open })
      const none = yield* tool("research_properties", { list_id: list.id, maxCredits: 0 })
      assert.deepInclude(none, { code: "EMPTY_SELECTION", skipped: [], open_already: 101 })
      assert.strictEqual(none.error, "101 of this list are open and researched already; nothing was charged.")
      assert.deepStrictEqual(none.next, { tool: "service_get_list_items", arguments: { list_id: list.id } })
      yield* tool("add_to_list", { list_id: list.id, item_ids: [ids.plain] })
      const one = yield* tool("research_properties", { list_id: list.id, maxCredits: 0 })
      assert.deepInclude(one, { projectedCredits: 10, properties: 1, skipped: [], open_already: 101 })
      assert.include(one.error, "101 of the list are open already and skipped.")
      yield* tool("add_to_list", { list_id: list.id, item_ids: many })
      const most = yield* tool("research_properties", { list_id: list.id, maxCredits: 0 })
      assert.deepInclude(most, { code: "BATCH_TOO_LARGE", given: 102, open_already: 101 })
      assert.include(most.error, "not 102, beside 101 of the list that are open already")
    }))
})

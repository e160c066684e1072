/** A name of which one word is misspelt: the other words are told that find somebody. */
import { assert, layer } from "@effect/vitest"
import { contact, firm, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"
import { idle, ids, restOf, tool } from "./ResearchScene.ts"

const [lantern, quill, outsider] = [
  "00000000-0000-4000-c000-000000000051",
  "00000000-0000-4000-c000-000000000052",
  "00000000-0000-4000-c000-000000000053"
] as const

const named = Layer.effectDiscard(
  Seeder.use((seeder) =>
    seeder.add({
      firms: [firm({ id: lantern, name: "Copper Lantern Holdings" })],
      propertyFirms: [{
        propertyId: ids.plain,
        firmId: lantern,
        role: "owner" as const,
        attributionType: "county_record"
      }],
      contacts: [
        contact({ id: quill, fullName: "Farid Quillworth" }),
        contact({ id: outsider, fullName: "Zanzil Distantly" })
      ],
      relationships: [[ids.plain, quill], [ids.outside, outsider]].map(([propertyId = "", contactId = ""]) => ({
        propertyId,
        contactId,
        role: null,
        relationshipStatus: "current" as const,
        attributionType: "county_record"
      }))
    })
  )
).pipe(Layer.provideMerge(idle))

layer(named, { excludeTestServices: true })("a misspelt name", (it) => {
  it.effect("of a person leads to the words of it that find somebody, over REST too", () =>
    Effect.gen(function*() {
      const note = "No contact matches this query."
      const found = { contacts: [], note, matching_words: ["farid"] }
      assert.deepStrictEqual(yield* tool("find_contacts", { query: "Farid Qillworth" }), found)
      const { data } = yield* restOf("/contacts/search?query=Farid%20Qillworth")
      assert.deepStrictEqual(data, found)
      const [word] = found.matching_words
      assert.lengthOf((yield* tool("find_contacts", { query: word })).contacts, 1)
      // Neither of one word alone, nor of who is beyond the area.
      for (const query of ["Qillworth", "Zanzil Qillworth"]) {
        assert.deepStrictEqual(yield* tool("find_contacts", { query }), { contacts: [], note }, query)
      }
    }))

  it.effect("of a firm, too", () =>
    Effect.gen(function*() {
      const { note } = yield* tool("browse_organizations", { query: "Copper Lanten" })
      assert.strictEqual(note, `No firm that you see fits query. Alone "copper" finds some.`)
      assert.strictEqual((yield* tool("browse_organizations", { query: "copper" })).total_matching, 1)
      const none = yield* tool("browse_organizations", { query: "Coper Lanten" })
      assert.strictEqual(none.note, "No firm that you see fits query.")
    }))

  it.effect("of a category leads to the one that it is", () =>
    Effect.gen(function*() {
      const noteOf = (kind: string, query: string) => Effect.map(tool("lookup", { kind, query }), ({ note }) => note)
      assert.strictEqual(
        yield* noteOf("categories", "hotels"),
        `None of the categories has "hotels" in it; among subcategories there is "Hotel".`
      )
      assert.include(yield* noteOf("subcategories", "apartments"), `among categories there is "Multifamily"`)
      assert.notInclude(yield* noteOf("categories", "zzzz"), "among")
    }))
})

/** An id of one kind in the place of another: the refusal says what it is, and which tool or argument takes it. */
import { assert, layer } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { property, Seeder } from "@freehold/core/testing/Seed"
import { Toolbox } from "@freehold/mcp-host/Toolbox"
import { Effect, Layer } from "effect"
import { idle, ids, licensed, person, textOf, tool } from "./ResearchScene.ts"

const [parcel, twin] = ["00000000-0000-4000-c000-000000000041", "00000000-0000-4000-c000-000000000042"] as const

/** One parcel number by itself, and one that two counties have. */
const parcels = Layer.effectDiscard(
  Seeder.use((seeder) =>
    seeder.add({
      properties: [
        property({ id: parcel, countyFips: "48201", apn: "12-345-678" }),
        property({ id: twin, countyFips: "48201", apn: "77-100" }),
        property({ id: twin.replace(/2$/, "3"), countyFips: licensed, apn: "77-100" }),
        property({ id: twin.replace(/2$/, "4"), countyFips: "48439", apn: "99-999" })
      ]
    })
  )
).pipe(Layer.provideMerge(idle))

const service = (name: string) => `service_${name}`

layer(parcels, { excludeTestServices: true })("an id of another kind", (it) => {
  it.effect("is told for what it is, and the next step takes it", () =>
    Effect.gen(function*() {
      const { list } = yield* tool("create_list", { list_name: "Roofs", list_type: "properties" })
      const { run_id } = yield* tool("research_contact", { id: ids.pKnown })
      const [place, contact, firm] = [ids.researched, ids.pKnown, ids.firm]
      for (
        const [name, input, kind, next, then] of [
          ["get_property", { id: contact }, "contact", "get_contact", { id: contact }],
          ["get_property", { id: firm }, "firm", "get_organization", { id: firm }],
          ["get_property", { id: list.id }, "list", "get_list_items", { list_id: list.id }],
          ["get_property", { id: run_id }, "research run", "get_research_status", { run_id }],
          ["get_contact", { id: place }, "property", "get_property", { id: place }],
          ["get_organization", { id: place.toUpperCase() }, "property", "get_property", { id: place }],
          ["get_list_items", { list_id: place }, "property", "get_property", { id: place }],
          ["get_research_status", { run_id: contact }, "contact", "get_contact", { id: contact }],
          ["reveal_property", { id: contact }, "contact", "reveal_contact", { id: contact, maxCredits: 0 }],
          ["reveal_contact", { id: place, maxCredits: 5 }, "property", "reveal_property", { id: place, maxCredits: 0 }],
          ["research_contact", { id: firm }, "firm", "research_organization", { id: firm, maxCredits: 0 }],
          ["draft_email", { contact_id: firm }, "firm", "browse_contacts", { organizationId: firm }],
          ["qualify_lead", { property_id: contact, deal_value: 9 }, "contact", "get_contact_relationships", {
            id: contact
          }],
          ["research_properties", { list_id: place, maxCredits: 10 }, "property", "research_properties", {
            property_ids: [place],
            maxCredits: 10
          }],
          ["research_properties", { property_ids: [list.id], maxCredits: 0 }, "list", "research_properties", {
            list_id: list.id,
            maxCredits: 0
          }],
          ["add_to_list", { list_id: list.id, item_ids: [firm] }, "firm", "get_organization_properties", { id: firm }],
          ["search_properties", { filters: { countyFips: ["48201"], inListId: place } }, "property", "get_property", {
            id: place
          }]
        ] as const
      ) {
        assert.include(yield* textOf(name, input), `is the id of a ${kind}.`, name)
        const said = yield* tool(name, input)
        assert.lengthOf(said.named, 1, name)
        assert.deepStrictEqual(said.next, { tool: service(next), arguments: then }, name)
      }
      const { next } = yield* tool("get_property", { id: contact })
      assert.notProperty(yield* tool(next.tool.replace("service_", ""), next.arguments), "code")
      // Of nothing that is known, nothing is told but how to look for what was asked for.
      assert.deepInclude(yield* tool("get_property", { id: ids.nowhere }), {
        error: "No such property.",
        next: { tool: "service_search_properties", missing: ["query"] }
      })
    }))

  it.effect("is told of an id by a name of its own that the tool has not", () =>
    Effect.gen(function*() {
      const { list } = yield* tool("create_list", { list_name: "Misnamed", list_type: "properties" })
      const [contact, place] = [ids.pKnown, ids.covered]
      for (
        const [name, input, kind, next, then] of [
          ["price_research", { action: "unlock_property", list_id: list.id }, "list", "get_list_items", {
            list_id: list.id
          }],
          ["qualify_lead", { contact_id: contact, deal_value: 5000 }, "contact", "get_contact_relationships", {
            id: contact
          }],
          ["list_notes", { list_id: list.id }, "list", "get_list_items", { list_id: list.id }],
          ["get_contact", { property_id: place }, "property", "get_property", { id: place }],
          ["reveal_contact", { property_id: place }, "property", "reveal_property", { id: place, maxCredits: 0 }],
          ["get_organization", { contactId: contact }, "contact", "get_contact", { id: contact }],
          ["browse_contacts", { property_ids: [place], limit: 5 }, "property", "get_property", { id: place }],
          ["browse_organizations", { contact_id: contact }, "contact", "get_contact", { id: contact }]
        ] as const
      ) {
        const said = yield* tool(name, input)
        assert.strictEqual(said.code, "INVALID_ARGUMENTS", name)
        assert.include(yield* textOf(name, input), `is the id of a ${kind}.`, name)
        assert.deepStrictEqual(said.next, { tool: service(next), arguments: then }, name)
        assert.notProperty(yield* tool(next, { ...then }), "issues", name)
      }
      // By another name and of the right kind, or of nothing that is known, it is put where the id is wanted.
      for (const id of [place, ids.nowhere]) {
        const { next } = yield* tool("get_property", { property_id: id })
        assert.deepInclude(next, { tool: service("get_property"), arguments: { id } })
      }
      const marked = yield* tool("qualify_lead", { lead_id: `\`${place}\``, deal_value: 5000 })
      assert.deepStrictEqual(marked.next.arguments, { property_id: place, deal_value: 5000 })
    }))

  it.effect("is left out, whatever it is the id of, where the call is whole without it", () =>
    Effect.gen(function*() {
      const { list } = yield* tool("create_list", { list_name: "Whole", list_type: "properties" })
      const [contact, place] = [ids.pKnown, ids.covered]
      for (
        const [name, input, more] of [
          ["get_contact", { id: contact }, { property_id: place }],
          ["get_list_items", { list_id: list.id }, { property_id: place }],
          ["qualify_lead", { property_id: place, deal_value: 5000 }, { list_id: list.id }],
          ["add_to_list", { list_id: list.id, item_ids: [place] }, { contact_id: contact }],
          ["find_email", { contact_id: contact, maxCredits: 0 }, { list_id: list.id }],
          // What is put on a list is another call.
          ["create_list", { list_name: "More", list_type: "properties" }, { property_ids: [place] }]
        ] as const
      ) {
        const said = yield* tool(name, { ...input, ...more })
        assert.strictEqual(said.code, "INVALID_ARGUMENTS", name)
        assert.notProperty(said, "named", name)
        assert.deepInclude(said.next, { tool: service(name), arguments: input }, name)
      }
    }))

  it.effect("is told with a price and with an empty answer, too", () =>
    Effect.gen(function*() {
      const priced = yield* tool("price_research", { action: "unlock_property", property_ids: [ids.pKnown] })
      assert.strictEqual(priced.note, `${ids.pKnown} is the id of a contact.`)
      assert.deepStrictEqual(priced.next, {
        tool: "service_price_research",
        arguments: { action: "reveal_contact", contact_id: ids.pKnown }
      })
      assert.notProperty(yield* tool("price_research", priced.next.arguments), "refused")
      for (
        const [name, input] of [
          ["browse_contacts", { organizationId: ids.researched }],
          ["search_properties", { filters: { countyFips: ["48201"], organizationId: ids.researched } }]
        ] as const
      ) {
        const { next, note, total_matching } = yield* tool(name, input)
        assert.strictEqual(total_matching, 0)
        assert.strictEqual(note, `${ids.researched} is the id of a property.`)
        assert.deepStrictEqual(next, { tool: "service_get_property", arguments: { id: ids.researched } })
      }
    }))

  it.effect("may be a key, a parcel number or an address", () =>
    Effect.gen(function*() {
      const found = { tool: "service_get_property", arguments: { id: parcel } }
      for (const [name, key] of [["get_property", "id"], ["get_contact", "id"], ["get_research_status", "run_id"]]) {
        const byParcel = yield* tool(name ?? "", { [key ?? ""]: "12 345678" })
        assert.deepStrictEqual(byParcel.next, found, name)
        assert.deepStrictEqual(byParcel.named, [{ kind: "property", id: parcel }])
      }
      assert.deepStrictEqual((yield* tool("get_contact", { id: `48201-${parcel}` })).next, found)
      const leads = yield* tool("qualify_lead", { property_id: "12-345-678", deal_value: 9000 })
      assert.deepStrictEqual(leads.next.arguments, { property_id: parcel, deal_value: 9000 })
      const several = yield* tool("get_property", { id: "77-100" })
      assert.include(
        yield* textOf("get_property", { id: "77-100" }),
        `the parcel number of several properties: ${twin} in county 48201`
      )
      assert.deepStrictEqual(several.next, { tool: "service_get_property", arguments: {}, missing: ["id"] })
      for (const [name, key] of [["get_contact", "id"], ["draft_email", "contact_id"], ["get_list_items", "list_id"]]) {
        const { next } = yield* tool(name ?? "", { [key ?? ""]: "1 Sample Street" })
        assert.deepStrictEqual(next, { tool: "service_search_properties", arguments: { query: "1 Sample Street" } })
      }
      // Beyond the area there is no such thing.
      assert.deepStrictEqual((yield* tool("get_property", { id: "99-999" })).named, undefined)
    }))

  it.effect("is found in what it was written in", () =>
    Effect.gen(function*() {
      const id = ids.pKnown
      for (const given of [`\`${id}\``, `**${id.toUpperCase()}**`, `"${id}"`, `[Jo Sample](${id})`, `id: ${id}`]) {
        const { next } = yield* tool("get_contact", { id: given })
        assert.deepStrictEqual(next, { tool: "service_get_contact", arguments: { id } }, given)
      }
      const marked = `\`48201-${parcel}\``
      assert.deepStrictEqual((yield* tool("get_property", { id: marked })).next, {
        tool: "service_get_property",
        arguments: { id: parcel }
      })
      const batch = yield* tool("research_properties", { property_ids: [marked, ids.nowhere], maxCredits: 0 })
      assert.deepStrictEqual(batch.next.arguments, { property_ids: [parcel, ids.nowhere], maxCredits: 0 })
      // Of two it is not known which.
      assert.notProperty(yield* tool("get_contact", { id: `${id} or ${ids.pLocked}` }), "named")
    }))

  it.effect("is told of nothing beyond the caller's territory, and of no tool that the plan lacks", () =>
    Effect.gen(function*() {
      const { run_id } = yield* tool("research_property", { id: ids.coveredToo })
      const within = { ...person("rich", "Tess"), territory: { county_fips: ["48201"] } }
      const told = (name: string, input: object) =>
        Toolbox.use(({ call }) => call(service(name), input)).pipe(
          Effect.provideService(Caller, within),
          // Of any shape: what it has is what is asserted.
          Effect.map(({ structuredContent }): ReturnType<typeof JSON.parse> => structuredContent)
        )
      for (const id of [ids.covered, ids.pKnown, run_id]) {
        assert.deepStrictEqual(
          yield* told("get_organization", { id }),
          yield* told("get_organization", { id: ids.nowhere }),
          id
        )
      }
      assert.notProperty(yield* told("get_contact", { id: `${licensed}-${ids.covered}` }), "named")
      assert.deepStrictEqual((yield* told("get_property", { id: "77-100" })).named, [{ kind: "property", id: twin }])
    }))
})

/** Arguments that do not fit as they were sent and are read as they are plainly meant, from outside, and those that are refused. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { counties, ids, layer as host, places, rest, tool } from "./ToolHost.ts"

const search = "service_search_properties"
const filters = { countyFips: [counties.open] }
const around = { type: "Polygon", coordinates: [[[-97, 32], [-96, 32], [-96, 33], [-97, 32]]] }

layer(host, { excludeTestServices: true })("arguments that are plainly meant", (it) => {
  it.effect("are read: null as left out, all of them in one, lists and objects as JSON, a subcategory as such", () =>
    Effect.gen(function*() {
      for (
        const [name, meant, ...sent] of [
          [
            search,
            { filters, limit: 2 },
            {
              query: null,
              bounds: null,
              filters: { ...filters, categories: null, near: null },
              limit: 2,
              cursor: null
            },
            { bounds: { north: null, south: null, east: null, west: null }, filters, limit: 2 },
            { arguments: { filters, limit: 2 } },
            { input: JSON.stringify({ filters, limit: 2 }) },
            { params: { filters: { ...filters, minYearBuilt: null }, limit: 2, sortBy: null } },
            { filters: JSON.stringify(filters), limit: 2 },
            { filters: JSON.stringify({ countyFips: JSON.stringify([counties.open]), zipCodes: null }), limit: 2 }
          ],
          [
            search,
            { filters: { within: around }, fields: ["id"], limit: 2 },
            { filters: { within: JSON.stringify(around) }, fields: "[\"id\"]", limit: 2 }
          ],
          // No category, and a subcategory: it is all that was asked of either.
          [
            search,
            { filters: { ...filters, subcategories: ["Warehouse"] }, limit: 2 },
            { filters: { ...filters, categories: ["Warehouse"] }, limit: 2 },
            { arguments: { filters: { ...filters, categories: ["warehouses"] }, limit: 2 } }
          ],
          ["service_get_pipeline", {}, { status: null, limit: null, offset: null }, { arguments: {} }, { input: "{}" }],
          ["service_get_contact", { id: ids.contact }, { params: { id: ids.contact } }],
          ["service_lookup", { kind: "categories", query: "off" }, { kind: "categories", query: "off", state: null }],
          // By a name that the tool has, an object is no text, and a text is a text.
          ["service_find_contacts", { query: "[]" }, { query: "[]", limit: null }],
          // Free, and so is what it says.
          [
            "service_price_research",
            { action: "unlock_property", property_ids: [ids.first] },
            { action: "unlock_property", property_ids: JSON.stringify([ids.first]), contact_id: null }
          ]
        ] as const
      ) {
        const { quote_expires_at: _, ...expected } = yield* tool(name, meant)
        assert.notStrictEqual(expected.code, "INVALID_ARGUMENTS")
        for (const input of sent) {
          const { quote_expires_at: __, ...found } = yield* tool(name, input)
          assert.deepStrictEqual(
            { ...found, next_cursor: null },
            { ...expected, next_cursor: null },
            JSON.stringify(input)
          )
        }
      }
    }))

  it.effect("are read so for what writes and what spends, and what refuses such a call speaks of them", () =>
    Effect.gen(function*() {
      const [property_id = ""] = places
      const qualified = yield* tool("service_qualify_lead", {
        input: JSON.stringify({ property_id, deal_value: 5000, note: null })
      }, "mover")
      assert.deepInclude(qualified, { property_id, status: "qualified", deal_value: 5000 })
      const moved = yield* tool("service_update_lead_status", {
        property_id,
        status: "attempted_contact",
        deal_value: null,
        loss_reason_code: null,
        note: null
      }, "mover")
      assert.deepInclude(moved, { status: "attempted_contact", deal_value: 5000 })
      const mistaken = yield* tool("service_get_property", { arguments: { id: ids.contact } })
      assert.deepInclude(mistaken, { code: "NOT_FOUND" })
      assert.deepStrictEqual(mistaken.next, { tool: "service_get_contact", arguments: { id: ids.contact } })
      const priced = yield* tool("service_reveal_property", { params: { id: ids.first, maxCredits: 0 } }, "one")
      assert.notStrictEqual(priced.code, "INVALID_ARGUMENTS")
    }))

  it.effect("are refused as they were sent where anything else is the matter, too", () =>
    Effect.gen(function*() {
      for (
        const [name, input, ...fields] of [
          // A ceiling that is none does not say that the price may be what it will.
          ["service_reveal_property", { id: ids.first, maxCredits: null }, "maxCredits"],
          ["service_reveal_property", { arguments: { id: ids.first, maxCredits: null } }, "arguments", "id"],
          // What has to be given, a name that nobody knows, and an item of a list.
          ["service_get_contact", { id: null }, "id"],
          [search, { filters, limitt: null }, "limitt"],
          ["service_price_research", { action: "unlock_property", property_ids: [ids.first, null] }, "property_ids.1"],
          [
            "service_sync_customer_accounts",
            { accounts: [{ property_id: ids.first, status: null }] },
            "accounts.0.status"
          ],
          // Beside the object there is something else, its name is one of the tool's, or it does not fit by itself.
          ["service_get_contact", { input: { id: ids.contact }, id: ids.contact }, "input"],
          [search, { query: { filters } }, "query"],
          ["service_get_contact", { input: { id: ids.contact, limit: 3 } }, "input", "id"],
          ["service_get_contact", { input: { input: { id: ids.contact } } }, "input", "id"],
          ["service_get_contact", { anything: { id: ids.contact } }, "anything", "id"],
          [search, { filters: "{\"countyFips\":", limit: 2 }, "filters"],
          [search, { filters: `${"[".repeat(40)}${"]".repeat(40)}`, limit: 2 }, "filters"],
          [
            search,
            { filters: JSON.stringify({ countyFips: Array.from({ length: 9_990 }, () => "48113") }) },
            "filters"
          ],
          // One of several faults is as good as all.
          [search, { filters, cursor: null, limit: "2" }, "cursor", "limit"]
        ] as const
      ) {
        const { code, issues } = yield* tool(name, input)
        assert.strictEqual(code, "INVALID_ARGUMENTS", JSON.stringify(input).slice(0, 200))
        const found = issues.map(({ field }: { readonly field: string }) => field)
        assert.sameMembers(found, [...fields], JSON.stringify(input).slice(0, 200))
      }
    }))

  it.effect("are the contract's on REST, as they are sent", () =>
    Effect.gen(function*() {
      for (const body of [{ filters, query: null }, { arguments: { filters } }, { filters: JSON.stringify(filters) }]) {
        const answer = yield* rest("/properties/search", body)
        assert.strictEqual(answer.status, 400)
        assert.isNotEmpty(answer.body.meta.issues)
      }
    }))
})

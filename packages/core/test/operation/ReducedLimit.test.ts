import { assert, describe, it } from "@effect/vitest"
import { ListEvents } from "@freehold/core/event/EventOperations"
import { ListLeads } from "@freehold/core/lead/LeadOperations"
import { GetListItems, ListLists } from "@freehold/core/list/ListOperations"
import { Schema } from "effect"

const listId = "00000000-0000-4000-8000-000000000001"

describe("a limit that is reduced to its maximum", () => {
  it.each([
    ["service_list_leads", Schema.is(ListLeads.input), {}],
    ["service_list_events", Schema.is(ListEvents.input), {}],
    ["service_list_lists", Schema.is(ListLists.input), {}],
    ["service_get_list_items", Schema.is(GetListItems.input), { list_id: listId }]
  ])("is any whole number from 1 on: %s", (_, fits, given) => {
    for (const limit of [1, 201, 2 ** 53, 1e30, Number.MAX_VALUE]) assert.isTrue(fits({ ...given, limit }), `${limit}`)
    for (const limit of [0, -1, 1.5, NaN, "5", null]) assert.isFalse(fits({ ...given, limit }), `${limit}`)
  })
})

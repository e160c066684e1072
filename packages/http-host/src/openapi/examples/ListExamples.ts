/** Examples of the endpoints about lists. All data is made up. */
import { AddToList, CreateList, ListLists } from "@freehold/core/list/ListOperations"
import { example } from "./Example.ts"

const list = {
  id: "3f1c1c0e-7b6a-4f57-9a53-0c6a2f3d8e11",
  list_name: "Flat roofs, north",
  list_type: "properties",
  visibility: "team",
  item_count: 2
} as const

export const listExamples = [
  example(ListLists, { type: "properties", limit: 100 }, {
    lists: [{ ...list, owner_name: "Ana Sample", created_at: "2026-11-22T12:00:00.000Z" }],
    total: 1,
    has_more: false,
    next_cursor: null
  }),
  example(CreateList, { list_name: list.list_name, list_type: "properties", reuse_existing_by_name: true }, {
    list: { ...list, item_count: 0 },
    created: true
  }),
  example(AddToList, {
    list_id: list.id,
    item_ids: ["984d985b-cf50-5a37-86a9-2c9c6d63499b", "2fea3b86-f8d5-554a-8426-b8d366e02e61"]
  }, { list_id: list.id, added: 2, already_exists: 0 })
] as const

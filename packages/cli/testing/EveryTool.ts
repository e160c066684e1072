/**
 * A call of every tool that shows what it does, over the records of the demonstration: what answers cost, hints and the twins of
 * REST are tested by the same calls. A tool that is not named here is called with its own example.
 */
import { type Tool, tools } from "@freehold/mcp-host/Tools"
import * as DemoRecords from "../src/demo/DemoRecords.ts"
import * as DemoScene from "../src/demo/DemoScene.ts"
import { recordId } from "../src/import/RecordId.ts"

const records = DemoRecords.make()
const { contactId, propertyKeys: [property, another] } = DemoScene.make(records)
/** From the end: the guide of the demonstration has others try the first ones. */
const [toResearch, toQualify, toUnlock] = records.toUnlock.slice(-3)
const [surname] = String(records.contacts[0]?.["fullName"]).split(" ").slice(-1)
const firm = recordId("firms", String(records.firms[0]?.["key"]))

/** Of any shape: what it has is what is used. */
export type Told = ReturnType<typeof JSON.parse>

const search = {
  filters: { countyFips: [DemoRecords.visible.fips], categories: ["Office"] },
  fields: ["id", "address", "owner", "teaser"],
  limit: 10
}

/** Beside a tool's own example: what names records of the demonstration, or what was answered before. In the order of the calls. */
const asked: Readonly<Record<string, (seen: Seen) => object>> = {
  service_qualify_lead: () => ({ property_id: toQualify, deal_value: 40_000 }),
  service_create_list: () => ({ list_name: "Offices", list_type: "properties" }),
  service_add_to_list: ({ service_create_list: { list } }) => ({ list_id: list.id, item_ids: [property, another] }),
  service_deep_research_contact: () => ({ contact_id: contactId }),
  service_list_saved_searches: () => ({}),
  service_add_note: () => ({ property_id: property, content: "The roof was looked at (made up)." }),
  service_search_properties: () => search,
  service_get_property: () => ({ id: property }),
  service_find_contacts: () => ({ query: surname }),
  service_get_contact: () => ({ id: contactId }),
  service_get_contact_relationships: () => ({ id: contactId }),
  service_get_organization: () => ({ id: firm }),
  service_get_organization_properties: () => ({ id: firm, limit: 10 }),
  service_reveal_property: () => ({ id: toUnlock }),
  service_reveal_contact: () => ({ id: contactId }),
  service_price_research: () => ({ action: "research_property", property_ids: [property] }),
  service_research_property: () => ({ id: property }),
  service_research_properties: () => ({ property_ids: [toResearch], maxCredits: 10 }),
  service_get_research_status: ({ service_deep_research_contact: { run_id } }) => ({ run_id }),
  service_research_contact: () => ({ id: contactId }),
  service_research_organization: () => ({ id: firm }),
  service_find_email: () => ({ contact_id: contactId }),
  service_draft_email: () => ({ contact_id: contactId }),
  service_get_lead_bundle: () => ({ property_id: property }),
  service_get_lead_history: () => ({ property_id: property }),
  service_get_list_items: ({ service_create_list: { list } }) => ({ list_id: list.id }),
  service_remove_from_list: ({ service_create_list: { list } }) => ({ list_id: list.id, item_ids: [property] }),
  service_list_notes: () => ({ property_id: property }),
  service_run_saved_search: ({ service_list_saved_searches: { saved_searches } }) => ({
    saved_search_id: saved_searches[0].id
  }),
  service_update_lead_status: () => ({ property_id: property, status: "won", deal_value: 40_000 }),
  service_disqualify_lead: () => ({ property_id: another, reason_code: "not_a_fit" }),
  service_sync_customer_accounts: () => ({ accounts: [{ property_id: another, status: "active" }] }),
  service_lookup: () => ({ kind: "counties" }),
  service_request_coverage: () => ({ county_fips: [DemoRecords.outside.fips] })
}

/** Last, since nothing would be left. */
const ending: typeof asked = {
  service_delete_saved_search: ({ service_list_saved_searches: { saved_searches } }) => ({
    saved_search_id: saved_searches[0].id
  })
}

/** What was told before, by the name of the tool that told it. */
export type Seen = Readonly<Record<string, Told>>

export interface Call {
  readonly tool: Tool
  readonly input: (seen: Seen) => object
}

const named = new Map<string, Tool>(tools.map((tool: Tool) => [tool.published.name, tool]))

const callOf = ([name, input]: readonly [string, Call["input"]]): Call => {
  const tool = named.get(name)
  if (tool === undefined) throw new Error(`there is no tool ${name}`)
  return { tool, input }
}

const others = tools.flatMap((
  { exampleFor, published: { name } }: Tool
): ReadonlyArray<readonly [string, Call["input"]]> =>
  name in asked || name in ending ? [] : [[name, () => exampleFor({})]]
)

/** Every tool once, in an order in which each is told what it needs by those before. */
export const calls: ReadonlyArray<Call> = [...Object.entries(asked), ...others, ...Object.entries(ending)].map(callOf)

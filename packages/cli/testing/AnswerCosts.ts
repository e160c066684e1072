/**
 * What the answer of each tool costs a model, over the records of the demonstration: `docs/assistants.md` has the table, and a
 * test of the demonstration fails where an answer has outgrown it.
 */
import { type Tool, tools } from "@freehold/mcp-host/Tools"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as DemoRecords from "../src/demo/DemoRecords.ts"
import * as DemoScene from "../src/demo/DemoScene.ts"
import { recordId } from "../src/import/RecordId.ts"

const page = join(import.meta.dirname, "../../../docs/assistants.md")

const records = DemoRecords.make()
const { contactId, propertyKeys: [property, another] } = DemoScene.make(records)
/** From the end: the guide of the demonstration has others try the first ones. */
const [toResearch, toQualify, toUnlock] = records.toUnlock.slice(-3)
const [surname] = String(records.contacts[0]?.["fullName"]).split(" ").slice(-1)
const firm = recordId("firms", String(records.firms[0]?.["key"]))

/** Of any shape: what it has is what is used. */
type Told = ReturnType<typeof JSON.parse>

const search = {
  filters: { countyFips: [DemoRecords.visible.fips], categories: ["Office"] },
  fields: ["id", "address", "owner", "teaser"],
  limit: 10
}

/** Beside a tool's own example: what names records of the demonstration, or what was answered before. In the order of the calls. */
const asked: Readonly<Record<string, (seen: Readonly<Record<string, Told>>) => object>> = {
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

export interface Cost {
  readonly name: string
  readonly tokens: number
  /** The code, where the answer is a refusal. */
  readonly refused: string | null
}

/** Calls each tool once, and counts the tokens of what it answers. */
export const measure = async (call: (name: string, input: object) => Promise<Told>): Promise<ReadonlyArray<Cost>> => {
  const examples = tools.filter(({ published: { name } }: Tool) => !(name in asked) && !(name in ending)).map(
    ({ example, published: { name } }: Tool): [string, () => object] => [name, () => example]
  )
  const seen: Record<string, Told> = {}
  const costs: Array<Cost> = []
  for (const [name, input] of [...Object.entries(asked), ...examples, ...Object.entries(ending)]) {
    const told = await call(name, input(seen))
    seen[name] = told
    costs.push({ name, tokens: encode(JSON.stringify(told)).length, refused: told.code ?? null })
  }
  return costs
}

const row = /^\| `(service_\w+)` +\| +([\d,]+) \|$/

/** What the page says of each tool. */
export const told = (): ReadonlyMap<string, number> =>
  new Map(
    readFileSync(page, "utf8").split("\n").flatMap((line): ReadonlyArray<readonly [string, number]> => {
      const [, name = "", tokens = ""] = row.exec(line) ?? []
      return name === "" ? [] : [[name, Number(tokens.replaceAll(",", ""))]]
    })
  )

const table = /(<!-- answer costs -->\n)[^]*?(<!-- end -->)/

/** Puts what was measured where the page has its table. */
export const write = (costs: ReadonlyArray<Cost>): void => {
  const measured = new Map(costs.map(({ name, tokens }) => [name, tokens]))
  const names = tools.map(({ published: { name } }: Tool) => name)
  const lines = names.map((name) => [`\`${name}\``, (measured.get(name) ?? 0).toLocaleString("en-US")] as const)
  const wide = Math.max(...lines.map(([name]) => name.length))
  const rows = [["tool", "tokens"] as const, ["-".repeat(wide), "-----:"] as const, ...lines]
    .map(([name, tokens]) => `| ${name.padEnd(wide)} | ${tokens.padStart(6)} |`)
  const text = readFileSync(page, "utf8")
  writeFileSync(page, text.replace(table, (_, start, end) => `${start}\n${rows.join("\n")}\n\n${end}`))
}

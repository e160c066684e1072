/**
 * From a search to a draft, as an assistant makes them (MCP): find a property, unlock it, put it on a list,
 * qualify it, have a contact of it researched, and have an email drafted. It needs Node 22.18 or newer and nothing else.
 *
 *     FREEHOLD_API_KEY=fhk_... node examples/whole-way.ts [API_ROOT]
 *
 * It is written for the demonstration's records, and spends credits of it. What is qualified is delivered to the webhook
 * endpoints of the organization, such as webhook-receiver.ts. Each run takes the next property that is locked.
 */
import { setTimeout } from "node:timers/promises"

const [apiRoot = "http://127.0.0.1:8080/v1"] = process.argv.slice(2)
const key = process.env["FREEHOLD_API_KEY"]

const stop = (reason: string): never => {
  console.error(reason)
  return process.exit(1)
}

if (key === undefined) stop("Set FREEHOLD_API_KEY to the organization's key.")

/** Of any shape: what is wanted of it is looked for. */
type Answer = ReturnType<typeof JSON.parse>

/** Calls a tool; anything but a success ends the program. */
const tool = async (name: string, given: object) => {
  const response = await fetch(`${apiRoot}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } })
  }).catch(() =>
    stop(`no server answers at ${apiRoot}; give another address as the first argument, or start one with: pnpm start`)
  )
  const { error, result }: Answer = await response.json().catch(() => stop(`${apiRoot} is no API root of Freehold`))
  if (!response.ok || result === undefined || result.isError === true) {
    stop(`${name}: ${response.status} ${result?.content?.[0]?.text ?? error?.message ?? error}`)
  }
  return result.structuredContent
}

/** Waits until a launched research has ended. */
const ended = async ({ run_id }: { readonly run_id: string }) => {
  for (let look = 0; look < 120; look++) {
    const run = await tool("service_get_research_status", { run_id })
    if (run.status !== "queued" && run.status !== "running") return run
    await setTimeout(500)
  }
  return stop(`${run_id} is still under way; ask service_get_research_status later`)
}

const tell = (step: string, shown: string) => console.log(`${step.padEnd(9)} ${shown}`)

const search = {
  filters: { countyFips: ["53903"], hasEmailContact: true, researchState: ["locked"] },
  sortBy: "address",
  limit: 1
}
const { results: [place], total_matching: matching } = await tool("service_search_properties", search)
tell("search", `${place.address}, the first of ${matching}`)

const unlocked = await tool("service_reveal_property", { id: place.id })
tell("unlock", `${unlocked.creditsCharged} credits`)

const { list } = await tool("service_create_list", {
  list_name: "First calls",
  list_type: "properties",
  reuse_existing_by_name: true
})
await tool("service_add_to_list", { list_id: list.id, item_ids: [place.id] })
tell("list", list.list_name)

await tool("service_qualify_lead", { property_id: place.id, deal_value: 25_000 })
tell("qualify", "25,000 US dollars; its webhook is on the way")

const { contacts: [contact] } = await tool("service_get_property", { id: place.id })
const contact_id = contact.contactId ?? contact.id
const research = await tool("service_deep_research_contact", { contact_id })
const { status } = await ended(research)
tell("research", `${contact.fullName}: ${status}, ${research.credits_charged} credits`)

const { draft } = await ended(
  await tool("service_draft_email", { contact_id, purpose: "introduce our roof inspection" })
)
tell("draft", `${draft.subject}\n\n${draft.body}`)

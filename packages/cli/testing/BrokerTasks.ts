/**
 * Ten tasks as a broker sets them, and the calls by which an assistant does each over the demonstration's records: those of a model
 * that knew nothing but the instructions, the list of tools and the answers before. `docs/assistants.md` shows them.
 */
import type { Client } from "@modelcontextprotocol/client"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { setTimeout } from "node:timers/promises"

/** Of any shape: what it has is what is used. */
type Told = ReturnType<typeof JSON.parse>

/** What answered a call: its name, and what was told. */
type Seen = Readonly<Record<string, Told>>

interface Call {
  readonly tool: string
  /** Its arguments, of what was told before under each `as`. */
  readonly input: (seen: Seen) => Readonly<Record<string, unknown>>
  /** The name of what it tells. */
  readonly as: string
  /** It is asked again until what it tells is ended. */
  readonly until?: (told: Told) => boolean
}

interface Task {
  readonly said: string
  readonly calls: ReadonlyArray<Call>
}

const ended = ({ status }: Told): boolean => status !== "queued" && status !== "running"

/** The county, as the workspace names it. */
const quillgate = ({ territory: { counties } }: Told) => ({
  countyFips: counties.flatMap(({ fips, name }: Told) => name.startsWith("Quillgate") ? [fips] : [])
})

const managersOf = (workspace: Told) => ({
  roleType: "property_manager",
  ...quillgate(workspace),
  sort: "propertyCount",
  limit: 10
})

export const tasks: ReadonlyArray<Task> = [
  {
    said: "What can I do here, and what is left to spend?",
    calls: [{ tool: "service_describe_workspace", input: () => ({}), as: "workspace" }]
  },
  {
    said: "Find offices above 50,000 square feet in Quillgate where somebody can be emailed, the largest first.",
    calls: [
      {
        tool: "service_search_properties",
        input: ({ workspace }) => ({
          filters: { ...quillgate(workspace), categories: ["office"], minBuildingSqft: 50_000, hasEmailContact: true },
          sortBy: "buildingSqft",
          sortOrder: "desc",
          limit: 10,
          fields: ["id", "address", "city", "commonName", "buildingSqft", "contactCount", "researchState"]
        }),
        as: "offices"
      }
    ]
  },
  {
    said: "What would it cost to open the first one? Then open it.",
    calls: [
      {
        tool: "service_price_research",
        input: ({ offices }) => ({ action: "unlock_property", property_ids: [offices.results[0].id] }),
        as: "price"
      },
      {
        tool: "service_reveal_property",
        input: ({ offices, price }) => ({ id: offices.results[0].id, maxCredits: price.projectedCredits }),
        as: "opened"
      },
      { tool: "service_get_property", input: ({ offices }) => ({ id: offices.results[0].id }), as: "office" }
    ]
  },
  {
    said: "Put the five largest warehouses of the county on a list.",
    calls: [
      {
        tool: "service_search_properties",
        input: ({ workspace }) => ({
          filters: { ...quillgate(workspace), subcategories: ["warehouse"] },
          sortBy: "buildingSqft",
          sortOrder: "desc",
          limit: 5,
          fields: ["id", "address", "city", "assetCategory", "assetSubcategory", "buildingSqft"]
        }),
        as: "warehouses"
      },
      {
        tool: "service_create_list",
        input: () => ({ list_name: "Five largest warehouses, Quillgate", list_type: "properties" }),
        as: "list"
      },
      {
        tool: "service_add_to_list",
        input: ({ list, warehouses }) => ({
          list_id: list.list.id,
          item_ids: warehouses.results.map(({ id }: { readonly id: string }) => id)
        }),
        as: "added"
      }
    ]
  },
  {
    said: "Which property managers work there?",
    calls: [
      { tool: "service_browse_contacts", input: ({ workspace }) => managersOf(workspace), as: "managers" },
      {
        tool: "service_browse_contacts",
        input: ({ managers, workspace }) => ({
          ...managersOf(workspace),
          limit: managers.total_matching - managers.contacts.length,
          cursor: managers.next_cursor
        }),
        as: "others"
      }
    ]
  },
  {
    said: "Qualify the office that we opened: 40,000 dollars.",
    calls: [
      {
        tool: "service_qualify_lead",
        input: ({ offices }) => ({ property_id: offices.results[0].id, deal_value: 40_000 }),
        as: "lead"
      }
    ]
  },
  {
    said: "Prepare me for calling its first contact.",
    calls: [
      {
        tool: "service_deep_research_contact",
        input: ({ office, offices }) => ({
          contact_id: office.contacts[0].id,
          property_id: offices.results[0].id,
          maxCredits: 10
        }),
        as: "launched"
      },
      {
        tool: "service_get_research_status",
        input: ({ launched }) => ({ run_id: launched.run_id }),
        as: "strategy",
        until: ended
      }
    ]
  },
  {
    said: "Draft an email to them about a roof inspection.",
    calls: [
      {
        tool: "service_draft_email",
        input: ({ office, offices }) => ({
          contact_id: office.contacts[0].id,
          property_id: offices.results[0].id,
          purpose: "Offer a roof inspection of the flat built-up roof",
          maxCredits: 5
        }),
        as: "draft"
      }
    ]
  },
  {
    said: "What changed in our area this week?",
    calls: [
      { tool: "service_get_changes", input: () => ({ days: 7, limit: 10 }), as: "changes" },
      {
        tool: "service_search_properties",
        input: ({ workspace: { territory } }) => ({
          filters: { countyFips: territory.counties.map(({ fips }: Told) => fips), changedWithinDays: 7 },
          limit: 5,
          fields: ["id", "address", "city", "assetSubcategory"]
        }),
        as: "places"
      }
    ]
  },
  {
    said: "What did we spend on research, and what is left?",
    calls: [{ tool: "service_list_research_runs", input: () => ({ limit: 10 }), as: "runs" }]
  }
]

/** A call as it was made, and what came back. */
interface Made {
  readonly tool: string
  readonly given: Readonly<Record<string, unknown>>
  readonly told: Told
}

/** A played task: the calls in order, tokens of arguments and answers as they are estimated, and the credits that it took. */
export interface Played {
  readonly said: string
  readonly calls: ReadonlyArray<Made>
  readonly tokens: number
  readonly credits: number
}

/** Plays every task; a call that is refused is a wrong turn and ends it. */
export const play = async (client: Client): Promise<ReadonlyArray<Played>> => {
  const seen: Record<string, Told> = {}
  const balance = async (): Promise<number> =>
    (JSON.parse(JSON.stringify((await client.callTool({ name: "service_get_credit_balance" })).structuredContent)))
      .total
  const one = async ({ as, input, tool, until }: Call): Promise<Made> => {
    const given = input(seen)
    for (let look = 0; look < 100; look++) {
      const { isError, structuredContent } = await client.callTool({ name: tool, arguments: given })
      const told: Told = JSON.parse(JSON.stringify(structuredContent))
      if (isError === true) {
        throw new Error(`a wrong turn: ${tool} ${JSON.stringify(given)}: ${JSON.stringify(told)}`)
      }
      seen[as] = told
      if (until?.(told) ?? true) return { tool, given, told }
      await setTimeout(100)
    }
    throw new Error(`${tool} does not end`)
  }
  const played: Array<Played> = []
  for (const { calls, said } of tasks) {
    const before = await balance()
    const made: Array<Made> = []
    for (const call of calls) made.push(await one(call))
    const tokens = made.reduce(
      (sum, { given, told }) => sum + encode(JSON.stringify(given)).length + encode(JSON.stringify(told)).length,
      0
    )
    played.push({ said, calls: made, tokens, credits: before - await balance() })
  }
  return played
}

/** The lines of the page: what was asked, what was called, what it took. */
export const table = (played: ReadonlyArray<Played>): ReadonlyArray<string> =>
  played.map(({ calls, credits, said, tokens }, index) =>
    `| ${index + 1} | ${said} | ${calls.map(({ tool }) => `\`${tool}\``).join(", ")} | ${
      (Math.max(1, Math.round(tokens / 100)) * 100).toLocaleString("en-US")
    } | ${credits} |`
  )

/** Longer texts are cut for a reader. */
const longestText = 160

/** What came back, as a reader needs it: the first of each list and how many there are, and the beginning of a long text. */
const shortened = (told: Told): Told => {
  if (typeof told === "string") return told.length > longestText ? `${told.slice(0, longestText)}…` : told
  if (Array.isArray(told)) {
    return told.length > 1 ? [shortened(told[0]), `… ${told.length - 1} more`] : told.map(shortened)
  }
  if (typeof told !== "object" || told === null) return told
  return Object.fromEntries(Object.entries(told).map(([key, value]) => [key, shortened(value)]))
}

/** The lines of the page's transcript: each task, its calls, and what came back. */
export const transcript = (played: ReadonlyArray<Played>): ReadonlyArray<string> =>
  played.flatMap(({ calls, said }, index) => [
    `**${index + 1}. ${said}**`,
    "",
    "```text",
    ...calls.flatMap(({ given, told, tool }) => [
      `> ${tool} ${JSON.stringify(given)}`,
      JSON.stringify(shortened(told))
    ]),
    "```",
    ""
  ])

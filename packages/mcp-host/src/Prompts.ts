/**
 * The usual tasks, as prompts that a person picks: each becomes one message to their assistant, in the person's name.
 *
 * What a person fills in is quoted, so that it stays one argument whatever it says.
 */
import { DateTime, Result } from "effect"

export interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

/** When a prompt is asked for, and what there is for whoever asks. */
export interface Asked {
  readonly now: DateTime.Utc
  /** Whether a tool is for whoever asks, and what it is about is switched on. */
  readonly has: (tool: string) => boolean
}

export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: ReadonlyArray<PromptArgument>
  /** What it is about is recorded only where change events are switched on. */
  readonly aboutChanges?: true
  /** The message, or the name of an argument that cannot be read. */
  readonly message: (given: Readonly<Record<string, string>>, asked: Asked) => Result.Result<string, string>
}

const argument = (name: string, description: string, required = true): PromptArgument => ({
  name,
  description,
  required
})

const quoted = (text: string | undefined): string => JSON.stringify(text ?? "")

/** A sentence about an argument that may be missing. */
const when = (value: string | undefined, sentence: (quoted: string) => string): string =>
  value === undefined || value.trim() === "" ? "" : ` ${sentence(quoted(value))}`

/** `YYYY-MM` of the moment. */
export const monthOf = (now: DateTime.Utc): string => DateTime.formatIso(now).slice(0, 7)

const monthNames = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december"
]

/** `YYYY-MM` of what a person writes: that form, or a month's name with its year or without, then the last one of that name. */
const readMonth = (text: string, now: DateTime.Utc): string | undefined => {
  const said = text.trim().toLowerCase()
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(said)) return said
  const [, name = "", year] = /^([a-z]{3,9})\.?(?:,? +(\d{4}))?$/.exec(said) ?? []
  const index = name === "" ? -1 : monthNames.findIndex((each) => each.startsWith(name))
  if (index < 0) return undefined
  const month = String(index + 1).padStart(2, "0")
  if (year !== undefined) return `${year}-${month}`
  const thisYear = DateTime.formatIso(now).slice(0, 4)
  return `${thisYear}-${month}` <= monthOf(now) ? `${thisYear}-${month}` : `${Number(thisYear) - 1}-${month}`
}

export const prompts: ReadonlyArray<Prompt> = [
  {
    name: "find_and_qualify",
    title: "Find and qualify properties",
    description: "Searches a county for what you look for, and qualifies the ones that you choose.",
    arguments: [
      argument("county", "Where, as in Dallas, TX."),
      argument("looking_for", "What kind of property: category, size, age, who should be reachable."),
      argument("list", "The name of a list to put them on.", false)
    ],
    message: ({ county, list, looking_for: lookingFor }, { has }) =>
      Result.succeed(
        `Find commercial properties in ${quoted(county)} that fit this: ${quoted(lookingFor)}. ` +
          "Search with service_search_properties by filters (countyNames, categories and ranges; service_lookup knows the valid " +
          "values), ten rows at a time, and show me the best ones in a table with address, size, year and what contacts there are. " +
          "Ask me which to take before anything that costs credits." +
          when(
            has("service_create_list") && has("service_add_to_list") ? list : undefined,
            (name) =>
              `Put those on the list ${name} (service_create_list with reuse_existing_by_name, then service_add_to_list).`
          ) +
          (has("service_qualify_lead")
            ? " Qualify those that I name with service_qualify_lead and the deal value that I give."
            : "")
      )
  },
  {
    name: "research_building",
    title: "Research a building",
    description: "Everything about one property: what is on record, who is behind it, what has changed.",
    arguments: [argument("property", "Its address, id or key.")],
    message: ({ property }, { has }) =>
      Result.succeed(
        `Tell me about the property ${
          quoted(property)
        }. If that is an address, find it with service_search_properties (query) first. ` +
          `Read service_get_property${
            has("service_get_changes") ? ", service_get_changes for it," : ""
          } and the owner's firm with service_get_organization where there is one. If its research is locked, ` +
          (has("service_reveal_property")
            ? "tell me what an unlock would cost (service_price_research) and what it would open, and wait for my yes before " +
              "service_reveal_property."
            : "say so: I may not unlock it, and an admin can help.") +
          " End with who decides there, how they can be reached, and what is not known."
      )
  },
  {
    name: "prepare_call",
    title: "Prepare a call",
    description: "A one-page brief before calling somebody: who they are, which property, what was said before.",
    arguments: [argument("contact", "The person's name or id.")],
    message: ({ contact }, { has }) => {
      const about = ["service_list_notes", "service_get_changes", "service_get_lead_history"].filter(has)
      const written = !has("service_list_research_runs")
        ? ""
        : has("service_draft_email")
        ? " Use a strategy or draft that exists (service_list_research_runs) before offering a new one, and tell me its price first."
        : " Use a strategy or draft that exists (service_list_research_runs)."
      return Result.succeed(
        `Prepare me for a call with ${
          quoted(contact)
        }. If that is a name, find the person with service_find_contacts. Read ` +
          "service_get_contact and service_get_contact_relationships, then for the property that matters most " +
          `${
            ["service_get_property", ...about].join(", ")
          }. Where somebody asked not to be called or emailed, say so ` +
          `first, and keep to it.${written} One page: the person, the property, what happened, three openings, one question.`
      )
    }
  },
  {
    name: "weekly_changes",
    title: "What changed this week",
    aboutChanges: true,
    description: "Sales, new managers and people who moved in your area, and what to do about each.",
    arguments: [argument("county", "Only there, as in Dallas, TX.", false)],
    message: ({ county }, { has }) => {
      const leads = has("service_get_pipeline")
      return Result.succeed(
        "What changed in my area in the last seven days? Page through service_get_changes (days: 7)" +
          (leads ? ", and service_get_pipeline for the leads among them." : ".") +
          when(
            county,
            (name) =>
              `Keep to the county ${name}: service_search_properties with changedWithinDays: 7 and countyNames finds its properties.`
          ) +
          ` Group by kind, ${leads ? "our leads first, " : ""}with the evidence and one suggestion each. Spend nothing.`
      )
    }
  },
  {
    name: "what_did_i_spend",
    title: "What did we spend",
    description: "The credits of a month: what for, by whom, what is left and until when.",
    arguments: [argument("month", "As in 2026-11 or November 2026; this month when left out.", false)],
    message: ({ month: asked = "" }, { has, now }) => {
      const month = asked.trim() === "" ? monthOf(now) : readMonth(asked, now)
      return month === undefined ? Result.fail("month") : Result.succeed(
        `What did we spend in ${month}, and on what? Every charge is in the resource freehold://ledger/${month} alone: read it if ` +
          "you can read resources and may (it needs an admin, or a key with the scope account:read), and go on with its next_uri " +
          "as long as there is one; or ask me to attach it. " +
          "Add up charges by action and by who made them, leave out what was refunded, and compare with " +
          "service_get_credit_balance (own_limit there is mine of the month, where I have one) and service_get_price_sheet. " +
          (has("service_list_research_runs")
            ? "Without the ledger, service_list_research_runs tells research and drafts, and no unlock, reveal or lead bundle: say " +
              "then that the sum is only that of research. "
            : "Without the ledger nothing tells the charges: say so. ") +
          "Point out what was paid for twice or never used."
      )
    }
  }
]

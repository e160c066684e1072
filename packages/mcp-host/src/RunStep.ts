/**
 * What to do once a run of research was looked at: when to look again, or where what it found is read. And what is said of a run
 * with many items: not again of each what its action says of all.
 */
import { GetResearchStatus } from "@freehold/core/research/ResearchOperations"
import { isActive, type ResearchAction } from "@freehold/core/research/ResearchRun"
import { Schema } from "effect"
import type { NextStep } from "./RefusedCall.ts"
import type { Tool } from "./Tools.ts"

type Status = (typeof GetResearchStatus)["output"]["Type"]

const isStatus = Schema.is(GetResearchStatus.output)

/** Seconds after which most runs have gone on. */
export const patience = 5

/** Where what was found is read; a strategy and a draft stand in the status itself. */
const readers: Readonly<Partial<Record<ResearchAction, string>>> = {
  research_property: "service_get_property",
  research_contact: "service_get_contact",
  find_email: "service_get_contact",
  research_organization: "service_get_organization"
}

const nextOf = ({ action, items, run_id, status }: Status): NextStep | undefined => {
  if (isActive(status)) {
    return { tool: GetResearchStatus.name, arguments: { run_id }, retry_after_seconds: patience }
  }
  const reader = readers[action]
  const found = items.find((item) => item.status === "complete" || item.status === "partial")
  return reader === undefined || found === undefined ? undefined : { tool: reader, arguments: { id: found.subject_id } }
}

type Item = Status["items"][number]

/** One of many: what is its own. */
const ofMany = ({ subject_type: _, ...item }: Item) => item

/** A status as an assistant is shown it. */
export const show: Tool["show"] = (result) => {
  if (!isStatus(result)) return result
  const next = nextOf(result)
  const { items } = result
  return {
    ...result,
    items: items.length === 1 ? items : items.map(ofMany),
    ...next === undefined ? {} : { next }
  }
}

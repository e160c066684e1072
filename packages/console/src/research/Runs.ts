/** How runs of research are told. */
import type { Output } from "../service/Call.ts"

export type Run = Output<"service_list_research_runs">["runs"][number]

export type Status = Output<"service_get_research_status">

export const actions = {
  research_property: "Research of a property",
  research_contact: "Research of a person",
  research_organization: "Research of a firm",
  find_email: "Search for an email",
  deep_research_contact: "Deep research",
  draft_email: "Draft of an email"
} as const satisfies Readonly<Record<Run["action"], string>>

export const actionOf = (action: Run["action"]): string => actions[action]

export const isAction = (value: string | null): value is Run["action"] =>
  value !== null && Object.hasOwn(actions, value)

const states: Readonly<Record<Run["status"], string>> = {
  queued: "waits",
  running: "under way",
  complete: "complete",
  partial: "in part",
  failed: "nothing found"
}

export const stateOf = (status: Run["status"]): string => states[status]

/** There is something to be told of what was found, or of why it is not told. */
export const hasEvidence = ({ evidence, next_cursor, revealCapExceeded }: Status): boolean =>
  evidence.length > 0 || next_cursor !== null || revealCapExceeded === true

/** The email that was looked for; null: none was looked for, or it is not known whether one is left out. */
export const emailOf = ({ email, revealCapExceeded }: Status): string | null =>
  email ?? (email === undefined || revealCapExceeded === true ? null : "none was found")

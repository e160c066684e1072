/** What kinds, actions and times are called on the pages of admins. */
import type { Output } from "../service/Call.ts"

type Kind = Output<"app_list_keys">["kinds"][number]

const kinds: Readonly<Record<Kind, string>> = {
  contact_reveal: "People revealed",
  lead_export: "Leads delivered",
  agent_pipeline_change: "Lead moves by keys and assistants",
  paid_property_unlock: "Properties unlocked",
  records_taken_per_day: "Records taken"
}

export const kindName = (kind: Kind): string => kinds[kind]

/** `unlock_property` as words. */
export const wordsOf = (code: string): string => {
  const words = code.replace(/[_.]/g, " ")
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** A moment in UTC, to the minute. */
export const momentOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

export const numberOf = (value: number): string => value.toLocaleString("en-US")

/** The number that a field holds; null: it is empty. */
export const limitIn = (data: FormData, field: string): number | null => {
  const text = data.get(field)
  return typeof text !== "string" || text.trim() === "" ? null : Number(text)
}

/** The text that a field holds. */
export const textIn = (data: FormData, field: string): string => {
  const text = data.get(field)
  return typeof text === "string" ? text : ""
}

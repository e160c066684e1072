/** What kinds of daily limits are called on the pages of admins. */
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

/** A key as its organization's admins see it, and read of it in their log. */
import type { Credential } from "../access/KeyRing.ts"

/** Every daily limit; null: none. */
export const limitsOf = ({ dailyLimits }: Credential) => ({
  contact_reveal: dailyLimits.contact_reveal ?? null,
  lead_export: dailyLimits.lead_export ?? null,
  agent_pipeline_change: dailyLimits.agent_pipeline_change ?? null,
  paid_property_unlock: dailyLimits.paid_property_unlock ?? null,
  records_taken_per_day: dailyLimits.records_taken_per_day ?? null
})

/** What of a key an admin may change. */
export const settingsOf = (key: Credential) => ({ scopes: key.scopes, ...limitsOf(key) })

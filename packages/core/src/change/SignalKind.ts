/** The kinds of recorded changes, and whom each is about. service-api "Event kinds". */
import { Schema } from "effect"

export const SignalKind = Schema.Literals([
  "ownership_transfer",
  "sale",
  "manager_change",
  "contact_departure",
  "contact_title_change",
  "contact_employer_change"
])
export type SignalKind = typeof SignalKind.Type

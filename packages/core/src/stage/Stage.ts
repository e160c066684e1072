/** The stages of a lead. decisions, section 6. */
import { Schema } from "effect"

export const Stage = Schema.Literals([
  "qualified",
  "attempted_contact",
  "active_opportunity",
  "won",
  "lost",
  "disqualified"
])
export type Stage = typeof Stage.Type

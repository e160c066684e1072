/** The stages of a lead and the reasons for its end, in words. A stage that a newer server has is shown as its own word. */
import { word } from "../part/Wording.ts"
import type { Input, Output } from "../service/Call.ts"

export type Board = Output<"app_get_board">
export type Column = Board["stages"][number]
export type Card = Column["leads"][number]
export type Stage = Column["status"]

const stages: Readonly<Record<Stage, string>> = {
  qualified: "Qualified",
  attempted_contact: "Attempted",
  active_opportunity: "Active",
  won: "Won",
  lost: "Lost",
  disqualified: "Disqualified"
}

export const stageOf = (stage: Stage): string => Object.hasOwn(stages, stage) ? stages[stage] : word(stage)

/** Where a lead has come to nothing, and is worth nothing. */
const ended: ReadonlySet<Stage> = new Set(["lost", "disqualified"])

export const isEnded = (stage: Stage): boolean => ended.has(stage)

/** Why a lead can be disqualified. */
export const disqualifyReasons: Readonly<Record<Input<"service_disqualify_lead">["reason_code"], string>> = {
  not_a_fit: "Not a fit",
  wrong_property_type: "Wrong type of property",
  too_small: "Too small",
  outside_area: "Outside of our area",
  existing_customer: "A customer already",
  duplicate: "Duplicate",
  bad_data: "The data is wrong",
  do_not_contact: "Must not be contacted",
  other: "Another reason"
}

/** What a card is called. */
export const nameOf = ({ address, property_key }: Pick<Card, "address" | "property_key">): string =>
  address ?? property_key

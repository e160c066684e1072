/** What the app asks of the pipeline: the board, one lead with its history, and changes of what was looked at. */
import { Schema } from "effect"
import { NotFound, OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import { Count } from "../operation/BrowsePage.ts"
import { atMost } from "../operation/Characters.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { Stage } from "../stage/Stage.ts"
import { moveRefusals } from "./Moves.ts"
import { DealValue, Note } from "./PipelineOperations.ts"
import { ChangedInFlight, NoPipelineRecord } from "./PipelineRefusals.ts"
import { StageHistory } from "./StageHistory.ts"

/** Cards of each column that one reading answers. */
const maximumCards = 100

const Owner = Schema.NullOr(Schema.Struct({ member_id: Schema.String, name: Schema.String }))

const lead = {
  property_id: Schema.String,
  status: Stage,
  deal_value: Schema.NullOr(Schema.Finite),
  owner: Owner,
  status_changed_at: Schema.String,
  /** To be sent with a change: it is refused when somebody else was faster. */
  version: Schema.Int
}

const place = {
  address: Schema.NullOr(Schema.String),
  city: Schema.NullOr(Schema.String),
  state: Schema.NullOr(Schema.String)
}

const Version = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2_147_483_647 })).annotate({
  description: "The version that was looked at."
})

const ofPipeline = { scope: null, plan: "team", gate: "pipeline" } as const

const seen = [NotFound, OutOfTerritory, PropertyRetired] as const

export const GetBoard = Operation.make("app_get_board", {
  title: "Board",
  description: "Free. The pipeline by stage: how many leads, what they are worth, and a page of them.",
  input: Schema.Struct({
    /** These stages alone, in this order. */
    stages: Schema.optionalKey(
      Schema.Array(Stage).check(Schema.isMinLength(1), Schema.isUnique())
    ),
    /** Only the caller's own leads. */
    mine: Schema.optionalKey(Schema.Boolean),
    /** Only leads whose stage is the same for so many days. */
    unmoved_days: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3650 }))),
    limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumCards }))),
    offset: Schema.optionalKey(Count)
  }),
  output: Schema.Struct({
    stages: Schema.Array(Schema.Struct({
      status: Stage,
      /** Where its leads may go. */
      targets: Schema.Array(Stage),
      total: Schema.Int,
      /** Whole US dollars, of all of its leads. */
      deal_value: Schema.Finite,
      leads: Schema.Array(Schema.Struct({
        ...lead,
        ...place,
        property_key: Schema.String,
        /** The open task that is due first. */
        next_task: Schema.NullOr(Schema.Struct({ title: Schema.String, due_at: Schema.NullOr(Schema.String) }))
      }))
    }))
  }),
  refusals: [],
  access: ofPipeline,
  effect: "read",
  tool: false
})

export const GetLead = Operation.make("app_get_lead", {
  title: "Lead",
  description: "Free. The lead of a property, and every move that led there, oldest first.",
  input: Schema.Struct({ property_id: Uuid }),
  output: Schema.Struct({
    /** null: it was never qualified, which is an answer and no refusal, since pages of properties ask for it. */
    lead: Schema.NullOr(Schema.Struct({
      ...lead,
      targets: Schema.Array(Stage),
      qualified_at: Schema.String,
      qualified_by: Schema.String,
      reason_code: Schema.NullOr(Schema.String),
      history: StageHistory
    }))
  }),
  refusals: seen,
  access: ofPipeline,
  effect: "read",
  work: "point",
  tool: false
})

const Changed = Schema.Struct(lead)

export const MoveLead = Operation.make("app_move_lead", {
  title: "Move a lead",
  description: "Free. Moves a lead from where it was seen to any stage that the table of moves has.",
  input: Schema.Struct({
    property_id: Uuid,
    version: Version,
    status: Stage,
    deal_value: Schema.optionalKey(DealValue),
    /** Of a move to lost or disqualified. */
    reason_code: Schema.optionalKey(Schema.String.check(atMost(100))),
    note: Schema.optionalKey(Note)
  }),
  output: Changed,
  refusals: [...seen, ...moveRefusals, ChangedInFlight],
  access: ofPipeline,
  effect: "write",
  tool: false
})

export const UndoMove = Operation.make("app_undo_move", {
  title: "Take a move back",
  description: "Free. Takes the caller's own last move of a lead back, for a minute and while nothing came after it.",
  input: Schema.Struct({ property_id: Uuid, version: Version }),
  output: Changed,
  refusals: [...seen, NoPipelineRecord, ChangedInFlight],
  access: ofPipeline,
  effect: "write",
  tool: false
})

export const AssignLead = Operation.make("app_assign_lead", {
  title: "Assign a lead",
  description: "Free. Gives a lead to a member with a seat, or to nobody.",
  input: Schema.Struct({ property_id: Uuid, member_id: Schema.NullOr(Uuid) }),
  output: Changed,
  refusals: [...seen, NoPipelineRecord],
  access: ofPipeline,
  effect: "write",
  tool: false
})

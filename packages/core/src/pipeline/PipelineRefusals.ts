/** Why a lead is not moved. service-api "Pipeline and write-back codes", decisions section 6. */
import { Schema } from "effect"
import { Stage } from "../stage/Stage.ts"

/** The property was never in the organization's pipeline. */
export class NoPipelineRecord extends Schema.TaggedError<NoPipelineRecord>()("NO_PIPELINE_RECORD", {}) {
  override get message() {
    return "This property is not in your organization's pipeline."
  }
}

/** A customer's own CRM cannot report outcomes while stages are managed in the service. */
export class CrmModeNotExternal extends Schema.TaggedError<CrmModeNotExternal>()("CRM_MODE_NOT_EXTERNAL", {}) {
  override get message() {
    return "Your organization manages stages in the service; only with an external CRM are they written back."
  }
}

/** Somebody else changed the lead between the reading and the writing. */
export class ChangedInFlight extends Schema.TaggedError<ChangedInFlight>()("CHANGED_IN_FLIGHT", {}) {
  override get message() {
    return "This lead was changed at the same time; nothing was done. Read it again and retry."
  }
}

/** The external CRM owns the stages between qualification and disqualification. */
export class StageCapped extends Schema.TaggedError<StageCapped>()("STAGE_CAPPED", { status: Stage }) {
  override get message() {
    return "Your organization's CRM owns the stages between qualified and disqualified; move the lead there."
  }
}

/** An admin switched pipeline changes by keys and assistants off. */
export class McpQualificationDisabled
  extends Schema.TaggedError<McpQualificationDisabled>()("MCP_QUALIFICATION_DISABLED", {})
{
  override get message() {
    return "An admin of your organization switched pipeline changes by keys and assistants off."
  }
}

/** A qualified or won lead is worth more than 1 dollar. */
export class DealValueRequired extends Schema.TaggedError<DealValueRequired>()("DEAL_VALUE_REQUIRED", {}) {
  override get message() {
    return "A qualified or won lead needs a deal value above 1 dollar, in whole dollars."
  }
}

/** No such reason, or none given. */
export class InvalidLossReasonCode extends Schema.TaggedError<InvalidLossReasonCode>()("INVALID_LOSS_REASON_CODE", {
  allowed: Schema.Array(Schema.String)
}) {
  override get message() {
    return `A lost lead needs a loss reason, one of ${this.allowed.join(", ")}.`
  }
}

export class SameStatus extends Schema.TaggedError<SameStatus>()("SAME_STATUS", { status: Stage }) {
  override get message() {
    return `This lead is already in the stage ${this.status}.`
  }
}

export class AlreadyDisqualified extends Schema.TaggedError<AlreadyDisqualified>()("ALREADY_DISQUALIFIED", {}) {
  override get message() {
    return "This lead is already disqualified."
  }
}

/** A won or lost lead cannot be disqualified. */
export class ClosedStage extends Schema.TaggedError<ClosedStage>()("CLOSED_STAGE", { status: Stage }) {
  override get message() {
    return `This lead is ${this.status}; a won or lost lead cannot be disqualified.`
  }
}

/** The table of moves has no such move. */
export class InvalidTransition extends Schema.TaggedError<InvalidTransition>()("INVALID_TRANSITION", {
  from: Stage,
  to: Stage,
  allowed: Schema.Array(Stage)
}) {
  override get message() {
    const onward = this.allowed.length === 0
      ? "your own CRM decides where it goes"
      : `it can go to ${this.allowed.join(", ")}`
    return `A lead cannot go from ${this.from} to ${this.to}; from ${this.from} ${onward}.`
  }
}

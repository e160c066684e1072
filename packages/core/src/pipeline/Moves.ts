/**
 * Where a lead may go: one total function over all stages and all targets.
 *
 * | from \ to          | qualified | attempted_contact | active_opportunity | won  | lost | disqualified |
 * | ------------------ | --------- | ----------------- | ------------------ | ---- | ---- | ------------ |
 * | not in pipeline    | yes       | none              | none               | none | none | none         |
 * | qualified          | same      | yes               | yes                | yes  | yes  | yes          |
 * | attempted_contact  | yes       | same              | yes                | yes  | yes  | yes          |
 * | active_opportunity | no        | yes               | same               | yes  | yes  | yes          |
 * | won                | no        | no                | yes                | same | yes  | closed       |
 * | lost               | no        | yes               | yes                | yes  | same | closed       |
 * | disqualified       | yes       | no                | no                 | no   | no   | already      |
 *
 * `none` is NO_PIPELINE_RECORD, `same` SAME_STATUS, `no` INVALID_TRANSITION, `closed` CLOSED_STAGE and `already`
 * ALREADY_DISQUALIFIED. While the CRM is external, every move is STAGE_CAPPED but to qualified and to disqualified.
 *
 * A qualified and a won lead are worth more than 1 dollar, by the wish or from before (DEAL_VALUE_REQUIRED); a value that
 * is given always is. A lost lead has a reason of the organization's list (INVALID_LOSS_REASON_CODE), a disqualified one
 * a reason of `DisqualifyReason`; a reason that needs a note has one. Both reasons go when the lead goes on. A write-back
 * of the external CRM (`followCrm`) goes from any stage to any other. decisions, section 6.
 */
import { Result } from "effect"
import { invalid, type InvalidInput } from "../operation/InvalidInput.ts"
import type { Organization } from "../organization/Organization.ts"
import type { DisqualifyReason } from "../stage/DisqualifyReason.ts"
import { lossReasonsOf } from "../stage/LossReason.ts"
import type { Stage } from "../stage/Stage.ts"
import {
  AlreadyDisqualified,
  ClosedStage,
  DealValueRequired,
  InvalidLossReasonCode,
  InvalidTransition,
  NoPipelineRecord,
  SameStatus,
  StageCapped
} from "./PipelineRefusals.ts"

/** What a lead is besides its place in time. */
export interface LeadState {
  readonly status: Stage
  /** Whole US dollars. */
  readonly dealValue: number | null
  /** Only of a lost lead. */
  readonly lossReasonCode: string | null
  readonly lossReasonNote: string | null
  /** Only of a disqualified lead. */
  readonly disqualifiedReason: string | null
}

interface Said {
  readonly dealValue?: number | undefined
  readonly note?: string | undefined
}

/** What somebody wants of a lead. */
export type Wish =
  | Said & { readonly to: "qualified" | "attempted_contact" | "active_opportunity" | "won" }
  | Said & { readonly to: "lost"; readonly lossReasonCode?: string | undefined }
  | Said & { readonly to: "disqualified"; readonly reason: DisqualifyReason }

/** A lead before and after; `from` null: it was not in the pipeline. */
export interface Move {
  readonly from: Stage | null
  readonly to: LeadState
  /** For the history. */
  readonly note: string | null
}

export type MoveRefusal =
  | AlreadyDisqualified
  | ClosedStage
  | DealValueRequired
  | InvalidInput
  | InvalidLossReasonCode
  | InvalidTransition
  | NoPipelineRecord
  | SameStatus
  | StageCapped

/** Every class of them that is not common to all operations. */
export const moveRefusals = [
  AlreadyDisqualified,
  ClosedStage,
  DealValueRequired,
  InvalidLossReasonCode,
  InvalidTransition,
  NoPipelineRecord,
  SameStatus,
  StageCapped
] as const

/** Where the table says yes. */
export const targets: Readonly<Record<Stage, ReadonlyArray<Stage>>> = {
  qualified: ["attempted_contact", "active_opportunity", "won", "lost", "disqualified"],
  attempted_contact: ["qualified", "active_opportunity", "won", "lost", "disqualified"],
  active_opportunity: ["attempted_contact", "won", "lost", "disqualified"],
  won: ["active_opportunity", "lost"],
  lost: ["attempted_contact", "active_opportunity", "won"],
  disqualified: ["qualified"]
}

type Stages = Pick<Organization, "crm_mode">

/** Whether the organization's own CRM decides when leads get there. */
const isCapped = ({ crm_mode }: Stages, to: Stage): boolean =>
  crm_mode === "external" && to !== "qualified" && to !== "disqualified"

/** Where a lead of the organization may go from a stage. */
export const targetsOf = (from: Stage, organization: Stages): ReadonlyArray<Stage> =>
  targets[from].filter((to) => !isCapped(organization, to))

/** A deal value is above this many dollars, and at most that many. */
const leastDealValue = 1
export const maximumDealValue = 1e15

const isDealValue = (value: number): boolean =>
  Number.isInteger(value) && value > leastDealValue && value <= maximumDealValue

const permitted = (from: Stage | null, to: Stage, organization: Stages): Result.Result<void, MoveRefusal> => {
  if (from === null) return to === "qualified" ? Result.succeed(undefined) : Result.fail(new NoPipelineRecord())
  if (from === to) {
    return Result.fail(to === "disqualified" ? new AlreadyDisqualified() : new SameStatus({ status: to }))
  }
  if (to === "disqualified" && (from === "won" || from === "lost")) {
    return Result.fail(new ClosedStage({ status: from }))
  }
  const allowed = targetsOf(from, organization)
  return allowed.includes(to) ? Result.succeed(undefined) : Result.fail(new InvalidTransition({ from, to, allowed }))
}

const valued = (
  before: number | null,
  { dealValue, to }: Wish
): Result.Result<number | null, DealValueRequired> => {
  if (dealValue !== undefined) {
    return isDealValue(dealValue) ? Result.succeed(dealValue) : Result.fail(new DealValueRequired())
  }
  return to !== "qualified" && to !== "won" || before !== null && before > leastDealValue
    ? Result.succeed(before)
    : Result.fail(new DealValueRequired())
}

type Reasons = Pick<LeadState, "lossReasonCode" | "lossReasonNote" | "disqualifiedReason">

const noReasons: Reasons = { lossReasonCode: null, lossReasonNote: null, disqualifiedReason: null }

const noteOf = ({ note }: Said): string | null => note === undefined || note.trim() === "" ? null : note

const noteRequired = (code: string) => invalid("note", `The reason ${code} needs a note`)

const reasoned = (
  wish: Wish,
  organization: Pick<Organization, "loss_reasons">
): Result.Result<Reasons, InvalidLossReasonCode | InvalidInput> => {
  const note = noteOf(wish)
  if (wish.to === "disqualified") {
    return wish.reason === "other" && note === null
      ? Result.fail(noteRequired(wish.reason))
      : Result.succeed({ ...noReasons, disqualifiedReason: wish.reason })
  }
  if (wish.to !== "lost") return Result.succeed(noReasons)
  const reasons = lossReasonsOf(organization)
  const reason = reasons.find(({ code }) => code === wish.lossReasonCode)
  if (reason === undefined) {
    return Result.fail(new InvalidLossReasonCode({ allowed: reasons.map(({ code }) => code) }))
  }
  return reason.requires_note && note === null
    ? Result.fail(noteRequired(reason.code))
    : Result.succeed({ ...noReasons, lossReasonCode: reason.code, lossReasonNote: note })
}

/** What becomes of the lead, or why nothing does. `before` null: the property is not in the pipeline. Pure. */
export const decideMove = (
  before: LeadState | null,
  wish: Wish,
  organization: Pick<Organization, "crm_mode" | "loss_reasons">
): Result.Result<Move, MoveRefusal> =>
  Result.gen(function*() {
    const from = before?.status ?? null
    if (isCapped(organization, wish.to)) yield* Result.fail(new StageCapped({ status: wish.to }))
    yield* permitted(from, wish.to, organization)
    const dealValue = yield* valued(before?.dealValue ?? null, wish)
    const reasons = yield* reasoned(wish, organization)
    return { from, to: { status: wish.to, dealValue, ...reasons }, note: noteOf(wish) }
  })

/** What the external CRM says became of a lead; null: it is there already. The CRM need not know values and reasons. */
export const followCrm = (before: LeadState, status: "won" | "lost"): Move | null =>
  before.status === status
    ? null
    : { from: before.status, to: { status, dealValue: before.dealValue, ...noReasons }, note: null }

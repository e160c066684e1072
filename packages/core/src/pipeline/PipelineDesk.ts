/** Shows and changes the pipeline for keys and assistants, and takes the outcomes that an external CRM writes back. */
import { Clock, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { Ledger } from "../credit/Ledger.ts"
import { tightest } from "../limit/DailyLimit.ts"
import { iso } from "../limit/LimitRefusals.ts"
import { ofCaller, queryOf } from "../limit/Limits.ts"
import { usedOf } from "../limit/Metering.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { nextMidnight } from "../operation/UtcTime.ts"
import { parse } from "../property/PropertyRef.ts"
import * as VisibleProperty from "../property/VisibleProperty.ts"
import { lossReasonsOf } from "../stage/LossReason.ts"
import { LeadMover, movedView } from "./LeadMover.ts"
import { followCrm, type Wish } from "./Moves.ts"
import { moverOf, ownerOf } from "./MovingCaller.ts"
import { Pipeline } from "./Pipeline.ts"
import type {
  DisqualifyLead,
  GetLeadHistory,
  GetLossReasons,
  GetPipeline,
  GetTransitionCap,
  QualifyLead,
  UpdateLeadStatus,
  WriteBackStatus
} from "./PipelineOperations.ts"
import { ChangedInFlight, CrmModeNotExternal, McpQualificationDisabled, NoPipelineRecord } from "./PipelineRefusals.ts"
import { historyView } from "./StageHistory.ts"

const defaultPage = 50

/** Shows the pipeline to the caller, and moves its leads. */
export const make = Effect.gen(function*() {
  const pipeline = yield* Pipeline
  const ledger = yield* Ledger
  const mover = yield* LeadMover.make
  const visible = yield* VisibleProperty.make
  const random = yield* SecureRandom.SecureRandom

  const move = Effect.fnUntraced(function*(propertyId: string, wish: Wish) {
    const caller = yield* Caller
    const isAgent = Acting.isAgent(caller)
    if (isAgent && !caller.organization.agent_pipeline_changes) return yield* new McpQualificationDisabled()
    return yield* mover.move({
      perspective: caller,
      property: parse(propertyId),
      wish,
      actor: moverOf(caller),
      owner: ownerOf(caller),
      limits: isAgent ? ofCaller(caller, yield* Clock.currentTimeMillis) : null
    })
  })

  const list: HandlerOf<typeof GetPipeline> = Effect.fn("PipelineDesk.list")(
    function*({ limit = defaultPage, offset = 0, status = null }) {
      const caller = yield* Caller
      const visible = Territory.visible(caller)
      const { leads, total } = yield* pipeline.list(caller.organization.org_id, { visible, status, limit, offset })
      return {
        leads: leads.map((lead) => ({
          property_id: lead.propertyId,
          address: lead.address,
          city: lead.city,
          state: lead.state,
          status: lead.status,
          deal_value: lead.dealValue,
          status_changed_at: lead.statusChangedAt
        })),
        total
      }
    }
  )

  const history: HandlerOf<typeof GetLeadHistory> = Effect.fn("PipelineDesk.history")(function*({ property_id }) {
    const caller = yield* Caller
    const { org_id: orgId } = caller.organization
    const found = yield* pipeline.standing(parse(property_id), orgId)
    const property = yield* visible(Option.map(found, (each) => each.property), caller)
    if (Option.isNone(found) || found.value.lead === null) return yield* new NoPipelineRecord()
    const { dealValue, status } = found.value.lead
    const moves = yield* pipeline.history(orgId, property.id)
    return { property_id: property.id, status, deal_value: dealValue, history: historyView(moves) }
  })

  const qualify: HandlerOf<typeof QualifyLead> = Effect.fn("PipelineDesk.qualify")(
    function*({ deal_value: dealValue, note, property_id }) {
      const moved = yield* move(property_id, { to: "qualified", dealValue, note })
      const firstTime = moved.from === null
      return { ...movedView(moved), event_id: firstTime ? moved.eventId : null, first_time: firstTime }
    }
  )

  const disqualify: HandlerOf<typeof DisqualifyLead> = Effect.fn("PipelineDesk.disqualify")(
    function*({ note, property_id, reason_code: reason }) {
      return movedView(yield* move(property_id, { to: "disqualified", reason, note }))
    }
  )

  const update: HandlerOf<typeof UpdateLeadStatus> = Effect.fn("PipelineDesk.update")(
    function*({ deal_value: dealValue, loss_reason_code: lossReasonCode, note, property_id, status }) {
      if (status !== "lost" && lossReasonCode !== undefined) {
        return yield* invalid("loss_reason_code", "Expected only with the status lost")
      }
      const wish: Wish = status === "lost"
        ? { to: status, dealValue, lossReasonCode, note }
        : { to: status, dealValue, note }
      return movedView(yield* move(property_id, wish))
    }
  )

  const transitionCap: HandlerOf<typeof GetTransitionCap> = Effect.fn("PipelineDesk.transitionCap")(function*() {
    const caller = yield* Caller
    const { organization } = caller
    const now = yield* Clock.currentTimeMillis
    const limits = ofCaller(caller, now)
    const usage = yield* ledger.usage(organization.org_id, queryOf(limits))
    const reported = tightest(limits.daily.agent_pipeline_change, usedOf(usage, "agent_pipeline_change"))
    if (reported === null) return yield* Effect.die("agent pipeline changes always have a cap")
    return {
      enabled: organization.agent_pipeline_changes,
      cap: reported.value,
      usedToday: reported.used,
      remainingToday: Math.max(0, reported.value - reported.used),
      resetsAt: iso(nextMidnight(now)),
      layer: reported.layer,
      ...(reported.layers.length > 1 ? { layers: reported.layers } : {})
    }
  })

  const lossReasons: HandlerOf<typeof GetLossReasons> = () =>
    Caller.use(({ organization }) => Effect.succeed({ reasons: lossReasonsOf(organization) }))

  /** The same status again leaves the stage and its time; a customer status is applied all the same. */
  const writeBack: HandlerOf<typeof WriteBackStatus> = Effect.fn("PipelineDesk.writeBack")(
    function*({ customer_status: customerStatus = null, property_id, status }) {
      const caller = yield* Caller
      const { organization } = caller
      const found = yield* pipeline.standing(parse(property_id), organization.org_id)
      const property = yield* visible(Option.map(found, (each) => each.property), caller)
      if (organization.crm_mode !== "external") return yield* new CrmModeNotExternal()
      if (Option.isNone(found) || found.value.lead === null) return yield* new NoPipelineRecord()
      const { customerStatus: customerBefore, lead } = found.value
      const move = followCrm(lead, status)
      const written = move === null && (customerStatus === null || customerStatus === customerBefore)
        ? Option.some(lead)
        : yield* pipeline.change({
          orgId: organization.org_id,
          propertyId: property.id,
          expected: lead.version,
          move,
          customerStatus,
          actor: moverOf(caller),
          owner: null,
          eventId: yield* random.uuidV4(),
          partial: false,
          now: yield* Clock.currentTimeMillis
        })
      if (Option.isNone(written)) return yield* new ChangedInFlight()
      const customer = customerStatus ?? customerBefore
      return {
        property_id: property.id,
        status: written.value.status,
        is_current_customer: customer === "active",
        status_changed_at: written.value.statusChangedAt,
        customer_account_status: customer
      }
    }
  )

  return { list, history, qualify, disqualify, update, transitionCap, lossReasons, writeBack }
})

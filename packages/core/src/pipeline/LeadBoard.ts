/** Shows the pipeline in the app, and changes what a member looked at: no change is written over somebody else's. */
import { Clock, Duration, Effect, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import * as Colleagues from "../access/Colleagues.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { overtaken } from "../operation/TemporarilyUnavailable.ts"
import { parse } from "../property/PropertyRef.ts"
import * as VisibleProperty from "../property/VisibleProperty.ts"
import { DisqualifyReason } from "../stage/DisqualifyReason.ts"
import { Stage } from "../stage/Stage.ts"
import { Board } from "./Board.ts"
import type { AssignLead, GetBoard, GetLead, MoveLead, UndoMove } from "./BoardOperations.ts"
import { LeadMover } from "./LeadMover.ts"
import { targetsOf, type Wish } from "./Moves.ts"
import { moverOf, ownerOf } from "./MovingCaller.ts"
import { type Lead, Pipeline } from "./Pipeline.ts"
import { ChangedInFlight, NoPipelineRecord } from "./PipelineRefusals.ts"
import { historyView } from "./StageHistory.ts"
import { decideUndo } from "./Undo.ts"

const defaultCards = 50

const view = ({ dealValue, ownerId, ownerName, propertyId, status, statusChangedAt, version }: Lead) => ({
  property_id: propertyId,
  status,
  deal_value: dealValue,
  owner: ownerId === null || ownerName === null ? null : { member_id: ownerId, name: ownerName },
  status_changed_at: statusChangedAt,
  version
})

const isDisqualifyReason = Schema.is(DisqualifyReason)

/** What a member wants of a lead, with the reason in its place. */
const wishOf = (
  { deal_value: dealValue, note, reason_code: reason, status: to }: typeof MoveLead.input.Type
): Wish | null => {
  if (to === "disqualified") {
    return isDisqualifyReason(reason) ? { to, dealValue, note, reason } : null
  }
  return to === "lost" ? { to, dealValue, note, lossReasonCode: reason } : { to, dealValue, note }
}

export const make = Effect.gen(function*() {
  const board = yield* Board
  const pipeline = yield* Pipeline
  const mover = yield* LeadMover.make
  const visible = yield* VisibleProperty.make
  const colleagues = yield* Colleagues.make
  const random = yield* SecureRandom.SecureRandom

  /** A property that the caller sees, with its lead if it has one. */
  const standingOf = Effect.fnUntraced(function*(propertyId: string) {
    const caller = yield* Caller
    const found = yield* pipeline.standing(parse(propertyId), caller.organization.org_id)
    const property = yield* visible(Option.map(found, (each) => each.property), caller)
    return { caller, property, lead: Option.match(found, { onNone: () => null, onSome: ({ lead }) => lead }) }
  })

  /** A lead that the caller sees. */
  const leadOf = Effect.fnUntraced(function*(propertyId: string) {
    const { caller, lead, property } = yield* standingOf(propertyId)
    return lead === null ? yield* new NoPipelineRecord() : { caller, property, lead }
  })

  const read: HandlerOf<typeof GetBoard> = Effect.fn("LeadBoard.read")(
    function*({ limit = defaultCards, mine = false, offset = 0, stages = Stage.literals, unmoved_days: days }) {
      const caller = yield* Caller
      const { organization } = caller
      const now = yield* Clock.currentTimeMillis
      const columns = yield* board.read(organization.org_id, {
        visible: Territory.visible(caller),
        stages,
        ownerId: mine ? Acting.actor(caller).id : null,
        unmovedSince: days === undefined ? null : now - Duration.toMillis(Duration.days(days)),
        limit,
        offset
      })
      return {
        stages: columns.map(({ cards, dealValue, status, total }) => ({
          status,
          targets: targetsOf(status, organization),
          total,
          deal_value: dealValue,
          leads: cards.map((card) => ({
            ...view(card),
            address: card.address,
            city: card.city,
            state: card.state,
            property_key: card.propertyKey,
            next_task: card.nextTask === null ? null : { title: card.nextTask.title, due_at: card.nextTask.dueAt }
          }))
        }))
      }
    }
  )

  const show: HandlerOf<typeof GetLead> = Effect.fn("LeadBoard.show")(function*({ property_id }) {
    const { caller: { organization }, lead } = yield* standingOf(property_id)
    if (lead === null) return { lead: null }
    const history = yield* pipeline.history(organization.org_id, lead.propertyId)
    return {
      lead: {
        ...view(lead),
        targets: targetsOf(lead.status, organization),
        qualified_at: lead.qualifiedAt,
        qualified_by: lead.qualifiedBy.name,
        reason_code: lead.lossReasonCode ?? lead.disqualifiedReason,
        history: historyView(history)
      }
    }
  })

  const move: HandlerOf<typeof MoveLead> = Effect.fn("LeadBoard.move")(function*(input) {
    const caller = yield* Caller
    const wish = wishOf(input)
    if (wish === null) {
      return yield* invalid("reason_code", `Expected one of ${DisqualifyReason.literals.join(", ")}`)
    }
    const { lead } = yield* Effect.catchTag(
      mover.move({
        perspective: caller,
        property: parse(input.property_id),
        wish,
        actor: moverOf(caller),
        owner: ownerOf(caller),
        limits: null,
        seen: input.version
      }),
      ["ACCOUNT_DAILY_CAP_EXCEEDED", "DAILY_CAP_EXCEEDED", "CREDENTIAL_DAILY_CAP_EXCEEDED"],
      () => Effect.die("what a person does is not counted")
    )
    return view(lead)
  })

  const undo: HandlerOf<typeof UndoMove> = Effect.fn("LeadBoard.undo")(function*({ property_id, version }) {
    const { caller, lead } = yield* leadOf(property_id)
    const { organization: { org_id: orgId } } = caller
    const actor = moverOf(caller)
    const history = yield* pipeline.history(orgId, lead.propertyId)
    const now = yield* Clock.currentTimeMillis
    const move = yield* Effect.fromResult(decideUndo(history, { version, memberId: actor.id, now }))
    const changed = yield* pipeline.change({
      orgId,
      propertyId: lead.propertyId,
      expected: version,
      move,
      customerStatus: null,
      actor,
      owner: null,
      eventId: yield* random.uuidV4(),
      partial: false,
      now
    })
    return Option.isNone(changed) ? yield* new ChangedInFlight() : view(changed.value)
  })

  const assign: HandlerOf<typeof AssignLead> = Effect.fn("LeadBoard.assign")(
    function*({ member_id: memberId, property_id }) {
      const { caller, lead, property } = yield* leadOf(property_id)
      const owner = memberId === null ? null : yield* colleagues.forProperty("member_id", memberId, property)
      const assigned = yield* pipeline.assign({
        orgId: caller.organization.org_id,
        propertyId: lead.propertyId,
        owner: owner === null ? null : { id: owner.memberId, name: owner.name },
        actor: moverOf(caller),
        eventId: yield* random.uuidV4(),
        now: yield* Clock.currentTimeMillis
      })
      // It was there a moment ago: it has gone on to the survivor of its property.
      return Option.isNone(assigned) ? yield* overtaken : view(assigned.value)
    }
  )

  return { read, show, move, undo, assign }
})

/**
 * Moves leads, for people and for keys and assistants: finds the property, asks the table of moves, and writes.
 *
 * A move by a key or an assistant counts as one agent pipeline change when it takes effect, and not otherwise.
 */
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import type { NotFound, OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import * as EventTrace from "../event/EventTrace.ts"
import type { DailyRefusal } from "../limit/LimitRefusals.ts"
import { type Limits, queryOf } from "../limit/Limits.ts"
import { allow, counting } from "../limit/Metering.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { PropertyRef } from "../property/PropertyRef.ts"
import * as VisibleProperty from "../property/VisibleProperty.ts"
import type { Stage } from "../stage/Stage.ts"
import { decideMove, type MoveRefusal, type Wish } from "./Moves.ts"
import { type Counting, type Lead, type LeadOwner, Pipeline, type PipelineActor } from "./Pipeline.ts"
import { ChangedInFlight } from "./PipelineRefusals.ts"

/** A lead after a move. */
export interface Moved {
  readonly lead: Lead
  /** null: it was not in the pipeline. */
  readonly from: Stage | null
  /** The lead.qualified or lead.changed event of the move. */
  readonly eventId: string
}

/** The move as a tool and a command tell it. */
export const movedView = ({ from, lead }: Moved) => ({
  property_id: lead.propertyId,
  status: lead.status,
  previous_status: from,
  deal_value: lead.dealValue,
  status_changed_at: lead.statusChangedAt
})

const oneChange = (limits: Limits): Counting<DailyRefusal> => ({
  usage: queryOf(limits),
  decide: (usage) =>
    Result.map(
      allow(limits, usage, "agent_pipeline_change", 1),
      () => counting(limits, { agent_pipeline_change: 1 })
    )
})

export class LeadMover extends Context.Service<LeadMover, {
  /** `limits`: those of the key or connection that moves the lead; null: a person does, and nothing is counted. */
  move(request: {
    /** Of whoever moves it; only what is visible to them can be moved. */
    readonly perspective: Territory.Perspective
    readonly property: PropertyRef
    readonly wish: Wish
    readonly actor: PipelineActor
    /** Whose the lead becomes, if this is its first qualification; null: nobody's. */
    readonly owner: LeadOwner | null
    readonly limits: Limits | null
    /** The version of the lead that whoever moves it looked at; absent: whichever there is. */
    readonly seen?: number
  }): Effect.Effect<
    Moved,
    MoveRefusal | NotFound | OutOfTerritory | PropertyRetired | ChangedInFlight | DailyRefusal | TemporarilyUnavailable
  >
}>()("@freehold/core/pipeline/LeadMover") {
  static readonly make = Effect.gen(function*() {
    const pipeline = yield* Pipeline
    const visible = yield* VisibleProperty.make
    const random = yield* SecureRandom.SecureRandom
    return LeadMover.of({
      move: Effect.fn("LeadMover.move")(function*({ actor, limits, owner, perspective, property, seen, wish }) {
        const { organization } = perspective
        const found = yield* pipeline.standing(property, organization.org_id)
        const standing = yield* visible(Option.map(found, (each) => each.property), perspective)
        const lead = Option.match(found, { onNone: () => null, onSome: (each) => each.lead })
        if (seen !== undefined && lead !== null && lead.version !== seen) return yield* new ChangedInFlight()
        const move = yield* Effect.fromResult(decideMove(lead, wish, organization))
        const eventId = yield* random.uuidV4()
        const changed = yield* pipeline.change({
          orgId: organization.org_id,
          propertyId: standing.id,
          expected: lead?.version ?? 0,
          move,
          customerStatus: null,
          actor,
          owner,
          eventId,
          partial: standing.access !== "paid" && !Territory.covers(organization, standing.countyFips),
          now: yield* Clock.currentTimeMillis
        }, limits === null ? undefined : oneChange(limits))
        if (Option.isNone(changed)) return yield* new ChangedInFlight()
        if (move.from === null) yield* EventTrace.recorded(eventId, "lead.qualified")
        return { lead: changed.value, from: move.from, eventId }
      })
    })
  })

  static readonly layer = Layer.effect(LeadMover, LeadMover.make)
}

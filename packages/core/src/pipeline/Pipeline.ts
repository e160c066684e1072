/**
 * The leads of an organization and their stages.
 *
 * A change of a lead, its line of history and its event are written together or not at all.
 */
import { Context, type Effect, type Option, type Result } from "effect"
import type { PropertyStanding } from "../coverage/Standings.ts"
import type { Area } from "../coverage/Territory.ts"
import type { Counted, Usage, UsageQuery } from "../limit/Usage.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { PropertyRef } from "../property/PropertyRef.ts"
import type { Stage } from "../stage/Stage.ts"
import type { LeadState, Move } from "./Moves.ts"

/** Who changed a lead. An agent is an API key or an assistant. */
export interface PipelineActor {
  readonly kind: "member" | "agent"
  readonly id: string | null
  readonly name: string
}

/** The member that a lead belongs to. */
export interface LeadOwner {
  readonly id: string
  readonly name: string
}

export type CustomerStatus = "active" | "churned"

/** One lead. Times are ISO-8601. */
export interface Lead extends LeadState {
  readonly propertyId: string
  readonly qualifiedAt: string
  readonly qualifiedBy: PipelineActor
  readonly statusChangedAt: string
  /** The member it was given to; until then the one who qualified it first, also through an assistant. null: nobody. */
  readonly ownerId: string | null
  readonly ownerName: string | null
  /** Counts the moves, from 1. */
  readonly version: number
}

/** A lead as a list shows it. */
export interface LeadRow extends Lead {
  readonly propertyKey: string
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
}

/** One move of a lead, as it was made. */
export interface StageChange {
  /** The lead's version after it. */
  readonly version: number
  /** null: the first qualification. */
  readonly from: Stage | null
  readonly to: Stage
  readonly at: string
  readonly actor: PipelineActor
  readonly byAgent: boolean
  /** After the move. */
  readonly dealValue: number | null
  /** Of a move to lost or disqualified. */
  readonly reasonCode: string | null
  readonly note: string | null
}

/** What decides over a change of a lead. */
export interface LeadStanding {
  readonly property: PropertyStanding
  readonly lead: Lead | null
  readonly customerStatus: CustomerStatus | null
}

/** What to write of one lead; with neither a move nor a customer status there is nothing to write. */
export interface LeadChange {
  readonly orgId: OrganizationId
  readonly propertyId: string
  /** The version that was read; 0: the property was not in the pipeline. */
  readonly expected: number
  readonly move: Move | null
  readonly customerStatus: CustomerStatus | null
  readonly actor: PipelineActor
  /** Of a first qualification. */
  readonly owner: LeadOwner | null
  /** The id of the event that the change records, if it records one. */
  readonly eventId: string
  /** The property was neither unlocked nor covered at this moment: its bundle is partial. */
  readonly partial: boolean
  /** Milliseconds. */
  readonly now: number
}

/** What a change counts towards the daily limits, decided when nobody else of the organization counts. */
export interface Counting<E> {
  readonly usage: UsageQuery
  readonly decide: (usage: Usage) => Result.Result<Counted, E>
}

/** So many moves and changes of a lead are kept, the last ones: nobody makes as many, but programs. */
export const mostMoves = 200

/** Port: leads, the stages that they are in, and the moves that led there. */
export class Pipeline extends Context.Service<Pipeline, {
  /** A property with the organization's lead and customer account for it, from one snapshot. */
  standing(
    ref: PropertyRef,
    orgId: OrganizationId
  ): Effect.Effect<Option.Option<LeadStanding>, TemporarilyUnavailable>

  /**
   * Writes the change unless the lead is no longer at the version that was read: then none, and nothing was done.
   * Answers the lead after it. Atomic.
   *
   * The first qualification records lead.qualified and sets the owner. Any other change
   * records lead.changed (never sent), if the move or the customer's flag (active or not) made a difference.
   *
   * With `counting`, what it decides is counted exactly when the change is written, in the same transaction; its refusal
   * is the change's.
   */
  change<E = never>(
    change: LeadChange,
    counting?: Counting<E>
  ): Effect.Effect<Option.Option<Lead>, E | TemporarilyUnavailable>

  /**
   * Gives a lead to a member, or to nobody, and records lead.changed (never sent) if that makes a difference. Answers the
   * lead after it; none: the property is not in the pipeline. Its stage, its time and its version stay. Atomic.
   */
  assign(request: {
    readonly orgId: OrganizationId
    readonly propertyId: string
    readonly owner: LeadOwner | null
    readonly actor: PipelineActor
    readonly eventId: string
    /** Milliseconds. */
    readonly now: number
  }): Effect.Effect<Option.Option<Lead>, TemporarilyUnavailable>

  /** The moves of a lead that are kept, oldest first. */
  history(
    orgId: OrganizationId,
    propertyId: string
  ): Effect.Effect<ReadonlyArray<StageChange>, TemporarilyUnavailable>

  /** Leads of properties in an area that were not merged away, last changed first, and how many there are. */
  list(
    orgId: OrganizationId,
    page: {
      readonly visible: Area
      readonly status: Stage | null
      readonly limit: number
      readonly offset: number
    }
  ): Effect.Effect<{ readonly leads: ReadonlyArray<LeadRow>; readonly total: number }, TemporarilyUnavailable>

  /**
   * Every lead, in the order of the properties' ids, so that one that moves meanwhile keeps its place. `after`: from behind the lead
   * of that property on; null: from the first.
   */
  all(
    orgId: OrganizationId,
    page: { readonly after: string | null; readonly limit: number }
  ): Effect.Effect<ReadonlyArray<LeadRow>, TemporarilyUnavailable>
}>()("@freehold/core/pipeline/Pipeline") {}

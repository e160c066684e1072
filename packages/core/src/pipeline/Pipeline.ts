/**
 * The leads of an organization and their stages.
 *
 * A move, its line of history and its event are written together or not at all.
 */
import { Context, type Effect } from "effect"
import type { OrganizationId } from "../access/Organization.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { Stage } from "./Stage.ts"

/** Who made a move. An agent is an API key or an assistant. */
export interface PipelineActor {
  readonly kind: "member" | "agent"
  readonly id: string | null
  readonly name: string
}

/** One lead. Times are ISO-8601. */
export interface Lead {
  readonly propertyId: string
  readonly status: Stage
  readonly dealValue: number | null
  readonly qualifiedAt: string
  readonly qualifiedBy: PipelineActor
  readonly statusChangedAt: string
  readonly version: number
}

/** A lead as a list shows it. */
export interface LeadRow extends Lead {
  readonly propertyKey: string
  readonly address: string | null
  readonly city: string | null
  readonly state: string | null
}

/** What a qualification did. `event_id` null: the property had been qualified before, so there is no new event. */
export interface Qualification {
  readonly lead: Lead
  readonly eventId: string | null
  readonly firstTime: boolean
}

export class Pipeline extends Context.Service<Pipeline, {
  /**
   * Puts a property into the stage `qualified` when it is not in the pipeline yet, with its first lead.qualified
   * event (`eventId`); answers the lead as it stands otherwise. Atomic.
   */
  qualify(request: {
    readonly orgId: OrganizationId
    readonly propertyId: string
    readonly dealValue: number
    readonly actor: PipelineActor
    readonly eventId: string
    /** The property was neither unlocked nor covered at this moment: its bundle is partial. */
    readonly partial: boolean
    /** Milliseconds. */
    readonly now: number
  }): Effect.Effect<Qualification, TemporarilyUnavailable>

  /** Leads, last changed first, and how many there are. */
  list(
    orgId: OrganizationId,
    page: { readonly limit: number; readonly offset: number }
  ): Effect.Effect<{ readonly leads: ReadonlyArray<LeadRow>; readonly total: number }, TemporarilyUnavailable>
}>()("@freehold/core/pipeline/Pipeline") {}

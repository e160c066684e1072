/** The leads of an organization as a board: a column a stage, read at one moment. */
import { Context, type Effect } from "effect"
import type { Area } from "../coverage/Territory.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Stage } from "../stage/Stage.ts"
import type { LeadRow } from "./Pipeline.ts"

/** The open task of a lead's property that is due first; what has no day comes last. */
export interface NextTask {
  readonly title: string
  /** ISO-8601. */
  readonly dueAt: string | null
}

/** A lead as a card shows it. */
export interface Card extends LeadRow {
  readonly nextTask: NextTask | null
}

/** One stage, in full: what its cards are a page of. */
export interface Column {
  readonly status: Stage
  readonly total: number
  /** Whole US dollars, of all of its leads. */
  readonly dealValue: number
  /** Last changed first. */
  readonly cards: ReadonlyArray<Card>
}

/** Which part of the board is read. */
export interface BoardPage {
  /** Leads of properties in this area that were not merged away. */
  readonly visible: Area
  /** In this order, each at most once. */
  readonly stages: ReadonlyArray<Stage>
  /** Leads of this member; null: of anybody and nobody. */
  readonly ownerId: string | null
  /** Leads whose stage did not change since this moment, in milliseconds; null: all. */
  readonly unmovedSince: number | null
  /** Of each stage. */
  readonly limit: number
  readonly offset: number
}

/** Port: the pipeline, stage by stage. */
export class Board extends Context.Service<Board, {
  /** One column for each of the stages, in their order. */
  read(orgId: OrganizationId, page: BoardPage): Effect.Effect<ReadonlyArray<Column>, TemporarilyUnavailable>
}>()("@freehold/core/pipeline/Board") {}

/** Which organizations wait for the allotment of a month. */
import { Context, type Effect } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { OrganizationId } from "../organization/Organization.ts"

export class Allotments extends Context.Service<Allotments, {
  /**
   * Active organizations with a monthly grant above 0 and none of this reference in their ledger, by id, those after
   * `after`.
   */
  due(query: {
    readonly ref: string
    readonly after: OrganizationId | null
    readonly limit: number
  }): Effect.Effect<ReadonlyArray<OrganizationId>, TemporarilyUnavailable>
}>()("@freehold/core/credit/Allotments") {}

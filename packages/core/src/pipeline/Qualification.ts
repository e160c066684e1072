/**
 * A person puts a property into the pipeline: the first time, one lead.qualified event is recorded with it.
 *
 * service-api "Lead pipeline", decisions section 6.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Organization } from "../access/Organization.ts"
import type { NotFound, OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { Properties } from "../property/Properties.ts"
import { visible } from "../property/PropertyReader.ts"
import * as PropertyRef from "../property/PropertyRef.ts"
import { Pipeline, type PipelineActor, type Qualification as Qualified } from "./Pipeline.ts"

const maximumDealValue = 1e15

/** A qualified lead needs a deal value above 1 dollar, in whole dollars. */
export class DealValueRequired extends Schema.TaggedError<DealValueRequired>()("DEAL_VALUE_REQUIRED", {}) {
  override get message() {
    return "A qualified lead needs a deal value above 1 dollar, in whole dollars."
  }
}

export class Qualification extends Context.Service<Qualification, {
  /** Qualifies a property named by id or key. A property that is in the pipeline already stays as it is. */
  qualify(request: {
    readonly organization: Organization
    readonly property: string
    /** Whole US dollars. */
    readonly dealValue: number
    readonly actor: PipelineActor
  }): Effect.Effect<
    Qualified,
    DealValueRequired | NotFound | OutOfTerritory | PropertyRetired | TemporarilyUnavailable
  >
}>()("@freehold/core/pipeline/Qualification") {
  static readonly layer = Layer.effect(
    Qualification,
    Effect.gen(function*() {
      const properties = yield* Properties
      const pipeline = yield* Pipeline
      const random = yield* SecureRandom.SecureRandom
      return Qualification.of({
        qualify: Effect.fn("Qualification.qualify")(function*({ actor, dealValue, organization, property }) {
          if (!Number.isInteger(dealValue) || dealValue < 2 || dealValue > maximumDealValue) {
            return yield* new DealValueRequired()
          }
          const found = yield* properties.standing(PropertyRef.parse(property), organization.org_id)
          const standing = yield* visible(found, Territory.wholeArea(organization))
          const covered = Territory.covers(organization, standing.countyFips)
          return yield* pipeline.qualify({
            orgId: organization.org_id,
            propertyId: standing.id,
            dealValue,
            actor,
            eventId: yield* random.uuidV4(),
            partial: standing.access !== "paid" && !covered,
            now: yield* Clock.currentTimeMillis
          })
        })
      })
    })
  )
}

/** Refusals about what is visible to an organization. service-api "Coverage and visibility codes". */
import { Schema } from "effect"

/** No such item that the organization can see. */
export class NotFound extends Schema.TaggedError<NotFound>()("NOT_FOUND", {
  resource: Schema.Literals([
    "property",
    "contact",
    "lead",
    "organization",
    "list",
    "webhook",
    "delivery",
    "saved_search",
    "research run",
    "key",
    "member"
  ])
}) {
  override get message() {
    return `No such ${this.resource.replace("_", " ")}.`
  }
}

/** Outside the service area (`subscription`) or outside the member's own territory (`territory`). */
export class OutOfTerritory extends Schema.TaggedError<OutOfTerritory>()("OUT_OF_TERRITORY", {
  reason: Schema.Literals(["territory", "subscription"]),
  /** The county to ask for. A member is not told where in the organization's area a place lies. */
  county_fips: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return this.reason === "subscription"
      ? "This property is outside the area that your organization switched on."
      : "This property is outside your territory."
  }
}

/** Nothing at all is visible to this caller. decisions, section 8. */
export class NoVisibleTerritory extends Schema.TaggedError<NoVisibleTerritory>()("NO_VISIBLE_TERRITORY", {
  cause: Schema.Literals(["no_serviceable_area", "member_territory_empty"])
}) {
  override get message() {
    return this.cause === "member_territory_empty"
      ? "Nothing is visible: your territory lies outside the area that your organization switched on, or is empty."
      : "Nothing is visible: your organization has not switched on an area."
  }
}

/** The record was merged into another one. */
export class PropertyRetired extends Schema.TaggedError<PropertyRetired>()("PROPERTY_RETIRED", {
  successorPropertyId: Schema.String
}) {
  override get message() {
    return `This property was merged; use ${this.successorPropertyId}.`
  }
}

/** The property is neither unlocked nor covered. */
export class NotEntitled extends Schema.TaggedError<NotEntitled>()("NOT_ENTITLED", {}) {
  override get message() {
    return "This property is neither unlocked by your organization nor covered by its subscription; unlock it first."
  }
}

/** Whether the people and the owner may be shown could not be checked, so nothing of the record is given out. */
export class ComplianceCheckUnavailable
  extends Schema.TaggedError<ComplianceCheckUnavailable>()("COMPLIANCE_CHECK_UNAVAILABLE", {
    retryAfterSeconds: Schema.Int
  })
{
  override get message() {
    return "Whether this record may be shown cannot be checked at the moment; nothing was billed. Retry shortly."
  }
}

/** Refusals about webhook endpoints. service-api "POST /webhooks". */
import { Schema } from "effect"
import { InputIssue } from "../operation/InvalidInput.ts"

export const maximumActiveEndpoints = 10
export const maximumEndpoints = 100

export class WebhookEndpointLimitReached
  extends Schema.TaggedError<WebhookEndpointLimitReached>()("WEBHOOK_ENDPOINT_LIMIT_REACHED", {})
{
  override get message() {
    return `This organization already has ${maximumActiveEndpoints} active webhook endpoints.`
  }
}

export class WebhookEndpointTotalLimitReached
  extends Schema.TaggedError<WebhookEndpointTotalLimitReached>()("WEBHOOK_ENDPOINT_TOTAL_LIMIT_REACHED", {})
{
  override get message() {
    return `This organization already has ${maximumEndpoints} webhook endpoints, deactivated ones included.`
  }
}

/** Change events are not switched on for the organization. */
export class SignalsNotEnabled extends Schema.TaggedError<SignalsNotEnabled>()("SIGNALS_NOT_ENABLED", {
  issues: Schema.Array(InputIssue)
}) {
  override get message() {
    return "Change events are not switched on for your organization."
  }
}

/** Refusals about webhook endpoints. service-api "POST /webhooks". */
import { Schema } from "effect"

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

/** The trigger: a lead was qualified. Zapier subscribes one webhook for each Zap that is switched on. */
import { type Bundle, defineTrigger, type ZObject } from "zapier-platform-core"
import { addressOf } from "./authentication.ts"
import { type Delivered, flat } from "./flat.ts"

const event = "lead.qualified"

/** What was subscribed; Zapier keeps it as `bundle.subscribeData`. The address of a Zap is its secret, so no other is kept. */
export const subscribe = async (z: ZObject, bundle: Bundle) => {
  const response = await z.request({
    method: "POST",
    url: addressOf(bundle, "/webhooks"),
    body: { url: bundle.targetUrl, events: [event] }
  })
  return response.data.data.endpoint
}

export const unsubscribe = async (z: ZObject, bundle: Bundle) => {
  const response = await z.request({
    method: "DELETE",
    url: addressOf(bundle, `/webhooks/${bundle.subscribeData?.["id"]}`)
  })
  return response.data.data
}

/** What arrived; what the service sent as a test starts no Zap, since it is made up. */
export const perform = (_z: ZObject, bundle: Bundle) => {
  const delivered: Delivered = bundle.cleanedRequest
  return delivered.test ? [] : [flat(delivered)]
}

/** A made-up lead of the same form, to map fields by. A real one would be metered. */
export const performList = async (z: ZObject, bundle: Bundle) => {
  const response = await z.request({ url: addressOf(bundle, "/webhooks/sample"), params: { event } })
  const sample: Delivered = response.data.data
  return [flat(sample)]
}

export const leadQualified = defineTrigger({
  key: "lead_qualified",
  noun: "Lead",
  display: {
    label: "Lead Qualified",
    description: "Triggers when a property becomes a lead of your organization."
  },
  operation: {
    type: "hook",
    performSubscribe: subscribe,
    performUnsubscribe: unsubscribe,
    perform,
    performList,
    sample: {
      id: "00000000-0000-4000-8000-000000000008",
      event_type: event,
      service_property_id: "00000000-0000-4000-8000-000000000001",
      property_address: "1 Sample Street",
      pipeline_status: "qualified",
      contact_1_full_name: "Sam Sample",
      contact_1_email: "sam@owner.example"
    }
  }
})

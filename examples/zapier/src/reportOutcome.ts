/** The action: what became of a lead, told to the service. The organization's `crm_mode` is `external`. */
import { type Bundle, defineCreate, type ZObject } from "zapier-platform-core"
import { addressOf } from "./authentication.ts"

interface Outcome extends Record<string, unknown> {
  readonly property_id: string
  readonly status: string
  readonly customer_status?: string
}

export const report = async (z: ZObject, bundle: Bundle<Outcome>) => {
  const { customer_status, property_id, status } = bundle.inputData
  const response = await z.request({
    method: "POST",
    url: addressOf(bundle, `/leads/${encodeURIComponent(property_id)}/status`),
    body: customer_status === undefined || customer_status === "" ? { status } : { status, customer_status }
  })
  return { id: property_id, ...response.data.data }
}

export const reportOutcome = defineCreate({
  key: "report_outcome",
  noun: "Outcome",
  display: {
    label: "Report Outcome",
    description: "Tells the service that a lead was won or lost."
  },
  operation: {
    inputFields: [
      {
        key: "property_id",
        label: "Property",
        type: "string",
        required: true,
        helpText: "service_property_id of the lead."
      },
      { key: "status", label: "Outcome", type: "string", required: true, choices: ["won", "lost"] },
      { key: "customer_status", label: "Customer", type: "string", required: false, choices: ["active", "churned"] }
    ],
    perform: report,
    sample: {
      id: "00000000-0000-4000-8000-000000000001",
      property_id: "00000000-0000-4000-8000-000000000001",
      status: "won",
      is_current_customer: false
    }
  }
})

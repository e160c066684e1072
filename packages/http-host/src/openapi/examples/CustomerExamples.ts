/** Examples of the endpoint about customer accounts. All data is made up. */
import { SyncCustomerAccounts } from "@freehold/core/customer/CustomerOperations"
import { example } from "./Example.ts"

export const customerExamples = [
  example(SyncCustomerAccounts, {
    accounts: [
      { property_id: "984d985b-cf50-5a37-86a9-2c9c6d63499b", status: "active" },
      { property_id: "36061-1000477501", status: "churned" },
      { property_id: "2f8d6f57-3f6e-4a34-8a1f-0b7a0c0a7d11", status: "active" }
    ]
  }, {
    results: [
      { property_id: "984d985b-cf50-5a37-86a9-2c9c6d63499b", status: "synced" },
      { property_id: "36061-1000477501", status: "synced", out_of_service_area: true },
      { property_id: "2f8d6f57-3f6e-4a34-8a1f-0b7a0c0a7d11", status: "error", error: "No such property." }
    ],
    synced_count: 2,
    error_count: 1,
    out_of_service_area_count: 1
  })
] as const
